// Traverses the out-edges of a set of vertices: one step of a graph algorithm, as a function.
//
// After Shun, Blelloch, "Ligra", PPoPP 2013. The step pushes from the members of a small set and lets
// vertices pull from a large one (Beamer, Asanovic, Patterson, "Direction-Optimizing Breadth-First Search",
// SC 2012). The result of a push is a list, that of a pull a mask. Unlike Ligra's update, contributions are
// combined first, and each vertex is then visited once. So visitors need no atomic operations and run on any
// number of locales.
#pragma once

#include "framework/gas/edge_map_cascade.hpp"
#include "framework/gas/edge_map_step.hpp"
#include "framework/gas/visitor.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/edge_forms.hpp"
#include "framework/graph/vertex_set.hpp"
#include "framework/steps/direction.hpp"

namespace orujo::internal::gas {

using graph::vertex_set;

// The forms of edges that edge maps need, for load_from_flags(). Rows of in-edges suffice to pull; on one
// locale rows of out-edges suffice to push.
inline constexpr graph::edge_forms forms_for_maps{.in_vectors = false, .in_rows = true, .out_rows = true};

namespace detail {

// [task; suspends] Fills `to`, a set without members of the same graph as `from`.
template <class Visitor>
void go_along(graph::distributed_graph graph, const vertex_set& from, vertex_set& to, const Visitor& visitor,
              const edge_map_options& options) {
  edge_map_task task{graph, from.name(), to.name(), from.state(), options, {}, {}};
  if (options.out_of) {
    task.out_of = options.out_of->name();
    task.out_of_state = options.out_of->state();
    task.options.out_of = nullptr;  // the task travels
  }
  edge_map_outcome outcome;
  if (!goes_on_at_once<Visitor> && may_go_alone(task)) {
    outcome = edge_map_step<Visitor>(task, visitor).push_alone();
  } else {
    outcome = loops::combined_on_all_cores([task, visitor] {
      if constexpr (goes_on_at_once<Visitor>)
        return edge_map_cascade<Visitor>(task, visitor).run();
      else
        return edge_map_step<Visitor>(task, visitor).run();
    });
  }
  from.add_forms_of(outcome.from);
  to.set_state(outcome.to);
  if (options.out_of) {
    const set_size before = task.out_of_state.size, visited = outcome.to.size + outcome.left;
    options.out_of->set_state(
        {{before.vertices - visited.vertices, before.out_edges - visited.out_edges}, true, false});
  }
}

}  // namespace detail

// [task; suspends] Visits the out-neighbours of the members of `from`, and returns the set of those for which
// visit() returns true. The visitor is described above (visitor.hpp). On one locale the calling task handles
// small sets by itself. With an asynchronous visitor the map goes on from its result, and requires
// the rows of a push.
//
// `graph` is the graph of `from`, or its transpose (transposed()), to traverse in-edges; another graph is a
// misuse. A pull requires rows of in-edges, and a push rows of out-edges; on several locales a push requires
// both. The job ends with `exit_status::usage` if the graph has no such rows, or not those of the wanted
// direction.
template <class Visitor>
vertex_set edge_map(graph::distributed_graph graph, const vertex_set& from, const Visitor& visitor,
                    const edge_map_options& options = {}, const call_site& at = call_site::current()) {
  detail::check_sets(graph, from, options.out_of, at);
  if constexpr (detail::goes_on_at_once<Visitor>) detail::check_out_of(options.out_of, at);
  vertex_set to = vertex_set::none(from.graph());
  if constexpr (detail::check_visitor<Visitor>()) {
    if (!from.empty()) detail::go_along(graph, from, to, visitor, options);
  }
  return to;
}
// [task; suspends] As edge_map above, along the out-edges of the graph of `from`.
template <class Visitor>
vertex_set edge_map(const vertex_set& from, const Visitor& visitor, const edge_map_options& options = {},
                    const call_site& at = call_site::current()) {
  return edge_map(from.graph(), from, visitor, options, at);
}

}  // namespace orujo::internal::gas
