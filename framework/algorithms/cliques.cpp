#include "framework/algorithms/cliques.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <vector>

#include "framework/algorithms/clique_rows.hpp"
#include "framework/algorithms/clique_search.hpp"
#include "framework/graph/kept_forms.hpp"
#include "system/base/check.hpp"
#include "system/collectives/collectives.hpp"
#include "system/collectives/exchange_by.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::algorithms {
namespace {

// A sum that does not overflow.
using clique_sum = unsigned __int128;
using vertex_counts = std::optional<graph::property<std::uint64_t>>;
// Words of bits that are read, about, before other tasks of the core run.
constexpr std::uint64_t words_between_yields = 1 << 20;

// One core's part.
class clique_counter {
 public:
  // [task; suspends; collective over the job]
  clique_counter(const graph::locale_graph& g, int size, bool by_vertex, bool wide)
      : graph_(g),
        rows_(g, size, wide),
        search_(size, by_vertex, machine::simd_from_flags()),
        marks_(rows_.rows().ranks() / 64 + 1),
        places_(rows_.rows().ranks()) {
    if (by_vertex) {
      totals_ = collectives::share_on_locale<machine::huge_array<std::uint64_t>>(
          [&] { return std::make_shared<machine::huge_array<std::uint64_t>>(rows_.rows().ranks()); });
    }
  }

  // [task; suspends; collective over the job] Returns the number of all.
  clique_sum run() {
    for (; rows_.fetch(); ++rounds_) {
      rows_.deal([this](std::uint32_t rank, std::span<const std::uint32_t> row) { count(rank, row); });
      collectives::barrier();
    }
    if (totals_ && locales() > 1) send_totals();
    return collectives::all_reduce(found_);
  }
  int rounds() const { return rounds_; }
  // [task] After run(), with counts by vertex.
  std::uint64_t of_vertex(std::uint32_t own) const { return (*totals_)[rows_.rows().rank_of(own)]; }

 private:
  // Counts the cliques whose last vertex has this rank.
  void count(std::uint32_t rank, std::span<const std::uint32_t> row) {
    members_.assign(row.begin(), row.end());
    std::ranges::sort(members_);
    search_.begin(members_.size());
    for (std::size_t k = 0; k < members_.size(); ++k) {
      marks_[members_[k] / 64] |= std::uint64_t{1} << (members_[k] % 64);
      places_[members_[k]] = static_cast<std::uint32_t>(k);
    }
    for (std::size_t k = 1; k < members_.size(); ++k) {
      for (const std::uint32_t earlier : rows_.of(members_[k])) {
        if (marks_[earlier / 64] >> (earlier % 64) & 1) search_.join(k, places_[earlier]);
      }
    }
    for (const std::uint32_t member : members_) marks_[member / 64] = 0;
    std::uint64_t found = 0;
    for (std::size_t k = 1; k < members_.size(); ++k) {
      const std::uint64_t with_last = search_.count(k);
      found += with_last;
      read_ += k + with_last / 64;
      if (read_ > words_between_yields) {
        read_ = 0;
        tasks::yield();
      }
    }
    found_ += found;
    if (!totals_ || found == 0) return;
    add(rank, found);
    for (std::size_t k = 0; k < members_.size(); ++k) add(members_[k], search_.of_candidates()[k]);
  }
  void add(std::uint32_t rank, std::uint64_t cliques) {
    std::atomic_ref((*totals_)[rank]).fetch_add(cliques, std::memory_order_relaxed);
  }

  // Sends this locale's counts of other locales' vertices to their owners.
  void send_totals() {
    struct vertex_total {
      std::uint64_t name, cliques;
      core_id owner;
    };
    std::vector<vertex_total> totals;
    const index_range mine = my_part_of_locale({0, graph_.mirrors});
    for (std::size_t m = mine.first; m < mine.last; ++m) {
      const std::uint32_t rank = rows_.rows().rank_of(graph_.own + static_cast<std::uint32_t>(m));
      if ((*totals_)[rank] > 0)
        totals.push_back(
            {rows_.rows().name_of(rank), (*totals_)[rank], graph_.owners.owner(graph_.mirrored[m])});
    }
    for (const vertex_total& t :
         collectives::exchange_by(totals, [](const vertex_total& total) { return total.owner; }))
      add(rows_.rows().find(t.name), t.cliques);
    collectives::barrier(collectives::group::locale);
  }

  const graph::locale_graph& graph_;
  detail::clique_rows rows_;
  detail::clique_search search_;
  std::vector<std::uint64_t> marks_;                            // bits by rank: members of the row
  std::vector<std::uint32_t> places_;                           // by rank: the place of a marked member
  std::vector<std::uint32_t> members_;                          // ascending
  std::shared_ptr<machine::huge_array<std::uint64_t>> totals_;  // by rank, or null
  clique_sum found_ = 0;                                        // by this core
  std::uint64_t read_ = 0;
  int rounds_ = 0;
};

}  // namespace

result<clique_report> count_cliques(graph::distributed_graph graph, int size, vertex_counts by_vertex) {
  graph::require_forms(graph.here(), {.out_rows = true}, "count_cliques:");
  require(size >= smallest_clique && size <= largest_clique,
          "a size of cliques that is not from 3 to 64 vertices");
  const auto begin = std::chrono::steady_clock::now();
  struct outcome {
    clique_sum cliques;
    int rounds;
  };
  const outcome found = loops::on_all_cores(
      [=](vertex_counts counts) {
        const graph::locale_graph& g = graph.here();
        clique_counter counter(g, size, counts.has_value(), g.vertices > std::uint64_t{1} << 32);
        const clique_sum all = counter.run();
        for (std::uint32_t v = g.my_part().first; counts && v < g.my_part().last; ++v)
          counts->here()[v] = counter.of_vertex(v);
        collectives::barrier(collectives::group::locale);
        return outcome{all, counter.rounds()};
      },
      by_vertex);
  if (found.cliques > std::numeric_limits<std::uint64_t>::max())
    return status(
        exit_status::bad_data,
        fmt::format("the graph has 2^64 cliques of {} vertices or more; choose another size", size));
  return clique_report{static_cast<std::uint64_t>(found.cliques), found.rounds,
                       std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
}

}  // namespace orujo::internal::algorithms
