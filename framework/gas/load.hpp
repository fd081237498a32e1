// Loads graphs in the forms that vertex programs traverse.
#pragma once

#include "framework/gas/check_graph.hpp"
#include "framework/gas/check_program.hpp"
#include "framework/graph/build/edges_in_memory.hpp"
#include "framework/graph/build/load.hpp"
#include "framework/graph/edge_forms.hpp"
#include "system/base/identity.hpp"

namespace orujo::internal::gas {

namespace detail {

template <class Program>
constexpr void add_forms_of(graph::edge_forms& forms, bool on_several_locales) {
  if constexpr (check_program<Program>()) {
    const wanted_edges wanted = wanted_edges_of<Program>(on_several_locales);
    forms.in_vectors |= wanted.forms.in_vectors;
    forms.in_rows |= wanted.forms.in_rows || wanted.can_sweep;
    forms.out_rows |= wanted.forms.out_rows || wanted.can_push;
    forms.arcs &= !wanted.forms.in_arrays;
  }
}

}  // namespace detail

// The forms of edges that run() needs for these vertex programs, and no others: forms_for<pagerank<float>>().
template <class... Programs>
constexpr graph::edge_forms forms_for(bool on_several_locales) {
  static_assert(sizeof...(Programs) > 0,
                "name the programs that are to run on the graph: forms_for<pagerank>()");
  graph::edge_forms forms{.in_vectors = false, .arcs = true};
  (detail::add_forms_of<Programs>(forms, on_several_locales), ...);
  return forms;
}
// The same for this job. Only programs with priority() need more on several locales.
template <class... Programs>
constexpr graph::edge_forms forms_for() {
  return forms_for<Programs...>((relaxing_program<Programs> || ...) && locales() > 1);
}

// [task at core 0; suspends] As load_from_flags() above, in the forms that these programs need, for example
// load_from_flags<pagerank<float>>().
template <class... Programs>
  requires(sizeof...(Programs) > 0)
result<graph::loaded_graph> load_from_flags() { return graph::load_from_flags(forms_for<Programs...>()); }
// [task at core 0; suspends] As load_graph() above, in the forms that these programs need.
template <class... Programs>
  requires(sizeof...(Programs) > 0)
result<graph::loaded_graph> load_graph(const graph::graph_request& request) {
  return graph::load_graph(request, forms_for<Programs...>());
}
// [task at core 0; suspends] As build_graph() above, in the forms that these programs need.
template <class... Programs>
  requires(sizeof...(Programs) > 0)
result<graph::loaded_graph> build_graph(const graph::edges_in_memory& edges,
                                        const call_site& at = call_site::current()) {
  return graph::build_graph(edges, forms_for<Programs...>(), at);
}

}  // namespace orujo::internal::gas
