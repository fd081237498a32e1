// The functions of orujo._core for searches, shortest paths, spanning forests, walks and samples of
// neighbours.
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms.hpp"
#include "bindings.hpp"

namespace orujo::internal::python {

void define_paths(nb::module_& m) {
  m.def(
      "bfs",
      [](const graph_handle& g, const nb::object& source) {
        const vertex_key from = key_of(source);
        const auto found = unlocked([&] { return bfs(g, from); });
        return nb::make_tuple(array_of(found.first), array_of(found.second));
      },
      nb::arg(), nb::arg().none());
  m.def(
      "sssp",
      [](const graph_handle& g, const nb::object& source, double delta) {
        const vertex_key from = key_of(source);
        return array_of(unlocked([&] { return sssp(g, from, delta); }));
      },
      nb::arg(), nb::arg().none(), nb::arg());
  m.def("dag_levels", [](const graph_handle& g) {
    const auto found = unlocked([&] { return dag_levels(g); });
    return nb::make_tuple(array_of(found.first), found.about);
  });
  m.def("minimum_spanning_forest", [](const graph_handle& g) {
    return columns_of(unlocked([&] { return minimum_spanning_forest(g); }));
  });
  using codes = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  m.def("random_walks", [](const graph_handle& g, std::uint64_t num_walks, std::uint32_t walk_length,
                           double p, double q, bool weighted, std::uint64_t seed, const codes& types,
                           const std::vector<std::uint32_t>& metapath, bool timed) {
    const walk_request request{
        num_walks, walk_length, p, q, weighted, seed, {types.data(), types.data() + types.size()},
        metapath,  timed};
    return array_of(unlocked([&] { return random_walks(g, request); }));
  });
  m.def("neighbor_sample",
        [](const graph_handle& g, const nb::iterable& seeds, const std::vector<std::int64_t>& fanouts,
           bool replace, bool in_edges, std::uint64_t seed, std::optional<double> until, bool latest) {
          const sample_request request{keys_of(seeds), fanouts, replace, in_edges, seed, until, latest};
          const found_sample found = unlocked([&] { return neighbor_sample(g, request); });
          return nb::make_tuple(array_of(found.node), array_of(found.row), array_of(found.col),
                                array_of(found.edge), found.nodes_of_layer, found.edges_of_layer);
        });
}

}  // namespace orujo::internal::python
