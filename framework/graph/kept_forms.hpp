// Whether a graph keeps its edges in the forms that an algorithm goes over.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "framework/graph/distributed_graph.hpp"

namespace orujo::graph {

// What an algorithm goes over. An algorithm that only goes over rows of out-edges asks for {.out_rows =
// true}.
struct needed_forms {
  bool in_vectors = false;
  bool in_rows = false, out_rows = false;
  bool in_arrays =
      true;  // rows have neighbours and weights apart; false: any form does (adjacency::any_form)
};

// Any thread. Whether there are rows whose neighbours and weights lie apart.
bool keeps_arrays(const std::shared_ptr<adjacency>& rows);

// Any thread; suspends nowhere. Returns g if it keeps these forms. Otherwise ends the job with
// exit_status::usage and a sentence that names what the graph lacks and all that it has to be loaded with:
//
//   core_numbers: the graph keeps no rows of out-edges in arrays: load it with edge_forms.out_rows, without
//   arcs
//
// who: the sentence up to "the graph". load_by: a way to load it right, up to "with".
const locale_graph& require_forms(const locale_graph& g, const needed_forms& needed, std::string_view who,
                                  std::string_view load_by = {});
inline locale_graph& require_forms(locale_graph& g, const needed_forms& needed, std::string_view who) {
  require_forms(std::as_const(g), needed, who);
  return g;
}

}  // namespace orujo::graph
