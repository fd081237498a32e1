#include "framework/algorithms/hits.hpp"

#include "framework/gas/run.hpp"

namespace orujo::internal::gas {

template run_report run(algorithms::authority_step&, graph::distributed_graph, const run_options&);
template run_report run(algorithms::hub_step&, graph::distributed_graph, const run_options&);

}  // namespace orujo::internal::gas
