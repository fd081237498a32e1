// The class Graph of orujo._core, and the functions that make graphs and read their parts.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "graph.hpp"
#include "text.hpp"

namespace orujo::internal::python {

using namespace nb::literals;

namespace {

using any_array = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;

column column_of(const any_array& array, const char* what) {
  using type = column::type;
  const nb::dlpack::dtype t = array.dtype();
  column made{array.data(), array.shape(0), array.stride(0), type::int64};
  const auto is = [&](nb::dlpack::dtype_code code, int bits) {
    return t.code == static_cast<std::uint8_t>(code) && t.bits == bits && t.lanes == 1;
  };
  using code = nb::dlpack::dtype_code;
  const std::pair<std::pair<code, int>, type> known[] = {
      {{code::Int, 8}, type::int8},      {{code::Int, 16}, type::int16},   {{code::Int, 32}, type::int32},
      {{code::Int, 64}, type::int64},    {{code::UInt, 8}, type::uint8},   {{code::UInt, 16}, type::uint16},
      {{code::UInt, 32}, type::uint32},  {{code::UInt, 64}, type::uint64}, {{code::Float, 32}, type::float32},
      {{code::Float, 64}, type::float64}};
  for (const auto& [its, as] : known) {
    if (!is(its.first, its.second)) continue;
    made.of = as;
    if (std::string(what) == "weights" || its.first != code::Float) return made;
  }
  throw nb::type_error((std::string(what) + ": expected an array of " +
                        (std::string(what) == "weights" ? "numbers" : "whole numbers"))
                           .c_str());
}

// A request of a file or generator, and the call of Graph() as processes compare it.
struct file_request {
  graph::graph_request what;
  call as_called{"Graph"};
};

// Sets the request's member for a keyword argument, if the argument is given.
template <class T>
void take(const nb::dict& from, const char* name, T& to) {
  if (!from.contains(name)) return;
  const nb::object given = from[name];
  constexpr bool is_text = std::is_same_v<T, std::string>;
  if (is_text ? nb::isinstance<nb::str>(given) || nb::isinstance<nb::bytes>(given)
              : nb::try_cast(given, to)) {
    if constexpr (is_text) to = bytes_of(given);
    return;
  }
  const char* const expected = is_text                  ? "a string"
                               : std::is_same_v<T, int> ? "a whole number"
                                                        : "True or False";
  throw nb::type_error(
      (std::string(name) + "=" + bytes_of(nb::repr(given)) + ": must be " + expected).c_str());
}

file_request request_of(const nb::dict& from) {
  file_request made;
  graph::graph_request& r = made.what;
  const auto read = [&](const char* name, auto& to) {
    take(from, name, to);
    made.as_called.with(name, to);
  };
  read("data", from.contains("generated") ? r.generate : r.graph);
  read("format", r.format);
  read("names", r.names);
  read("header", r.header);
  read("separator", r.separator);
  read("source_column", r.source_column);
  read("target_column", r.target_column);
  read("weight_column", r.weight_column);
  read("time_column", r.time_column);
  read("bipartite", r.bipartite);
  read("graph500_scale", r.graph500_scale);
  read("strict", r.strict);
  read("ignore_weights", r.ignore_weights);
  read("transpose", r.transpose);
  read("largest_component", r.largest_component);
  read("symmetrize", r.symmetrize);
  read("remove_self_loops", r.remove_self_loops);
  read("remove_duplicates", r.remove_duplicates);
  read("keep_weight", r.keep_weight);
  read("partition", r.partition);
  r.partition_chosen = from.contains("partition");
  return made;
}

}  // namespace

void define_graph(nb::module_& m) {
  nb::class_<graph_handle>(m, "Graph")
      .def_prop_ro("vertices", [](const graph_handle& g) { return g.facts().vertices; })
      .def_prop_ro("edges", [](const graph_handle& g) { return g.facts().edges; })
      .def_prop_ro("weighted", [](const graph_handle& g) { return g.facts().weighted; })
      .def_prop_ro("symmetric", [](const graph_handle& g) { return g.facts().symmetric; })
      .def_prop_ro("named", [](const graph_handle& g) { return g.facts().named; })
      .def_prop_ro("positions", [](const graph_handle& g) { return g.facts().positions; })
      .def_prop_ro("bytes", [](const graph_handle& g) { return g.facts().bytes; })
      .def_prop_ro("seconds", [](const graph_handle& g) { return g.facts().seconds; })
      .def_prop_ro("source", [](const graph_handle& g) { return str_of(g.facts().source); })
      .def_prop_ro("format", [](const graph_handle& g) { return g.facts().format; });
  m.def("load", [](const nb::dict& request, const nb::list& keep) {
    const file_request asked = request_of(request);
    const std::vector<std::string> kept_for = texts_of(keep);
    return unlocked([&] { return load(asked.what, asked.as_called, kept_for); });
  });
  m.def(
      "build",
      [](const any_array& sources, const any_array& targets, const std::optional<any_array>& weights,
         std::optional<std::uint64_t> vertices, bool sparse, bool symmetrize, bool remove_self_loops,
         bool remove_duplicates, const nb::str& keep_weight, bool parts, const nb::list& keep) {
        edge_columns edges{column_of(sources, "sources"), column_of(targets, "targets"), {}};
        if (weights) edges.weights = column_of(*weights, "weights");
        const columns_request request{
            vertices, !sparse, symmetrize, remove_self_loops, remove_duplicates, bytes_of(keep_weight),
            parts};
        const std::vector<std::string> kept_for = texts_of(keep);
        return unlocked([&] { return build(edges, request, kept_for); });
      },
      "sources"_a, "targets"_a, "weights"_a.none(), "vertices"_a.none(), "sparse"_a, "symmetrize"_a,
      "remove_self_loops"_a, "remove_duplicates"_a, "keep_weight"_a, "parts"_a, "keep"_a);
  m.def("ids", [](const graph_handle& g) { return array_of(unlocked([&] { return ids_of(g); })); });
  m.def("names", [](const graph_handle& g) {
    nb::list all;
    for (const std::string& name : unlocked([&] { return names_of(g); })) all.append(str_of(name));
    return all;
  });
  m.def("edges", [](const graph_handle& g) {
    const edge_values found = unlocked([&] { return edges_of(g); });
    const nb::object weights = g.facts().weighted ? array_of(found.weights) : nb::object(nb::none());
    return nb::make_tuple(array_of(found.sources), array_of(found.targets), weights);
  });
  m.def("out_degrees",
        [](const graph_handle& g) { return array_of(unlocked([&] { return out_degrees_of(g); })); });
}

}  // namespace orujo::internal::python
