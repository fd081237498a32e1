// The functions of orujo._core for components, communities, cores, triangles, cliques and similarities.
#include <cstdint>
#include <span>
#include <string>

#include "algorithms.hpp"
#include "bindings.hpp"

namespace orujo::internal::python {

void define_groups(nb::module_& m) {
  m.def("connected_components",
        [](const graph_handle& g) { return array_of(unlocked([&] { return connected_components(g); })); });
  m.def("strongly_connected_components", [](const graph_handle& g) {
    return array_of(unlocked([&] { return strongly_connected_components(g); }));
  });
  m.def("label_propagation", [](const graph_handle& g, int iterations, bool weighted) {
    return with_convergence(unlocked([&] { return label_propagation(g, iterations, weighted); }));
  });
  m.def("leiden", [](const graph_handle& g, bool louvain, bool potts, double resolution, std::uint64_t seed,
                     int iterations, int levels) {
    const community_request request{louvain, potts, resolution, seed, iterations, levels};
    const auto found = unlocked([&] { return leiden(g, request); });
    return nb::make_tuple(array_of(found.first), found.about);
  });
  m.def("k_core", [](const graph_handle& g, bool weighted) {
    return weighted ? array_of(unlocked([&] { return weighted_k_core(g); }))
                    : array_of(unlocked([&] { return k_core(g); }));
  });
  m.def("maximal_independent_set", [](const graph_handle& g, std::uint64_t seed) {
    return array_of(unlocked([&] { return maximal_independent_set(g, seed); }));
  });
  m.def("coloring", [](const graph_handle& g) {
    const auto found = unlocked([&] { return coloring(g); });
    return nb::make_tuple(array_of(found.first), found.about);
  });
  m.def("triangles", [](const graph_handle& g, bool counts) {
    const auto found = unlocked([&] { return triangles(g, counts); });
    return nb::make_tuple(found.about, counts ? array_of(found.first) : nb::object(nb::none()));
  });
  m.def("cliques", [](const graph_handle& g, int size, bool counts) {
    const auto found = unlocked([&] { return cliques(g, size, counts); });
    return nb::make_tuple(found.about, counts ? array_of(found.first) : nb::object(nb::none()));
  });
  m.def("clustering", [](const graph_handle& g, bool weighted) {
    return array_of(unlocked([&] { return clustering(g, weighted); }));
  });
  m.def("condensation", [](const graph_handle& g) {
    const auto found = unlocked([&] { return condensation(g); });
    return nb::make_tuple(array_of(found.labels), columns_of(found.edges));
  });
  m.def("edge_support",
        [](const graph_handle& g) { return columns_of(unlocked([&] { return edge_support(g); })); });
  m.def("truss_numbers",
        [](const graph_handle& g) { return columns_of(unlocked([&] { return truss_numbers(g); })); });
  m.def("similarity", [](const graph_handle& g, const std::string& measure) {
    return columns_of(unlocked([&] { return similarity(g, measure); }));
  });
  using positions = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  m.def("pair_similarity", [](const graph_handle& g, const positions& sources, const positions& targets,
                              const std::string& measure) {
    const std::span from(sources.data(), sources.size()), to(targets.data(), targets.size());
    return array_of(unlocked([&] { return pair_similarity(g, from, to, measure); }));
  });
}

}  // namespace orujo::internal::python
