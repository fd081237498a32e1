#include "framework/layout/load.hpp"

#include "framework/layout/flags.hpp"

namespace orujo::internal::layout {

result<graph::loaded_graph> load_from_flags(const graph::edge_forms& keep) {
  if (status deaf = check_order_flags(); !deaf.ok()) return deaf;
  if (graph::partition_name() == "hash" && requests_order()) {
    return status(
        exit_status::usage,
        "--partition=hash scatters the vertices, so that --layout has no effect: remove one of the two");
  }
  if (orderer_from_flags() != nullptr) return graph::load_from_flags<&order_by_flags>(keep);
  return graph::load_from_flags(in_order_of_flags(keep));
}

}  // namespace orujo::internal::layout
