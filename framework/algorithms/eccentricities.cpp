#include "framework/algorithms/eccentricities.hpp"

#include "framework/gas/run.hpp"

namespace orujo::gas {

template run_report run(algorithms::eccentricities&, graph::distributed_graph, const run_options&);

}  // namespace orujo::gas
