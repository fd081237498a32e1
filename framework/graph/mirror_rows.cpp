#include "framework/graph/mirror_rows.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "system/base/check.hpp"
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

// The in-edges of a core's vertices that come from mirrors.
class edges_from_mirrors {
 public:
  edges_from_mirrors(const locale_graph& g, const core_part& part)
      : own_(g.own),
        part_(part),
        offsets_(g.in_rows->offsets.data()),
        sources_(g.in_rows->neighbours.data()),
        last_(std::max<std::uint64_t>(offsets_[part.last], 1) - 1) {}

  // Calls visit(mirror, own vertex) for each, and before it fetch(edge).
  template <class Fetch, class Visit>
  void for_each(Fetch fetch, Visit visit) const {
    for (std::uint32_t v = part_.first; v < part_.last; ++v) {
      for (std::uint64_t k = offsets_[v]; k < offsets_[v + 1]; ++k) {
        fetch(k);
        if (sources_[k] >= own_) visit(sources_[k] - own_, v);
      }
    }
  }
  // The mirror that the edge comes from, or any.
  std::uint32_t mirror_near(std::uint64_t edge) const {
    const std::uint32_t source = sources_[std::min(edge, last_)];
    return source >= own_ ? source - own_ : 0;
  }

 private:
  const std::uint32_t own_;
  const core_part& part_;
  const std::uint64_t* const offsets_;
  const std::uint32_t* const sources_;
  const std::uint64_t last_;
};

}  // namespace

mirror_rows::mirror_rows(const locale_graph& g) : offsets_(std::size_t{g.mirrors} + 1) {}

// Counts, and then places: each counter ends where its mirror's targets end.
void mirror_rows::make(const locale_graph& g) {
  const bool alone = my_locales_cores() == 1;
  const edges_from_mirrors edges(g, g.my_part());
  std::uint64_t* const first = offsets_.data() + 1;  // of the mirror after
  const auto fetch_counter = [&](std::uint64_t k) {
    __builtin_prefetch(first + edges.mirror_near(k + counter_ahead), 1);
  };
  edges.for_each(fetch_counter, [&](std::uint32_t m, std::uint32_t) { count_up(first[m], alone); });
  loops::barrier(loops::group::locale);
  if (leads_locale()) {
    std::uint64_t before = 0;
    for (std::uint32_t m = 0; m < g.mirrors; ++m) before += std::exchange(first[m], before);
    targets_ = machine::huge_array<std::uint32_t>(before);
    made_ = true;
  }
  loops::barrier(loops::group::locale);
  const auto fetch_both = [&](std::uint64_t k) {
    fetch_counter(k);
    const std::atomic_ref<std::uint64_t> next(first[edges.mirror_near(k + target_ahead)]);
    __builtin_prefetch(targets_.data() + next.load(std::memory_order_relaxed), 1);
  };
  edges.for_each(fetch_both,
                 [&](std::uint32_t m, std::uint32_t v) { targets_[count_up(first[m], alone)] = v; });
  loops::barrier(loops::group::locale);
}

std::shared_ptr<const mirror_rows> turn_mirror_rows(const locale_graph& g) {
  CHECK(g.in_rows) << "rows of mirrors are made of rows of in-edges";
  const auto rows = loops::share_on_locale<mirror_rows>([&] {
    return g.kept->get<mirror_rows>([&] { return std::shared_ptr<mirror_rows>(new mirror_rows(g)); });
  });
  if (!rows->made_) rows->make(g);
  return rows;
}

}  // namespace orujo::graph
