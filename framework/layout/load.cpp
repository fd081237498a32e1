#include "framework/layout/load.hpp"

#include "framework/layout/flags.hpp"

namespace orujo::layout {

result<graph::loaded_graph> load_from_flags(const graph::edge_forms& keep) {
  if (status deaf = check_order_flags(); !deaf.ok()) return deaf;
  const graph::edge_forms in_order = in_order_of_flags(keep);
  const bool by_function = orderer_from_flags() != nullptr;
  if (graph::partition_name() == "hash" &&
      (by_function || in_order.order == graph::requested_order::by_degree)) {
    return status(
        exit_status::usage,
        "--partition=hash scatters the vertices, so that --layout has no effect: remove one of the two");
  }
  return by_function ? graph::load_from_flags<&order_by_flags>(keep) : graph::load_from_flags(in_order);
}

}  // namespace orujo::layout
