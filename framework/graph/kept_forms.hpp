// The check that a graph keeps its edges in the forms that an algorithm traverses.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "framework/graph/distributed_graph.hpp"

namespace orujo::internal::graph {

// The forms that an algorithm traverses, such as {.out_rows = true}.
struct needed_forms {
  bool in_vectors = false;
  bool in_rows = false, out_rows = false;
  // Rows have neighbours and weights apart. If false, any form will do (adjacency::any_form).
  bool in_arrays = true;
};

// Any thread. True if there are rows, and their neighbours and weights lie apart.
bool keeps_arrays(const std::shared_ptr<adjacency>& rows);

// Any thread; never suspends. Returns g if it keeps these forms, and otherwise ends the job with
// `exit_status::usage`. The message names the missing forms and all forms to load:
//
//   core_numbers: the graph keeps no rows of in-edges: load it with edge_forms.in_rows and out_rows
//
// Here `who` is "core_numbers:". load_by goes before "with": another way to load the graph, such as
// "by load_from_flags<Program>(), or ".
const locale_graph& require_forms(const locale_graph& g, const needed_forms& needed, std::string_view who,
                                  std::string_view load_by = {});
inline locale_graph& require_forms(locale_graph& g, const needed_forms& needed, std::string_view who) {
  require_forms(std::as_const(g), needed, who);
  return g;
}

}  // namespace orujo::internal::graph
