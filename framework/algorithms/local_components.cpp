#include "framework/algorithms/local_components.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "system/base/random.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::algorithms {
namespace {

constexpr std::size_t vertices_per_chunk = 16384;
constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
// The row that begins so many vertices ahead is fetched.
constexpr std::uint32_t rows_ahead = 24;

}  // namespace

bool forest::link(std::uint32_t u, std::uint32_t v) const {
  for (std::uint32_t a = root(u), b = root(v); a != b; a = root(a), b = root(b)) {
    if (a < b) std::swap(a, b);
    std::uint32_t still_root = a;
    if (at(a).compare_exchange_strong(still_root, b, std::memory_order_relaxed)) return true;
  }
  return false;
}

local_components::arena::arena(std::uint32_t indices, int cores)
    : to_link({0, indices}, cores, loops::schedule::dynamic(vertices_per_chunk)),
      to_compress({0, indices}, cores, loops::schedule::dynamic(vertices_per_chunk)) {}

local_components::local_components(const graph::locale_graph& g, std::span<std::uint32_t> parents)
    : graph_(g),
      part_(g.my_part()),
      indices_(g.own + g.mirrors),
      trees_(parents),
      arena_(loops::share_on_locale<arena>(
          [&] { return std::make_shared<arena>(g.own + g.mirrors, my_locales_cores()); })) {
  CHECK(g.in_rows && g.out_rows) << "connected components need the rows of both directions";
  CHECK_EQ(parents.size(), indices_);
}

void local_components::run() {
  plant();
  loops::barrier(loops::group::locale);
  link_roots();
  loops::barrier(loops::group::locale);
  const std::uint32_t giant = loops::broadcast(leads_locale() ? most_frequent_root() : 0,
                                               shape().first_core_of(my_locale()), loops::group::locale);
  const int linked = link_rest(giant) ? 1 : 0;
  if (loops::all_reduce(linked, std::plus<int>(), loops::group::locale) > 0) compress();
}

// None where all neighbours are mirrors, or there are none. A row ascends by the vertices' numbers, so
// mirrors may come first.
std::uint32_t local_components::smallest_own_neighbour(const graph::adjacency& rows, std::uint32_t v) const {
  for (const std::uint32_t neighbour : rows.of(v)) {
    if (neighbour < graph_.own) return neighbour;
  }
  return none;
}

void local_components::plant() {
  roots_.clear();
  const graph::adjacency& out = *graph_.out_rows;
  const graph::adjacency& in = *graph_.in_rows;
  const std::uint32_t last = part_.last;
  for (std::uint32_t v = part_.first; v < last; ++v) {
    const std::uint32_t ahead = std::min(v + rows_ahead, last);
    __builtin_prefetch(&out.neighbours[out.offsets[ahead]]);
    std::uint32_t parent = smallest_own_neighbour(out, v);
    if (!graph_.symmetric) {
      __builtin_prefetch(&in.neighbours[in.offsets[ahead]]);
      parent = std::min(parent, smallest_own_neighbour(in, v));
    }
    if (parent >= v) {
      if (parent != none) roots_.push_back(v);
      parent = v;
    } else if (parent >= part_.first) {
      parent = trees_.parent(parent);
    }
    trees_.set_parent(v, parent);
  }
  if (!leads_locale()) return;
  for (std::uint32_t m = graph_.own; m < indices_; ++m) trees_.set_parent(m, m);
}

template <class Visit>
void local_components::visit_neighbours(std::uint32_t v, Visit visit) const {
  for (const std::uint32_t neighbour : graph_.out_rows->of(v)) visit(neighbour);
  if (graph_.symmetric) return;
  for (const std::uint32_t neighbour : graph_.in_rows->of(v)) visit(neighbour);
}

void local_components::link_roots() {
  for (const std::uint32_t v : roots_) {
    visit_neighbours(v, [&](std::uint32_t neighbour) { trees_.link(v, neighbour); });
  }
}

// Most likely the largest tree's.
std::uint32_t local_components::most_frequent_root() const {
  constexpr int samples = 1024;
  if (graph_.own == 0) return 0;
  random_stream random(1);
  std::unordered_map<std::uint32_t, int> counts;
  std::uint32_t best = 0;
  int most = 0;
  for (int k = 0; k < samples; ++k) {
    const std::uint32_t root = trees_.root(static_cast<std::uint32_t>(random.below(graph_.own)));
    if (const int count = ++counts[root]; count > most) {
      most = count;
      best = root;
    }
  }
  return best;
}

// All edges of the vertices outside the giant tree, and compresses what it passes. An edge with an end in it
// is seen from the other end, unless that is a mirror. True if trees were joined, so that some parents may be
// roots no more.
bool local_components::link_rest(std::uint32_t giant) {
  bool linked = false;
  loops::collective_forall(arena_->to_link, [&](std::size_t index) {
    const auto v = static_cast<std::uint32_t>(index);
    const std::uint32_t root = trees_.root(v);
    if (root != v) trees_.set_parent(v, root);
    if (v >= graph_.own) return;
    if (root != giant) giant = trees_.root(giant);
    if (root != giant) {
      visit_neighbours(v, [&](std::uint32_t neighbour) { linked |= trees_.link(v, neighbour); });
    } else if (graph_.mirrors > 0) {
      visit_neighbours(v, [&](std::uint32_t neighbour) {
        if (neighbour >= graph_.own) linked |= trees_.link(v, neighbour);
      });
    }
  });
  return linked;
}

void local_components::compress() {
  loops::collective_forall(arena_->to_compress, [&](std::size_t index) {
    const auto v = static_cast<std::uint32_t>(index);
    if (const std::uint32_t root = trees_.root(v); root != v) trees_.set_parent(v, root);
  });
}

}  // namespace orujo::algorithms
