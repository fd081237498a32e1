// The module orujo._core, which the package's Python files call.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "algorithms.hpp"
#include "framework/device/selection.hpp"
#include "graph.hpp"
#include "job.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace orujo::python {
namespace {

// Shows the progress of a call that waits. Returns whether that or a signal's handler has thrown, as Ctrl-C's
// does. The exception stays until the call returns.
bool has_thrown_while_waiting() {
  const nb::gil_scoped_acquire locked;
  return PyErr_Occurred() != nullptr || PyErr_CheckSignals() != 0 || !show_progress();
}

PyObject* type_of(const job_error& e) {
  const std::string what = e.what();
  const auto says = [&what](const char* words) { return what.find(words) != std::string::npos; };
  switch (e.code()) {
    case exit_status::usage:
    case exit_status::bad_data:
      return PyExc_ValueError;
    case exit_status::no_input:
    case exit_status::io_error:
      if (says("No such file")) return PyExc_FileNotFoundError;
      if (says("ermission denied")) return PyExc_PermissionError;
      if (says("s a directory")) return PyExc_IsADirectoryError;
      return PyExc_OSError;
    case exit_status::no_resource:
      return PyExc_MemoryError;
    default:
      return PyExc_RuntimeError;
  }
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const job_error& e) {
    PyErr_SetObject(type_of(e), str_of(in_python_words(e.what())).ptr());
  }
}

// Number of threads that have released the interpreter's lock here. If such a thread took it back after the
// interpreter has ended, it would be ended inside C++ code.
std::atomic<int> threads_without_lock{0};
class without_lock {
 public:
  without_lock() {
    ++threads_without_lock;  // while it still has the lock
    released_.emplace();
  }
  ~without_lock() {
    released_.reset();
    --threads_without_lock;
    threads_without_lock.notify_all();
  }
  without_lock(const without_lock&) = delete;

 private:
  std::optional<nb::gil_scoped_release> released_;
};

// Throws the exception of a signal's handler.
void finish() {
  clear_progress();
  if (PyErr_Occurred()) throw nb::python_error();
}

// All calls end before the interpreter does.
void end() {
  if (!announce_end()) return;
  {
    const nb::gil_scoped_release without;
    for (int others; (others = threads_without_lock) > 0;) threads_without_lock.wait(others);
    stop();
  }
  finish();
}

// Runs f without the interpreter's lock; throws the exception of a signal's handler during f.
template <class F>
auto unlocked(const F& f) {
  require_no_end();
  try {
    if constexpr (std::is_void_v<decltype(f())>) {
      {
        const without_lock free;
        f();
      }
      finish();
    } else {
      auto found = [&] {
        const without_lock free;
        return f();
      }();
      finish();
      return found;
    }
  } catch (const job_error&) {
    finish();
    throw;
  }
}

template <class T>
nb::object array_of(const values<T>& found) {
  auto* const kept = new std::shared_ptr<T[]>(found.memory());
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::shared_ptr<T[]>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->get(), {found.size()}, owner));
}

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

vertex_key key_of(const nb::handle vertex) {
  if (nb::isinstance<nb::str>(vertex)) return {true, 0, bytes_of(vertex)};
  const nb::object index = nb::steal(PyNumber_Index(vertex.ptr()));
  if (!index.is_valid()) throw nb::python_error();
  std::uint64_t id = 0;
  if (!nb::try_cast(index, id)) throw nb::value_error("a vertex's id is from 0 to 2**64 - 1");
  return {false, id, {}};
}
std::vector<std::string> texts_of(const nb::list& all) {
  std::vector<std::string> texts;
  for (const nb::handle one : all) texts.push_back(bytes_of(one));
  return texts;
}
std::vector<vertex_key> keys_of(const nb::iterable vertices) {
  std::vector<vertex_key> keys;
  for (const nb::handle vertex : vertices) keys.push_back(key_of(vertex));
  return keys;
}

