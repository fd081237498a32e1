#include "framework/graph/build/input_changes.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "framework/graph/build/position_names.hpp"
#include "framework/graph/build/vertex_ids.hpp"
#include "framework/graph/vertex_names.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::graph {
namespace {

constexpr std::size_t parents_of_piece = std::size_t{1} << 20;  // 8 MiB

// Sets of positions, which the cores of a locale unite at once without locks; the smallest position stands
// for its set. Links lead from larger to smaller positions, so there are no circles. (Anderson, Woll:
// "Wait-free Parallel Algorithms for the Union-Find Problem", STOC 1991.)
class vertex_sets {
 public:
  explicit vertex_sets(std::uint64_t vertices) : parents_(vertices) {}

  std::span<std::uint64_t> parents() { return parents_.part(0, parents_.size()); }

  std::uint64_t find(std::uint64_t v) {
    for (std::uint64_t parent = at(v).load(std::memory_order_relaxed); parent != v;) {
      const std::uint64_t above = at(parent).load(std::memory_order_relaxed);
      if (above != parent) at(v).compare_exchange_weak(parent, above, std::memory_order_relaxed);
      v = above;
      parent = at(v).load(std::memory_order_relaxed);
    }
    return v;
  }

  void unite(std::uint64_t a, std::uint64_t b) {
    while (true) {
      a = find(a);
      b = find(b);
      if (a == b) return;
      if (a < b) std::swap(a, b);
      std::uint64_t expected = a;
      if (at(a).compare_exchange_strong(expected, b, std::memory_order_relaxed)) return;
    }
  }

 private:
  std::atomic_ref<std::uint64_t> at(std::uint64_t v) { return std::atomic_ref(parents_[v]); }

  machine::huge_array<std::uint64_t> parents_;
};

// [task; suspends; collective over the leaders] One locale after the other sends its sets to all others,
// united with those that it has received. So all locales have the same sets in the end.
void merge_sets(vertex_sets& sets) {
  std::vector<std::uint64_t> heard(std::min(parents_of_piece, sets.parents().size()));
  for (locale_id l = 0; l < locales(); ++l) {
    for (std::size_t first = 0; first < sets.parents().size(); first += parents_of_piece) {
      const std::size_t count = std::min(parents_of_piece, sets.parents().size() - first);
      const std::span<std::uint64_t> piece = std::span(heard).first(count);
      if (l == my_locale())
        std::copy_n(sets.parents().begin() + static_cast<std::ptrdiff_t>(first), count, piece.begin());
      collectives::broadcast(piece, shape().first_core_of(l), collectives::group::leaders);
      for (std::size_t k = 0; k < count && l != my_locale(); ++k) sets.unite(first + k, piece[k]);
    }
  }
}

// [task; suspends; collective over the job] The sets of the weakly connected vertices of all cores' edges.
std::shared_ptr<vertex_sets> find_components(const input_edges& input, const vertex_ids& ids) {
  const auto sets =
      collectives::share_on_locale<vertex_sets>([&] { return std::make_shared<vertex_sets>(ids.count()); });
  const index_range mine = my_part_of_locale({0, ids.count()});
  for (std::size_t v = mine.first; v < mine.last; ++v) sets->parents()[v] = v;
  collectives::barrier(collectives::group::locale);
  for (const edge& e : input.mine.edges) sets->unite(ids.position(e.source), ids.position(e.target));
  collectives::barrier(collectives::group::locale);
  if (locales() > 1 && leads_locale()) merge_sets(*sets);
  collectives::barrier(collectives::group::locale);
  return sets;
}

struct component {
  std::uint64_t root = 0, size = 0;
};

// [task; suspends; collective over the job] Every locale counts the sizes of all sets by itself.
component largest_of(vertex_sets& sets) {
  using counters = std::vector<std::uint64_t>;
  const auto sizes = collectives::share_on_locale<counters>(
      [&] { return std::make_shared<counters>(sets.parents().size()); });
  const index_range mine = my_part_of_locale({0, sizes->size()});
  for (std::size_t v = mine.first; v < mine.last; ++v)
    std::atomic_ref((*sizes)[sets.find(v)]).fetch_add(1, std::memory_order_relaxed);
  collectives::barrier(collectives::group::locale);
  component best;
  for (std::size_t v = mine.first; v < mine.last; ++v) {
    if ((*sizes)[v] > best.size) best = {v, (*sizes)[v]};
  }
  return collectives::all_reduce(best, [](const component& a, const component& b) {
    return a.size > b.size || (a.size == b.size && a.root < b.root) ? a : b;
  });
}

// The id of a vertex, less first_id. Edges have it when vertices have been dropped.
std::uint64_t lasting_id(const input_edges& input, std::uint64_t vertex) {
  return external_id(input, vertex) - input.first_id;
}

// Keeps the edges whose sources are wanted, by lasting ids.
template <class Wanted>
void keep_edges(input_edges& input, Wanted wanted) {
  formats::edge_list& list = input.mine;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < list.edges.size(); ++k) {
    const edge e = list.edges[k];
    if (!wanted(e.source)) continue;
    list.edges[kept] = {lasting_id(input, e.source), lasting_id(input, e.target)};
    if (!list.weights.empty()) list.weights[kept] = list.weights[k];
    ++kept;
  }
  list.edges.resize(kept);
  if (!list.weights.empty()) list.weights.resize(kept);
}

