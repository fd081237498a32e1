#include "framework/graph/distributed_graph.hpp"

#include "system/loops/forall.hpp"

namespace orujo::graph {

void distributed_graph::destroy() const {
  loops::on_all_cores([parts = parts_] { parts.erase_here(); });
}

}  // namespace orujo::graph
