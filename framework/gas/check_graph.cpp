#include "framework/gas/check_graph.hpp"

#include <glog/logging.h>

#include <string>

#include "system/base/fatal.hpp"
#include "system/base/identity.hpp"

namespace orujo::internal::gas::detail {
namespace {

using graph::keeps_arrays;

void require_for_run(const graph::locale_graph& g, const graph::needed_forms& needed, std::string_view why) {
  graph::require_forms(g, needed, "gas::run: " + std::string(why) + ", and",
                       "by gas::load_from_flags<Program>(), or ");
}
[[noreturn]] void refuse_map(const std::string& wants) {
  base::fail(exit_status::usage,
             "gas::edge_map: " + wants +
                 ", and the graph does not keep them in arrays: load it with gas::forms_for_maps");
}

std::string_view why_so(const wanted_edges& wanted) {
  if (!wanted.can_pull) return "a program with priority() pushes";
  return wanted.forms.in_vectors ? "the program runs on the vector engine"
                                 : "the program goes from vertex to vertex";
}

}  // namespace

bool check_graph(const graph::locale_graph& g, const wanted_edges& wanted, steps::direction direction) {
  require_for_run(g, wanted.forms, why_so(wanted));
  if (direction == steps::direction::push && !wanted.can_push)
    base::fail(exit_status::usage,
               "gas::run: only incremental programs can be pushed: choose another direction");
  if (direction == steps::direction::pull && !wanted.can_pull)
    base::fail(exit_status::usage, "gas::run: programs with priority() push: choose another direction");
  if (!wanted.can_pull) return true;
  if (!wanted.can_push || direction == steps::direction::pull) return false;
  if (keeps_arrays(g.out_rows)) return true;
  if (direction == steps::direction::push)
    require_for_run(g, {.out_rows = true}, "the program is to be pushed");
  LOG_IF(WARNING, my_core() == 0 && g.placement != graph::edge_placement::grid)
      << "an incremental program is pulled in every superstep, as the graph keeps no rows "
         "of out-edges in arrays: load it by gas::load_from_flags<Program>()";
  return false;
}

bool check_rows(const graph::locale_graph& g, steps::direction direction) {
  const bool can_pull = keeps_arrays(g.in_rows),
             can_push = keeps_arrays(g.out_rows) && (locales() == 1 || g.in_rows);
  if (direction == steps::direction::push && !can_push)
    refuse_map(locales() == 1 ? "a push requires rows of out-edges"
                              : "a push on several locales requires rows of both directions");
  if (direction == steps::direction::pull && !can_pull) refuse_map("a pull requires rows of in-edges");
  if (!can_push && !can_pull)
    refuse_map(locales() == 1
                   ? "edge maps require rows of out-edges, of in-edges or both"
                   : "edge maps on several locales require rows of in-edges, or of both directions");
  return can_push && can_pull;
}

}  // namespace orujo::internal::gas::detail
