// The functions of orujo._core for centralities.
#include <cstdint>

#include "algorithms.hpp"
#include "bindings.hpp"

namespace orujo::internal::python {

void define_centralities(nb::module_& m) {
  m.def("pagerank", [](const graph_handle& g, double damping, double tolerance, int iterations,
                       int max_iterations, bool redistribute, bool single, bool weighted) {
    const pagerank_request request{damping, tolerance, iterations, max_iterations, redistribute, weighted};
    if (single) return with_convergence(unlocked([&] { return pagerank<float>(g, request); }));
    return with_convergence(unlocked([&] { return pagerank<double>(g, request); }));
  });
  m.def("personalized_pagerank",
        [](const graph_handle& g, const nb::iterable& sources, const std::vector<double>& shares,
           double damping, double tolerance, int max_iterations, bool weighted) {
          const auto from = keys_of(sources);
          const personalized_request request{damping, tolerance, max_iterations, weighted};
          return with_convergence(unlocked([&] { return personalized_pagerank(g, from, shares, request); }));
        });
  m.def("personalized_pageranks", [](const graph_handle& g, const nb::iterable& sources, double damping,
                                     double tolerance, int max_iterations, bool weighted) {
    const auto from = keys_of(sources);
    const personalized_request request{damping, tolerance, max_iterations, weighted};
    const auto found = unlocked([&] { return personalized_pageranks(g, from, request); });
    nb::list columns;
    for (const values<double>& column : found.columns) columns.append(array_of(column));
    return nb::make_tuple(columns, told(found.about));
  });
  m.def("hits", [](const graph_handle& g, double tolerance, int max_iterations) {
    const auto found = unlocked([&] { return hits(g, tolerance, max_iterations); });
    return nb::make_tuple(array_of(found.first), array_of(found.second), told(found.about));
  });
  m.def("katz_centrality", [](const graph_handle& g, double alpha, double beta, bool normalized,
                              double tolerance, int max_iterations) {
    return with_convergence(
        unlocked([&] { return katz_centrality(g, alpha, beta, normalized, tolerance, max_iterations); }));
  });
  m.def("eigenvector_centrality", [](const graph_handle& g, double tolerance, int max_iterations) {
    return with_convergence(unlocked([&] { return eigenvector_centrality(g, tolerance, max_iterations); }));
  });
  m.def("betweenness_centrality", [](const graph_handle& g, const nb::iterable& sources, bool weighted) {
    const auto from = keys_of(sources);
    return array_of(unlocked([&] { return betweenness_centrality(g, from, weighted); }));
  });
  m.def("edge_betweenness_centrality", [](const graph_handle& g, const nb::iterable& sources, bool weighted) {
    const auto from = keys_of(sources);
    return columns_of(unlocked([&] { return edge_betweenness_centrality(g, from, weighted); }));
  });
  m.def("closeness", [](const graph_handle& g, bool harmonic, bool wf_improved, std::uint64_t samples,
                        std::uint64_t seed) {
    return array_of(unlocked([&] { return closeness(g, {harmonic, wf_improved, samples, seed}); }));
  });
  m.def("eccentricity", [](const graph_handle& g, const nb::iterable& sources) {
    const auto from = keys_of(sources);
    const auto found = unlocked([&] { return eccentricity(g, from); });
    return nb::make_tuple(found.about, array_of(found.first));
  });
}

}  // namespace orujo::internal::python
