#include "framework/graph/mirror_rows.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "system/loops/collectives.hpp"

namespace orujo::graph {
namespace {

// What a counter was, among other cores of the locale that count, too.
std::uint64_t count_up(std::uint64_t& counter, bool alone) {
  if (alone) return counter++;
  return std::atomic_ref<std::uint64_t>(counter).fetch_add(1, std::memory_order_relaxed);
}

// How many edges ahead a mirror's counter is fetched, and its next target.
constexpr std::uint64_t counter_ahead = 32, target_ahead = 12;

// The in-edges of a core's vertices that come from mirrors. A slot is an edge's place in the rows.
class edges_from_mirrors {
 public:
  explicit edges_from_mirrors(const locale_graph& g)
      : own_(g.own),
        part_(g.my_part()),
        offsets_(g.in_rows->offsets.data()),
        last_(std::max<std::uint64_t>(offsets_[part_.last], 1) - 1),
        edges_(g.in_rows->any_form()) {}

  // Calls visit(mirror, own vertex, slot) for each, and before it fetch(slot).
  template <class Fetch, class Visit>
  void for_each(Fetch fetch, Visit visit) const {
    for (std::uint32_t v = part_.first; v < part_.last; ++v) {
      for (std::uint64_t k = offsets_[v]; k < offsets_[v + 1]; ++k) {
        fetch(k);
        if (edges_.neighbour(k) >= own_) visit(edges_.neighbour(k) - own_, v, k);
      }
    }
  }
  // The mirror that an edge at the slot or at the last one comes from, or any.
  std::uint32_t mirror_near(std::uint64_t slot) const {
    const std::uint32_t source = edges_.neighbour(std::min(slot, last_));
    return source >= own_ ? source - own_ : 0;
  }

 private:
  const std::uint32_t own_;
  const core_part& part_;
  const std::uint64_t* const offsets_;
  const std::uint64_t last_;
  const edge_reader edges_;
};

// Adds to first[m] the number of edges from the m-th mirror.
void count_targets(const edges_from_mirrors& edges, std::uint64_t* first, bool alone) {
  const auto fetch = [&](std::uint64_t k) {
    __builtin_prefetch(first + edges.mirror_near(k + counter_ahead), 1);
  };
  edges.for_each(fetch, [&](std::uint32_t m, std::uint32_t, std::uint64_t) { count_up(first[m], alone); });
}

void set_target(std::uint32_t& target, std::uint32_t vertex, const edge_reader&, std::uint64_t) {
  target = vertex;
}
void set_target(arc& target, std::uint32_t vertex, const edge_reader& edges, std::uint64_t slot) {
  target = {vertex, edges.weight(slot)};
}

// first: by mirror, where its targets begin. It is left where they end.
template <class Target>
void place_targets(const edges_from_mirrors& edges, const edge_reader all, std::uint64_t* first,
                   Target* targets, bool alone) {
  const auto fetch = [&](std::uint64_t k) {
    __builtin_prefetch(first + edges.mirror_near(k + counter_ahead), 1);
    const std::atomic_ref<std::uint64_t> next(first[edges.mirror_near(k + target_ahead)]);
    __builtin_prefetch(targets + next.load(std::memory_order_relaxed), 1);
  };
  edges.for_each(fetch, [&](std::uint32_t m, std::uint32_t v, std::uint64_t slot) {
    set_target(targets[count_up(first[m], alone)], v, all, slot);
  });
}

}  // namespace

// Counts, and then places: each counter ends where its mirror's targets end.
template <class Target>
void basic_mirror_rows<Target>::make(const locale_graph& g) {
  const bool alone = my_locales_cores() == 1;
  const edges_from_mirrors edges(g);
  std::uint64_t* const first = offsets_.data() + 1;  // of the mirror after
  count_targets(edges, first, alone);
  loops::barrier(loops::group::locale);
  if (leads_locale()) {
    std::uint64_t before = 0;
    for (std::uint32_t m = 0; m < g.mirrors; ++m) before += std::exchange(first[m], before);
    targets_ = machine::huge_array<Target>(before);
    made_ = true;
  }
  loops::barrier(loops::group::locale);
  place_targets(edges, g.in_rows->any_form(), first, targets_.data(), alone);
  loops::barrier(loops::group::locale);
}

template <class Target>
std::shared_ptr<const basic_mirror_rows<Target>> turn_mirror_rows(const locale_graph& g) {
  using rows_type = basic_mirror_rows<Target>;
  CHECK(g.in_rows) << "rows of mirrors are made of rows of in-edges";
  const auto rows = loops::share_on_locale<rows_type>(
      [&] { return g.kept->get<rows_type>([&] { return std::shared_ptr<rows_type>(new rows_type(g)); }); });
  if (!rows->made_) rows->make(g);
  return rows;
}

template std::shared_ptr<const mirror_rows> turn_mirror_rows<std::uint32_t>(const locale_graph& g);
template std::shared_ptr<const weighted_mirror_rows> turn_mirror_rows<arc>(const locale_graph& g);

}  // namespace orujo::graph
