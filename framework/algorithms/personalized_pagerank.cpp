#include "framework/algorithms/personalized_pagerank.hpp"

#include "framework/gas/run.hpp"

namespace orujo::gas {

template run_report run(algorithms::personalized_pagerank&, graph::distributed_graph, const run_options&);

}  // namespace orujo::gas
