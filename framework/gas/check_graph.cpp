#include "framework/gas/check_graph.hpp"

#include <glog/logging.h>

#include <string>

#include "system/base/fatal.hpp"
#include "system/base/identity.hpp"

namespace orujo::gas::detail {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& form) {
  fail(exit_status::usage,
       "gas::run: " + what + ": load it by gas::load_from_flags<Program>(), or with " + form);
}
[[noreturn]] void refuse_map(const std::string& wants) {
  fail(exit_status::usage,
       "gas::edge_map: " + wants + ", and the graph keeps none in arrays: load it with gas::forms_for_maps");
}

bool keeps_arrays(const std::shared_ptr<graph::adjacency>& rows) { return rows && rows->arcs.size() == 0; }

}  // namespace

bool keeps_in_rows(const graph::locale_graph& g) { return keeps_arrays(g.in_rows); }

bool check_graph(const graph::locale_graph& g, const wanted_edges& wanted, engine::direction direction) {
  if (wanted.in_vectors && !g.keeps_in_vectors())
    refuse("the program runs on the vector engine, and the graph keeps no vectors of in-edges",
           "edge_forms.in_vectors");
  if (wanted.in_rows && !keeps_arrays(g.in_rows))
    refuse("the program goes from vertex to vertex, and the graph keeps no rows of in-edges in arrays",
           "edge_forms.in_rows and without arcs");
  if (wanted.out_rows && !keeps_arrays(g.out_rows))
    refuse("the program goes along out-edges, and the graph keeps no rows of out-edges in arrays",
           "edge_forms.out_rows and without arcs");
  if (direction == engine::direction::push && !wanted.can_push)
    fail(exit_status::usage, "gas::run: only incremental programs can be pushed: choose another direction");
  if (!wanted.can_push || direction == engine::direction::pull) return false;
  if (keeps_arrays(g.out_rows)) return true;
  if (direction == engine::direction::push)
    refuse("the program is to be pushed, and the graph keeps no rows of out-edges in arrays",
           "edge_forms.out_rows and without arcs");
  LOG_IF(WARNING, my_core() == 0)
      << "an incremental program is pulled in every superstep, as the graph keeps no rows "
         "of out-edges in arrays: load it by gas::load_from_flags<Program>()";
  return false;
}

bool check_rows(const graph::locale_graph& g, engine::direction direction) {
  const bool can_push = keeps_arrays(g.out_rows), can_pull = keeps_arrays(g.in_rows);
  if (direction == engine::direction::push && !can_push) refuse_map("a push wants rows of out-edges");
  if (direction == engine::direction::pull && !can_pull) refuse_map("a pull wants rows of in-edges");
  if (!can_push && !can_pull) refuse_map("edge maps want rows of out-edges, of in-edges or both");
  return can_push && can_pull;
}

}  // namespace orujo::gas::detail
