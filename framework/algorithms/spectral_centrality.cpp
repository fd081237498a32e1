#include "framework/algorithms/spectral_centrality.hpp"

#include <algorithm>

#include "framework/gas/run.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::gas {

template run_report run(algorithms::katz_centrality&, graph::distributed_graph, property<double>,
                        const run_options&, const call_site&);
template run_report run(algorithms::eigenvector_centrality&, graph::distributed_graph, const run_options&);

}  // namespace orujo::internal::gas

namespace orujo::internal::algorithms {
namespace {

// The tolerance of all vertices together.
double tolerance_of_all(graph::distributed_graph graph, const spectral_options& options) {
  return options.tolerance * static_cast<double>(graph.here().vertices);
}

}  // namespace

spectral_report find_katz_centrality(graph::distributed_graph graph, graph::property<double> scores,
                                     const katz_options& katz, const spectral_options& options) {
  katz_centrality program{katz.alpha, katz.beta, tolerance_of_all(graph, options)};
  gas::run_options run = options.run;
  run.most_supersteps = options.most_iterations;
  const gas::run_report told = gas::run(program, graph, scores, run);
  if (katz.normalized && program.norm > 0) {
    loops::on_all_cores([=, norm = program.norm] {
      for (double& score : graph.here().my_part().of(scores.here())) score /= norm;
    });
  }
  return {told.supersteps, told.seconds, program.change, program.growth,
          program.change < program.tolerance || graph.here().vertices == 0};
}

spectral_report find_eigenvector_centrality(graph::distributed_graph graph, graph::property<double> scores,
                                            const spectral_options& options) {
  eigenvector_centrality program{scores, static_cast<double>(graph.here().vertices),
                                 tolerance_of_all(graph, options)};
  gas::run_options run = options.run;
  run.most_supersteps = options.most_iterations + 1;
  const gas::run_report told = gas::run(program, graph, run);
  return {std::max(0, told.supersteps - 1), told.seconds, program.change, 0,
          program.change < program.tolerance || graph.here().vertices == 0};
}

}  // namespace orujo::internal::algorithms
