#include "framework/algorithms/pagerank.hpp"

#include "framework/gas/run.hpp"

namespace orujo::gas {

template run_report run(algorithms::pagerank<float>&, graph::locale_graph&, const run_options&);
template run_report run(algorithms::pagerank<double>&, graph::locale_graph&, const run_options&);

}  // namespace orujo::gas
