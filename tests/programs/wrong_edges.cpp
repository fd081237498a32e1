// Runs vertex programs and algorithms on a graph without the edges that they go along, or with options that
// they do not support. The test checks the messages.
#include <gflags/gflags.h>

#include <cstdint>
#include <cstdio>
#include <string>

#include "framework/algorithms/betweenness.hpp"
#include "framework/algorithms/breadth_first_search.hpp"
#include "framework/algorithms/connected_components.hpp"
#include "framework/algorithms/core_numbers.hpp"
#include "framework/algorithms/shortest_paths.hpp"
#include "framework/algorithms/triangles.hpp"
#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_string(run, "",
              "vectors, rows, push, push_all, pull, shared, ahead, rounded or order, or paths, cores, "
              "search, triangles, "
              "betweenness or components");
DEFINE_bool(arcs, false, "the graph keeps rows of arcs; else of algorithms vectors only");

namespace {

using orujo::internal::gas::forms_for, orujo::internal::graph::vertex, orujo::internal::gas::nothing,
    orujo::internal::steps::direction, orujo::internal::graph::edge_forms;

struct id_of_an_in_neighbour {
  using value = std::uint32_t;
  static constexpr auto combine = orujo::internal::gas::minimum{};
  using aggregate = nothing;
  template <class V>
  V gather(V id, V) const {
    return id;
  }
  value start(const vertex& v, aggregate&) { return v.local; }
};

struct smallest_id : id_of_an_in_neighbour {
  static constexpr bool incremental = true;
  bool apply(const vertex&, value total, value& shown, aggregate&) {
    const bool smaller = total < shown;
    if (smaller) shown = total;
    return smaller;
  }
};

struct any_id : smallest_id {
  static constexpr bool incremental = false;
  static constexpr auto combine = orujo::internal::gas::any{};
};

struct by_priority : id_of_an_in_neighbour {
  static constexpr bool incremental = true, improves = true;
  std::uint64_t priority(const vertex&, value id) const { return id; }
};

struct degrees {
  using value = std::uint32_t;
  using aggregate = nothing;
  value start(const vertex&, aggregate&) { return 0; }
  value collect(const vertex&, value, const orujo::internal::gas::neighbours<value>& all) {
    return static_cast<value>(all.size());
  }
  bool apply(const vertex&, value total, value& shown, aggregate&) { return shown = total, false; }
};

template <class Program>
orujo::status run(const edge_forms& keep, const orujo::internal::gas::run_options& options = {}) {
  const auto loaded = orujo::internal::graph::load_from_flags(keep);
  if (!loaded.ok()) return loaded.status();
  orujo::internal::loops::on_all_cores([graph = loaded.value().graph, options] {
    Program program;
    const int supersteps = orujo::internal::gas::run(program, graph.here(), options).supersteps;
    if (orujo::my_core() == 0) std::printf("%d supersteps\n", supersteps);
  });
  return {};
}

// On a graph without rows, or with rows of arcs only. make(locale's graph): the algorithm's object.
template <class Make>
orujo::status make_algorithm(Make make) {
  const auto loaded = orujo::internal::graph::load_from_flags(
      FLAGS_arcs ? edge_forms{.in_vectors = false, .in_rows = true, .out_rows = true, .arcs = true}
                 : edge_forms{});
  if (!loaded.ok()) return loaded.status();
  orujo::internal::loops::on_all_cores([graph = loaded.value().graph, make] { make(graph.here()); });
  return {};
}

orujo::status main_task() {
  namespace algorithms = orujo::internal::algorithms;
  if (FLAGS_run == "paths") return make_algorithm([](auto& g) { algorithms::shortest_paths all(g); });
  if (FLAGS_run == "cores") return make_algorithm([](auto& g) { algorithms::core_numbers all(g, {}); });
  if (FLAGS_run == "search") return make_algorithm([](auto& g) { algorithms::breadth_first_search all(g); });
  if (FLAGS_run == "triangles") return make_algorithm([](auto& g) { algorithms::triangle_counter all(g); });
  if (FLAGS_run == "betweenness")
    return make_algorithm([](auto& g) { algorithms::betweenness_centrality all(g, {}); });
  if (FLAGS_run == "components")
    return make_algorithm([](auto& g) { algorithms::connected_components<std::uint32_t> all(g, {}); });
  if (FLAGS_run == "vectors") return run<smallest_id>({.in_vectors = false, .in_rows = true});
  if (FLAGS_run == "rows") return run<degrees>({});
  if (FLAGS_run == "push") return run<smallest_id>({}, {.direction = {direction::push}});
  if (FLAGS_run == "push_all") return run<degrees>(forms_for<degrees>(), {.direction = {direction::push}});
  if (FLAGS_run == "pull") return run<smallest_id>({}, {.direction = {direction::pull}});
  if (FLAGS_run == "shared") return run<any_id>(forms_for<any_id>(), {.edges = {.chunk_vectors = 1}});
  if (FLAGS_run == "ahead") return run<smallest_id>({}, {.ahead = orujo::internal::gas::going_ahead::always});
  if (FLAGS_run == "rounded") return run<smallest_id>({}, {.rounded = true});
  if (FLAGS_run == "order")
    return run<by_priority>(forms_for<by_priority>(), {.direction = {direction::pull}});
  return run<smallest_id>({});
}

}  // namespace

int main(int argc, char** argv) {
  return orujo::run(argc, argv, "vertex programs and graphs without their edges", &main_task);
}
