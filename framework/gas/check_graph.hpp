// Checks that a graph keeps its edges in the forms that a vertex program or an edge map traverses.
#pragma once

#include "framework/gas/members.hpp"
#include "framework/gas/program.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/kept_forms.hpp"
#include "framework/steps/direction.hpp"

namespace orujo::internal::gas::detail {

struct wanted_edges {
  graph::needed_forms forms;
  bool can_push;   // with rows of out-edges
  bool can_pull;   // false: a push is the only direction
  bool can_sweep;  // with rows of in-edges
};
template <vertex_program Program>
constexpr wanted_edges wanted_edges_of(bool on_several_locales) {
  constexpr bool scalar = scalar_program<Program>, searches = searching_program<Program>,
                 relaxes = relaxing_program<Program>;
  return {.forms = {.in_vectors = !scalar && !searches && !relaxes,
                    .in_rows = scalar || searches || (relaxes && on_several_locales),
                    .out_rows = searches || two_way_program<Program> || relaxes,
                    .in_arrays = !relaxes},
          .can_push = incremental_program<Program> || searches || incremental_scalar_program<Program>,
          .can_pull = !relaxes,
          .can_sweep = asynchronous_program<Program> && !relaxes};
}

// Any thread. Ends the job by fail() with `exit_status::usage` if a form is missing, and names what to load,
// or if the program does not run in this direction. Core 0 logs a warning if the program could push and the
// graph has no rows for it. Returns whether supersteps may push.
bool check_graph(const graph::locale_graph& g, const wanted_edges& wanted, steps::direction direction);

// Any thread. Ends the job likewise if the graph keeps no rows for an edge map in this direction. Returns
// whether edge maps can run in both directions.
bool check_rows(const graph::locale_graph& g, steps::direction direction);

}  // namespace orujo::internal::gas::detail
