// The task of an edge map (edge_map.hpp), and the choice of its direction.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "framework/exchange/codecs/selection.hpp"
#include "framework/gas/check_graph.hpp"
#include "framework/gas/edge_map_arena.hpp"
#include "framework/graph/bit_set.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/vertex_set.hpp"
#include "framework/steps/direction.hpp"
#include "framework/vectors/edge_loops.hpp"
#include "system/base/identity.hpp"
#include "system/machine/isa.hpp"

namespace orujo::internal::gas {

using graph::source, graph::vertex, graph::vertex_set;

// How an edge map runs: the direction, the pull loop, and the set that visits are restricted to.
struct edge_map_options {
  steps::direction_options direction = {};
  vectors::edge_loop_options edges = {};  // how the cores of a locale share a pull
  machine::instruction_set simd = machine::simd_from_flags();
  exchange::codec_options codec = exchange::codec_options_from_flags();
  // If given, only members of this set are visited, and those for which visit() returns true leave it, as in
  // a search. Costs about as much as the same test in wants(). The set is of the graph of `from`, and not
  // `from`. Asynchronous visitors require it.
  vertex_set* out_of = nullptr;
};

namespace detail {

// These are in vertex_set.hpp.
using graph::vertex_at;
using graph::detail::check_out_of;
using graph::detail::check_sets;
using graph::detail::for_each_of_mine;
using graph::detail::make_lists;
using graph::detail::make_mask;
using graph::detail::my_words;
using graph::detail::own_bits;
using graph::detail::set_list;
using graph::detail::set_name;
using graph::detail::set_part;
using graph::detail::set_size;
using graph::detail::set_state;
using graph::detail::size_of_word;

struct edge_map_task {
  graph::distributed_graph graph;
  set_name from, to;
  set_state state;  // of from
  edge_map_options options;
  std::optional<set_name> out_of;
  set_state out_of_state;
};
struct edge_map_outcome {
  set_state from, to;
  set_size left = {};  // members of `from` that have left out_of, if the visitor is asynchronous
  // Adds the sizes of the cores' parts.
  friend edge_map_outcome operator+(edge_map_outcome a, const edge_map_outcome& b) {
    a.to.size = a.to.size + b.to.size;
    a.left = a.left + b.left;
    return a;
  }
};

// True if the step pushes, given the size of the set. Where visits are restricted to a set with fewer edges,
// a pull looks at these and at the words of masks. `from` counts as taken out of it: that is so where
// visitors are asynchronous, and hardly matters else.
inline bool pushes(const graph::locale_graph& g, const edge_map_task& task, const set_size& from) {
  const steps::direction_options& options = task.options.direction;
  if (!check_rows(g, options.wanted)) return g.out_rows != nullptr;
  if (task.out_of && g.both_ways && options.wanted == steps::direction::automatic) {
    constexpr std::uint64_t words_of_masks = 4;  // for each vertex that a word of the mask has room for
    const std::uint64_t of_rest = task.out_of_state.size.out_edges,
                        rest = of_rest - std::min(of_rest, from.out_edges);
    if (steps::pull_looks_at_less(1, from.out_edges,
                                  rest + words_of_masks * graph::bit_set::words_for(g.vertices)))
      return false;
  }
  return steps::choose_direction(options, from.vertices + from.out_edges, g.edges) == steps::direction::push;
}

// True if the calling task handles the set by itself.
inline bool may_go_alone(const edge_map_task& task) {
  const set_size& size = task.state.size;
  return graph::one_core_is_faster(size.vertices + size.out_edges) && task.state.has_lists &&
         &task.graph.here() == &task.from.graph.here() && (!task.out_of || task.out_of_state.has_mask) &&
         pushes(task.graph.here(), task, size);
}

}  // namespace detail
}  // namespace orujo::internal::gas
