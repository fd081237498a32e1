// The rows that searches along out-edges go over.
#pragma once

#include <string>
#include <string_view>

#include "framework/graph/distributed_graph.hpp"
#include "system/base/fatal.hpp"

namespace orujo::algorithms {

// Any thread. Ends the job with status 2 where the graph was loaded without; `what` wants them.
inline const graph::adjacency& out_rows_of(const graph::locale_graph& g, std::string_view what) {
  if (!g.out_rows)
    fail(exit_status::usage,
         std::string(what) + ": the graph keeps no rows of out-edges: load it with edge_forms.out_rows");
  return *g.out_rows;
}

}  // namespace orujo::algorithms
