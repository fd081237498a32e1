#include "framework/algorithms/local_components.hpp"

#include <glog/logging.h>
#include <algorithm>
#include <unordered_map>

#include "system/base/random.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::algorithms {
namespace {

constexpr std::size_t vertices_per_chunk = 16384;
// The row that begins so many vertices ahead is fetched.
constexpr std::uint32_t rows_ahead = 24;

// The places where there are no mirrors, without the questions: a sixth of the time on a mesh.
struct local_indices {
  static std::uint32_t place_of(std::uint32_t local) { return local; }
  static bool is_own(std::uint32_t) { return true; }
};

}  // namespace

tree_places::tree_places(const graph::locale_graph& g)
    : own(g.own),
      mirrors_before(static_cast<std::uint32_t>(
          std::lower_bound(g.mirrored.begin(), g.mirrored.end(), g.first_vertex) - g.mirrored.begin())) {}

local_components::arena::arena(std::uint32_t own, int cores)
    : to_link({0, own}, cores, loops::schedule::dynamic(vertices_per_chunk)),
      to_compress({0, own}, cores, loops::schedule::dynamic(vertices_per_chunk)) {}

local_components::local_components(const graph::locale_graph& g, std::span<std::uint32_t> parents)
    : graph_(g), part_(g.my_part()), places_(g), trees_(parents), arena_(loops::share_on_locale<arena>([&] {
        return std::make_shared<arena>(g.own, my_locales_cores());
      })) {
  CHECK(g.in_rows && g.out_rows) << "connected components need the rows of both directions";
  CHECK_EQ(parents.size(), std::size_t{g.own} + g.mirrors);
}

template <class Places>
void local_components::plant(const Places places) {
  roots_.clear();
  const graph::adjacency& out = *graph_.out_rows;
  const graph::adjacency& in = *graph_.in_rows;
  forest trees = trees_;
  // The place of the smallest neighbour, as rows ascend by the vertices' numbers.
  const auto first_neighbour = [&](const graph::adjacency& rows, std::uint32_t v) {
    const std::span<const std::uint32_t> row = rows.of(v);
    return row.empty() ? nowhere : places.place_of(row.front());
  };
  const std::uint32_t last = part_.last;
  const std::uint32_t first_place = places.place_of(part_.first);
  for (std::uint32_t v = part_.first; v < last; ++v) {
    const std::uint32_t ahead = std::min(v + rows_ahead, last);
    __builtin_prefetch(&out.neighbours[out.offsets[ahead]]);
    std::uint32_t parent = first_neighbour(out, v);
    if (!graph_.symmetric) {
      __builtin_prefetch(&in.neighbours[in.offsets[ahead]]);
      parent = std::min(parent, first_neighbour(in, v));
    }
    const std::uint32_t place = places.place_of(v);
    if (parent >= place) {
      if (parent != nowhere) roots_.push_back(v);
      parent = place;
    } else if (parent >= first_place) {
      parent = trees.parent(parent);
    }
    trees.set_parent(place, parent);
  }
  if (!leads_locale()) return;
  for (std::uint32_t m = graph_.own; m < graph_.own + graph_.mirrors; ++m)
    trees_.set_parent(places.place_of(m), places.place_of(m));
}

template <class Places>
void local_components::link_roots(const Places places) {
  forest trees = trees_;
  for (const std::uint32_t v : roots_) {
    const std::uint32_t place = places.place_of(v);
    visit_neighbours(v, places, [&](std::uint32_t neighbour) {
      if (places.is_own(neighbour)) trees.link(place, neighbour);
    });
  }
}

void local_components::sample() {
  const bool alone = graph_.mirrors == 0;
  alone ? plant(local_indices()) : plant(places_);
  loops::barrier(loops::group::locale);
  alone ? link_roots(local_indices()) : link_roots(places_);
  loops::barrier(loops::group::locale);
}

std::uint64_t local_components::most_frequent(
    const std::function<std::uint64_t(std::uint32_t)>& of_tree) const {
  constexpr int samples = 1024;
  if (graph_.own == 0) return none;
  random_stream random(1);
  std::unordered_map<std::uint64_t, int> counts;
  std::uint64_t best = none;
  int most = 0;
  for (int k = 0; k < samples; ++k) {
    const auto v = static_cast<std::uint32_t>(random.below(graph_.own));
    const std::uint64_t found = of_tree(trees_.root(places_.place_of(v)));
    if (const int count = ++counts[found]; count > most) {
      most = count;
      best = found;
    }
  }
  return best;
}

void local_components::compress() {
  loops::collective_forall(arena_->to_compress, [&](std::size_t index) {
    const std::uint32_t place = places_.place_of(static_cast<std::uint32_t>(index));
    if (const std::uint32_t root = trees_.root(place); root != place) trees_.set_parent(place, root);
  });
}

}  // namespace orujo::algorithms
