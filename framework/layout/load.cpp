#include "framework/layout/load.hpp"

#include "framework/layout/flags.hpp"

namespace orujo::layout {

result<graph::loaded_graph> load_from_flags(const graph::edge_forms& keep) {
  if (status deaf = check_order_flags(); !deaf.ok()) return deaf;
  if (orderer_from_flags() == nullptr) return graph::load_from_flags(keep);
  if (graph::partition_name() == "hash") {
    return status(
        exit_status::usage,
        "--partition=hash scatters the vertices, so that --layout has no effect: remove one of the two");
  }
  return graph::load_from_flags<&order_by_flags>(keep);
}

}  // namespace orujo::layout