// The vertices that are left are the ends of the edges, or, if there are none, the one with this id.
void set_vertices_left(input_edges& input, std::uint64_t edges, std::uint64_t vertices, std::uint64_t id) {
  const bool alone = edges == 0 && vertices > 0;
  input.vertex_count = alone ? std::optional<std::uint64_t>(1) : std::nullopt;
  if (alone) input.first_id = id;
  input.ids = nullptr;
  input.vertices = {};
}

// [task; suspends; collective over the job] Drops the names of vertices that were dropped.
void keep_names(input_edges& input) {
  const auto ids = vertex_ids::of_input(input);
  const auto place_before = [&](std::uint64_t position) { return external_id(input, ids->id(position)); };
  const index_range mine = input.names->range_here();
  std::uint64_t first = 0, end = ids->count();
  while (first < end) {
    const std::uint64_t middle = first + (end - first) / 2;
    if (place_before(middle) < mine.first) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  formats::name_table kept;
  for (std::uint64_t p = first; p < ids->count() && place_before(p) < mine.last; ++p)
    kept.push_back(input.names->here()[place_before(p) - mine.first]);
  number_edges(input, *ids);
  set_names(input, vertex_names::share(std::move(kept)));
}

void keep_largest_component(input_edges& input) {
  if (input.generated) {
    formats::edge_list list;
    input.visit_batches([&](std::span<const edge> edges, std::span<const float> weights) {
      list.edges.insert(list.edges.end(), edges.begin(), edges.end());
      list.weights.insert(list.weights.end(), weights.begin(), weights.end());
    });
    input.mine = std::move(list);
    input.generated.reset();
  }
  const auto ids = vertex_ids::of_input(input);
  const auto sets = find_components(input, *ids);
  const component best = largest_of(*sets);
  if (best.size == ids->count()) return collectives::barrier();  // no core reads the sets any more
  const std::uint64_t id = ids->count() > 0 ? external_id(input, ids->id(best.root)) : 0;
  keep_edges(input, [&](std::uint64_t source) { return sets->find(ids->position(source)) == best.root; });
  set_vertices_left(input, collectives::all_reduce<std::uint64_t>(input.mine.edges.size()), ids->count(), id);
  collectives::barrier();  // no core reads the sets any more
  if (input.names) keep_names(input);
}

void transpose(input_edges& input) {
  if (input.generated) input.generated->transposed = !input.generated->transposed;
  for (edge& e : input.mine.edges) std::swap(e.source, e.target);
}

// Places among all names become places among the names of the vertices that are left.
void number_anew(input_edges& input) {
  std::map<std::uint64_t, std::uint64_t> places;
  for (const edge& e : input.mine.edges) places[e.source] = places[e.target] = 0;
  for (std::uint64_t next = 0; auto& [before, place] : places) place = next++;
  for (edge& e : input.mine.edges) e = {places[e.source], places[e.target]};
  input.vertex_count = std::max<std::uint64_t>(places.size(), input.vertex_count.value_or(0));
  input.first_id = 0;
}

// Visits the components one after the other, breadth-first, from the smallest vertex on.
void keep_largest_component_serially(input_edges& input) {
  std::vector<std::uint64_t> ids;
  if (input.vertex_count) {
    for (std::uint64_t v = 0; v < *input.vertex_count; ++v) ids.push_back(v);
  } else {
    for (const edge& e : input.mine.edges) ids.insert(ids.end(), {e.source, e.target});
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }
  const auto place = [&](std::uint64_t id) {
    return static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
  };
  std::vector<std::vector<std::size_t>> neighbours(ids.size());
  for (const edge& e : input.mine.edges) {
    neighbours[place(e.source)].push_back(place(e.target));
    neighbours[place(e.target)].push_back(place(e.source));
  }
  constexpr std::size_t none = ~std::size_t{0};
  std::vector<std::size_t> component_of(ids.size(), none);
  std::size_t largest = 0, most = 0;
  for (std::size_t start = 0; start < ids.size(); ++start) {
    if (component_of[start] != none) continue;
    std::vector<std::size_t> found{start};
    component_of[start] = start;
    for (std::size_t k = 0; k < found.size(); ++k) {
      for (const std::size_t to : neighbours[found[k]]) {
        if (std::exchange(component_of[to], start) == none) found.push_back(to);
      }
    }
    if (found.size() > most) largest = start;
    most = std::max(most, found.size());
  }
  if (most == ids.size()) return;
  const std::uint64_t id = external_id(input, ids[largest]);
  keep_edges(input, [&](std::uint64_t source) { return component_of[place(source)] == largest; });
  set_vertices_left(input, input.mine.edges.size(), ids.size(), id);
  if (input.named) number_anew(input);
}

}  // namespace

void change_input(input_edges& input, const input_changes& changes) {
  if (changes.transpose) transpose(input);
  if (changes.largest_component) keep_largest_component(input);
}

void change_serially(input_edges& input, const input_changes& changes) {
  if (changes.transpose) transpose(input);
  if (changes.largest_component) keep_largest_component_serially(input);
}

}  // namespace orujo::internal::graph
