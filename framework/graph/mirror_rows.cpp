#include "framework/graph/mirror_rows.hpp"

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

// Calls visit(mirror, own vertex) for the in-edges of a core's vertices that come from mirrors.
template <class Visit>
void visit_mirrors(const locale_graph& g, const core_part& part, Visit visit) {
  const std::uint64_t* const offsets = g.in_rows->offsets.data();
  const std::uint32_t* const sources = g.in_rows->neighbours.data();
  for (std::uint32_t v = part.first; v < part.last; ++v) {
    for (std::uint64_t k = offsets[v]; k < offsets[v + 1]; ++k) {
      if (sources[k] >= g.own) visit(sources[k] - g.own, v);
    }
  }
}

}  // namespace

mirror_rows::mirror_rows(const locale_graph& g) : offsets_(std::size_t{g.mirrors} + 1) {}

// Counts, and then places: each counter ends where its mirror's targets end.
void mirror_rows::make(const locale_graph& g) {
  const bool alone = my_locales_cores() == 1;
  std::uint64_t* const first = offsets_.data() + 1;  // of the mirror after
  visit_mirrors(g, g.my_part(), [&](std::uint32_t m, std::uint32_t) { count_up(first[m], alone); });
  loops::barrier(loops::group::locale);
  if (leads_locale()) {
    std::uint64_t before = 0;
    for (std::uint32_t m = 0; m < g.mirrors; ++m) before += std::exchange(first[m], before);
    targets_ = machine::huge_array<std::uint32_t>(before);
    made_ = true;
  }
  loops::barrier(loops::group::locale);
  visit_mirrors(g, g.my_part(),
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
