#include "framework/layout/flags.hpp"

#include <gflags/gflags.h>

#include "system/base/flags.hpp"

static const orujo::internal::base::everyday_flags everyday_of_layouts{"layout"};

DEFINE_string(
    layout, "auto",
    "order of the vertices in memory: none (that of the ids), random, degree, hub_cluster, bfs, dfs, "
    "hierarchical, community, or auto (that of a file that has one, degree where it pays, or else none)");
DEFINE_string(layout_levels, "auto",
              "sizes of the blocks of --layout=hierarchical in bytes, ascending, such as "
              "64,1024,4096,2097152; auto: this machine's cache line, 1024, page and huge page");
DEFINE_uint32(layout_vertex_bytes, 4, "size of a vertex's value in bytes, for --layout=hierarchical");
DEFINE_uint64(layout_seed, 1, "seed of --layout=random");

namespace orujo::internal::layout {
namespace {

const flag_rule layout_rule(
    "layout", [] { return find_order(FLAGS_layout).has_value(); },
    "none, random, degree, hub_cluster, bfs, dfs, hierarchical, community or auto");
const flag_rule levels_rule(
    "layout_levels", [] { return parse_levels(FLAGS_layout_levels).has_value(); },
    "auto, or up to 16 sizes, each a multiple of the one before");
const flag_rule vertex_bytes_rule(
    "layout_vertex_bytes",
    [] { return FLAGS_layout_vertex_bytes >= 1 && FLAGS_layout_vertex_bytes <= 65536; }, "from 1 to 65536");

}  // namespace

order_request request_from_flags() {
  return {find_order(FLAGS_layout).value(), parse_levels(FLAGS_layout_levels).value(),
          FLAGS_layout_vertex_bytes, FLAGS_layout_seed};
}

status check_order_flags() {
  const order_kind kind = find_order(FLAGS_layout).value();
  status deaf;
  if (kind != order_kind::random) deaf = base::refuse_without_effect({"layout_seed"}, "with --layout=random");
  if (deaf.ok() && kind != order_kind::hierarchical)
    deaf =
        base::refuse_without_effect({"layout_levels", "layout_vertex_bytes"}, "with --layout=hierarchical");
  return deaf;
}

result<graph::vertex_order> order_by_flags(const graph::input_edges& input, std::uint64_t vertices,
                                           const graph::build_options&) {
  return order_vertices(input, vertices, request_from_flags());
}

graph::vertex_orderer orderer_from_flags() {
  const bool by_build = FLAGS_layout == "auto" || FLAGS_layout == "none" || FLAGS_layout == "degree";
  return by_build ? nullptr : &order_by_flags;
}

bool requests_order() { return FLAGS_layout != "auto" && FLAGS_layout != "none"; }

graph::edge_forms in_order_of_flags(graph::edge_forms keep) {
  if (FLAGS_layout == "none") keep.order = graph::requested_order::of_ids;
  if (FLAGS_layout == "degree") keep.order = graph::requested_order::by_degree;
  return keep;
}

}  // namespace orujo::internal::layout
