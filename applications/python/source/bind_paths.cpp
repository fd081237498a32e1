// The functions of orujo._core for searches, shortest paths and spanning forests.
#include <cstdint>

#include "algorithms.hpp"
#include "bindings.hpp"

namespace orujo::python {

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
}

}  // namespace orujo::python
