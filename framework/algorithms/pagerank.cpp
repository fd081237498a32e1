#include "framework/algorithms/pagerank.hpp"

#include "framework/device/serial.hpp"
#include "framework/gas/device_runner.hpp"
#include "framework/gas/run.hpp"

namespace orujo::internal::gas {

template struct runs_on<algorithms::pagerank<float>, device::serial>;
template struct runs_on<algorithms::pagerank<double>, device::serial>;
template run_report run(algorithms::pagerank<float>&, graph::locale_graph&, const run_options&);
template run_report run(algorithms::pagerank<double>&, graph::locale_graph&, const run_options&);

}  // namespace orujo::internal::gas
