// Goes along the out-edges of a set of vertices: one step of a graph algorithm, as a function.
//
// After Shun, Blelloch, "Ligra", PPoPP 2013: the step pushes from the members of a small set and lets
// vertices pull from a large one (Beamer, Asanovic, Patterson, "Direction-Optimizing Breadth-First Search",
// SC 2012), and makes of a small result a list, of a large one a mask. What is Ligra's update here is
// combined first and then visited, once per vertex: so visitors need no atomic operations and run on any
// number of locales.
#pragma once

#include "framework/engine/direction.hpp"
#include "framework/gas/edge_map_step.hpp"
#include "framework/gas/vertex_set.hpp"
#include "framework/gas/visitor.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/edge_forms.hpp"

namespace orujo::gas {

// In which forms a graph keeps its edges for edge maps. One form will do for one direction.
inline constexpr graph::edge_forms forms_for_maps{.in_vectors = false, .in_rows = true, .out_rows = true};

// [task; suspends] Visits the out-neighbours of the members of `from` as the visitor wants it (visitor.hpp);
// returns those of which visit() has returned true. On one locale the calling task goes through small sets
// alone.
//
// graph: the one of `from`, or its transpose (graph::transposed()), whose out-edges are the in-edges. Needs
// rows of out-edges to push and of in-edges to pull; ends the job with exit_status::usage where neither is
// there, or the wanted one is not.
template <class Visitor>
vertex_set edge_map(graph::distributed_graph graph, const vertex_set& from, const Visitor& visitor,
                    const edge_map_options& options = {}) {
  detail::check_visitor<Visitor>();
  vertex_set to = vertex_set::none(from.graph());
  if (from.empty()) return to;
  detail::edge_map_task task{graph, from.name(), to.name(), from.state(), options, {}, {}};
  if (options.out_of) {
    detail::check_out_of(from, *options.out_of);
    task.out_of = options.out_of->name();
    task.out_of_state = options.out_of->state();
    task.options.out_of = nullptr;  // the task travels
  }
  detail::edge_map_outcome outcome;
  if (detail::may_go_alone(task)) {
    outcome = detail::edge_map_step<Visitor>(task, visitor).push_alone();
  } else {
    outcome =
        loops::on_all_cores([task, visitor] { return detail::edge_map_step<Visitor>(task, visitor).run(); });
  }
  from.set_state(outcome.from);
  to.set_state(outcome.to);
  if (options.out_of) {
    const detail::set_size before = task.out_of_state.size, visited = outcome.to.size;
    options.out_of->set_state(
        {{before.vertices - visited.vertices, before.out_edges - visited.out_edges}, true, false});
  }
  return to;
}
template <class Visitor>
vertex_set edge_map(const vertex_set& from, const Visitor& visitor, const edge_map_options& options = {}) {
  return edge_map(from.graph(), from, visitor, options);
}

}  // namespace orujo::gas
