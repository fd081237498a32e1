#include "framework/algorithms/maximal_independent_set.hpp"

#include "framework/gas/run.hpp"

namespace orujo::gas {

template run_report run(algorithms::maximal_independent_set&, graph::distributed_graph, const run_options&);

}  // namespace orujo::gas
