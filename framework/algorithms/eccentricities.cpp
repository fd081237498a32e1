#include "framework/algorithms/eccentricities.hpp"

#include "framework/gas/run.hpp"

namespace orujo::internal::gas {

template run_report run(algorithms::eccentricities&, graph::distributed_graph, const run_options&);

}  // namespace orujo::internal::gas
