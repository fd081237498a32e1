#include "framework/algorithms/weighted_clustering.hpp"

#include <chrono>

#include "framework/algorithms/triangle_intensities.hpp"
#include "framework/graph/kept_forms.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::algorithms {

clustering_report weighted_clustering(graph::distributed_graph graph, graph::property<double> coefficients) {
  graph::require_forms(graph.here(), {.out_rows = true}, "weighted_clustering:");
  coefficients.require_graph(graph.here());
  const auto begin = std::chrono::steady_clock::now();
  clustering_report report;
  report.triangles = loops::on_all_cores([=] {
    const graph::locale_graph& g = graph.here();
    detail::triangle_intensities found(g, g.vertices > std::uint64_t{1} << 32);
    const std::uint64_t triangles = found.run();
    for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
      const auto degree = static_cast<double>(found.neighbours_of(v));
      coefficients.here()[v] = degree < 2 ? 0 : 2 * found.sum_of(v) / (degree * (degree - 1));
    }
    return triangles;
  });
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

}  // namespace orujo::internal::algorithms
