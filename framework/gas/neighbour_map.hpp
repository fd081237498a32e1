// Shows every vertex what its in-neighbours show: one step of a graph algorithm, as a function. For steps
// that are no edge map, because they look at all in-neighbours at once.
#pragma once

#include <type_traits>

#include "framework/gas/program.hpp"
#include "framework/gas/run.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"
#include "framework/graph/vertex_set.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::gas {

namespace detail {

template <class Show>
using shown_by = std::decay_t<std::invoke_result_t<const Show&, const vertex&>>;

// One superstep of it is a neighbour map.
template <class Show, class Look>
struct look_around {
  using value = shown_by<Show>;
  using accumulator = char;
  using aggregate = nothing;
  const Show& show;
  const Look& look;

  value start(const vertex& v, aggregate&) { return show(v); }
  accumulator collect(const vertex& v, const value& own, const neighbours<value>& in) const {
    look(v, own, in);
    return 0;
  }
  bool apply(const vertex&, const accumulator&, value&, aggregate&) { return false; }
};

// [task; suspends; collective over the job]
template <class Show, class Look>
void look_around_here(graph::locale_graph& g, const Show& show, const Look& look) {
  messages::check_travels<Show>();
  static_assert(std::is_trivially_copyable_v<shown_by<Show>>,
                "show(vertex) returns a trivially copyable value, as it travels");
  look_around<Show, Look> step{show, look};
  run(step, g, {.most_supersteps = 1, .checkpoints = false});
}

}  // namespace detail

// [task; suspends] Calls look(v, own, in) for every vertex, at a core of its locale. `own` is what show(v)
// returned. `in` has what show returned for the in-neighbours, with the weights of the edges (program.hpp).
//   neighbour_map(graph, [=](const vertex& v) { return rank[v]; },
//                 [=](const vertex& v, float own, const neighbours<float>& in) { ... });
//
// Every vertex has shown before the first look. Both closures have to be able to travel, and must not
// suspend. look may change properties, also those that show reads. It may start asynchronous operations.
// in_neighbours(v) has the numbers of the same vertices in the same order.
//
// Costs a value for each mirror, and a pass over all edges. The job ends with `exit_status::usage` if the
// graph keeps no rows of in-edges.
template <class Show, class Look>
void neighbour_map(graph::distributed_graph graph, const Show& show, const Look& look) {
  messages::check_travels<Look>();
  loops::on_all_cores([=] { detail::look_around_here(graph.here(), show, look); });
}
// [task; suspends] As neighbour_map above, for what a property of the graph holds.
template <class T, class Look>
void neighbour_map(graph::distributed_graph graph, property<T> shown, const Look& look,
                   const call_site& at = call_site::current()) {
  shown.require_graph(graph.here(), at);
  neighbour_map(
      graph, [shown](const vertex& v) { return shown[v]; }, look);
}
// [task; suspends] As neighbour_map above, but calls look for the members of a set only. All vertices show.
template <class Show, class Look>
void neighbour_map(const graph::vertex_set& set, const Show& show, const Look& look) {
  messages::check_travels<Look>();
  if (set.empty()) return;
  loops::on_all_cores([=, name = set.name(), state = set.state()] {
    graph::locale_graph& g = name.graph.here();
    const graph::bit_set& members = name.here().mask;
    graph::detail::make_mask(g, name.here(), state);
    detail::look_around_here(g, show, [&](const vertex& v, const auto& own, const auto& in) {
      if (members.test(v.local)) look(v, own, in);
    });
  });
  set.add_forms_of({{}, true, false});
}

}  // namespace orujo::internal::gas
