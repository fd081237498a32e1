#include "framework/algorithms/weighted_core_numbers.hpp"

#include "framework/gas/run.hpp"

namespace orujo::internal::gas {

template run_report run(algorithms::weighted_core_numbers&, graph::locale_graph&, const run_options&);

}  // namespace orujo::internal::gas
