#include "framework/graph/kept_forms.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "system/base/fatal.hpp"

namespace orujo::internal::graph {
namespace {

// Names the first form that the graph lacks; empty if it keeps all.
std::string_view lacking(const locale_graph& g, const needed_forms& needed) {
  if (needed.in_vectors && !g.keeps_in_vectors()) return "vectors of in-edges";
  const auto lacks = [&](bool asked, const std::shared_ptr<adjacency>& rows) {
    return asked && !(needed.in_arrays ? keeps_arrays(rows) : rows != nullptr);
  };
  if (lacks(needed.in_rows, g.in_rows))
    return needed.in_arrays ? "rows of in-edges in arrays" : "rows of in-edges";
  if (lacks(needed.out_rows, g.out_rows))
    return needed.in_arrays ? "rows of out-edges in arrays" : "rows of out-edges";
  return {};
}

// Members of edge_forms.
std::string names_of(const needed_forms& needed) {
  std::vector<std::string_view> members;
  if (needed.in_vectors) members.push_back("in_vectors");
  if (needed.in_rows) members.push_back("in_rows");
  if (needed.out_rows) members.push_back("out_rows");
  const bool no_arcs = needed.in_arrays && (needed.in_rows || needed.out_rows);
  return fmt::format("edge_forms.{}{}", fmt::join(members, " and "), no_arcs ? ", without arcs" : "");
}

}  // namespace

bool keeps_arrays(const std::shared_ptr<adjacency>& rows) { return rows && rows->arcs.size() == 0; }

const locale_graph& require_forms(const locale_graph& g, const needed_forms& needed, std::string_view who,
                                  std::string_view load_by) {
  if (const std::string_view what = lacking(g, needed); !what.empty())
    base::fail(
        exit_status::usage,
        fmt::format("{} the graph keeps no {}: load it {}with {}{}", who, what, load_by, names_of(needed),
                    g.placement == edge_placement::grid ? ", and without --placement=grid" : ""));
  return g;
}

}  // namespace orujo::internal::graph
