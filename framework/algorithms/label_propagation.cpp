#include "framework/algorithms/label_propagation.hpp"

#include "framework/gas/run.hpp"

namespace orujo::internal::gas {

template run_report run(algorithms::label_propagation<std::uint32_t>&, graph::locale_graph&,
                        const run_options&);
template run_report run(algorithms::label_propagation<std::uint64_t>&, graph::locale_graph&,
                        const run_options&);
template run_report run(algorithms::label_propagation<std::uint32_t, true>&, graph::locale_graph&,
                        const run_options&);
template run_report run(algorithms::label_propagation<std::uint64_t, true>&, graph::locale_graph&,
                        const run_options&);

}  // namespace orujo::internal::gas
