#include "framework/graph/mirror_links.hpp"

#include <atomic>
#include <numeric>
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

mirror_links::mirror_links(const locale_graph& g)
    : first_place_(std::size_t{g.own} + 1),
      first_target_(std::size_t{g.mirrors} + 1),
      places_by_core_(static_cast<std::size_t>(my_locales_cores()) + 1) {}

void mirror_links::make(const locale_graph& g) {
  find_places(g);
  turn_rows(g);
  if (leads_locale()) made_ = true;
  loops::barrier(loops::group::locale);
}

// A core's own vertices' places follow those of the cores before it.
void mirror_links::find_places(const locale_graph& g) {
  const core_part& part = g.my_part();
  const auto core = static_cast<std::size_t>(my_core_of_locale());
  std::uint64_t* const first = first_place_.data() + 1;  // of the vertex after
  for (const mirror_list& list : part.mirrored_by) {
    places_by_core_[core + 1] += list.vertices.size();
    for (const std::uint32_t v : list.vertices) ++first[v];
  }
  loops::barrier(loops::group::locale);
  if (leads_locale()) {
    std::inclusive_scan(places_by_core_.begin(), places_by_core_.end(), places_by_core_.begin());
    places_ = machine::huge_array<place>(places_by_core_.back());
  }
  loops::barrier(loops::group::locale);
  std::uint64_t before = places_by_core_[core];
  for (std::uint32_t v = part.first; v < part.last; ++v) before += std::exchange(first[v], before);
  for (std::size_t l = 0; l < part.mirrored_by.size(); ++l) {
    const mirror_list& list = part.mirrored_by[l];
    for (std::size_t k = 0; k < list.vertices.size(); ++k)
      places_[first[list.vertices[k]]++] = {static_cast<locale_id>(l),
                                            list.first_mirror + static_cast<std::uint32_t>(k)};
  }
}

// Counts, and then places: each counter ends where its mirror's targets end.
void mirror_links::turn_rows(const locale_graph& g) {
  const bool alone = my_locales_cores() == 1;
  std::uint64_t* const first = first_target_.data() + 1;  // of the mirror after
  visit_mirrors(g, g.my_part(), [&](std::uint32_t m, std::uint32_t) { count_up(first[m], alone); });
  loops::barrier(loops::group::locale);
  if (leads_locale()) {
    std::uint64_t before = 0;
    for (std::uint32_t m = 0; m < g.mirrors; ++m) before += std::exchange(first[m], before);
    targets_ = machine::huge_array<std::uint32_t>(before);
  }
  loops::barrier(loops::group::locale);
  visit_mirrors(g, g.my_part(),
                [&](std::uint32_t m, std::uint32_t v) { targets_[count_up(first[m], alone)] = v; });
}

std::shared_ptr<const mirror_links> link_mirrors(const locale_graph& g) {
  CHECK(g.in_rows) << "links of mirrors are made of rows of in-edges";
  const auto links = loops::share_on_locale<mirror_links>([&] {
    return g.kept->get<mirror_links>([&] { return std::shared_ptr<mirror_links>(new mirror_links(g)); });
  });
  if (!links->made_) links->make(g);
  return links;
}

}  // namespace orujo::graph