nb::dict told(const convergence& c) {
  nb::dict all;
  all["iterations"] = c.iterations;
  all["change"] = c.change;
  all["converged"] = c.converged;
  return all;
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

template <class Found>
nb::tuple with_convergence(const Found& found) {
  return nb::make_tuple(array_of(found.first), told(found.about));
}

template <class T>
nb::tuple columns_of(const found_edges<T>& found) {
  return nb::make_tuple(array_of(found.sources), array_of(found.targets), array_of(found.its_values));
}

void define_algorithms(nb::module_& m) {
  m.def("pagerank", [](const graph_handle& g, double damping, double tolerance, int iterations,
                       int max_iterations, bool redistribute, bool single) {
    const pagerank_request request{damping, tolerance, iterations, max_iterations, redistribute};
    if (single) return with_convergence(unlocked([&] { return pagerank<float>(g, request); }));
    return with_convergence(unlocked([&] { return pagerank<double>(g, request); }));
  });
  m.def(
      "personalized_pagerank",
      [](const graph_handle& g, const nb::object& source, double damping, double tolerance,
         int max_iterations) {
        const vertex_key from = key_of(source);
        return with_convergence(
            unlocked([&] { return personalized_pagerank(g, from, damping, tolerance, max_iterations); }));
      },
      nb::arg(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg());
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
  m.def("betweenness_centrality", [](const graph_handle& g, const nb::iterable& sources) {
    const auto from = keys_of(sources);
    return array_of(unlocked([&] { return betweenness_centrality(g, from); }));
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
  m.def("connected_components",
        [](const graph_handle& g) { return array_of(unlocked([&] { return connected_components(g); })); });
  m.def("strongly_connected_components", [](const graph_handle& g) {
    return array_of(unlocked([&] { return strongly_connected_components(g); }));
  });
  m.def("label_propagation", [](const graph_handle& g, int iterations) {
    return with_convergence(unlocked([&] { return label_propagation(g, iterations); }));
  });
  m.def("leiden", [](const graph_handle& g, bool louvain, bool potts, double resolution, std::uint64_t seed,
                     int iterations, int levels) {
    const community_request request{louvain, potts, resolution, seed, iterations, levels};
    const auto found = unlocked([&] { return leiden(g, request); });
    return nb::make_tuple(array_of(found.first), found.about);
  });
  m.def("k_core", [](const graph_handle& g) { return array_of(unlocked([&] { return k_core(g); })); });
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
  m.def("clustering",
        [](const graph_handle& g) { return array_of(unlocked([&] { return clustering(g); })); });
  m.def("condensation", [](const graph_handle& g) {
    const auto found = unlocked([&] { return condensation(g); });
    return nb::make_tuple(array_of(found.labels), columns_of(found.edges));
  });
  m.def("dag_levels", [](const graph_handle& g) {
    const auto found = unlocked([&] { return dag_levels(g); });
    return nb::make_tuple(array_of(found.first), found.about);
  });
  m.def("edge_support",
        [](const graph_handle& g) { return columns_of(unlocked([&] { return edge_support(g); })); });
  m.def("truss_numbers",
        [](const graph_handle& g) { return columns_of(unlocked([&] { return truss_numbers(g); })); });
  m.def("minimum_spanning_forest", [](const graph_handle& g) {
    return columns_of(unlocked([&] { return minimum_spanning_forest(g); }));
  });
}

}  // namespace
}  // namespace orujo::python

NB_MODULE(_core, m) {
  using namespace orujo::python;
  nb::set_leak_warnings(false);  // a graph may live until the end
  nb::register_exception_translator(&translate);
  set_interrupted(&has_thrown_while_waiting);
  m.def("start", [](const nb::list& flags) {
    const std::vector<std::string> words = texts_of(flags);
    unlocked([&] { start(words); });
  });
  m.def("stop", [] { unlocked([] { stop(); }); });
  m.def("end", &end);
  m.def("started", &started);
  m.def("show_progress_by", &show_progress_by, nb::arg().none());
  m.def("why_no_gpu", &orujo::device::why_no_gpu);
  m.def("process", &process);
  m.def("processes", &processes);
  m.def("cores", &cores_of_job);
  define_graph(m);
  define_algorithms(m);
}
