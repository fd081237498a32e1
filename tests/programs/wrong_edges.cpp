// Runs vertex programs and algorithms on a graph that does not keep the edges that they go over, for the test
// of what is said.
#include <gflags/gflags.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "framework/algorithms/core_numbers.hpp"
#include "framework/algorithms/shortest_paths.hpp"
#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_string(run, "", "vectors, rows, push, push_all, pull, paths or cores");

namespace {

using orujo::gas::vertex, orujo::gas::nothing, orujo::engine::direction;

struct smallest_id {
  static constexpr bool incremental = true;
  using value = std::uint32_t;
  static constexpr auto combine = orujo::gas::minimum{};
  using aggregate = nothing;
  template <class V>
  V gather(V id, V) const {
    return id;
  }
  value start(const vertex& v, aggregate&) { return v.local; }
  bool apply(const vertex&, value total, value& shown, aggregate&) {
    const bool smaller = total < shown;
    if (smaller) shown = total;
    return smaller;
  }
};

struct degrees {
  using value = std::uint32_t;
  using aggregate = nothing;
  value start(const vertex&, aggregate&) { return 0; }
  value collect(const vertex&, value, const orujo::gas::neighbours<value>& all) {
    return static_cast<value>(all.size());
  }
  bool apply(const vertex&, value total, value& shown, aggregate&) { return shown = total, false; }
};

template <class Program>
orujo::status run(const orujo::graph::edge_forms& keep, direction way = direction::automatic) {
  const auto loaded = orujo::graph::load_from_flags(keep);
  if (!loaded.ok()) return loaded.status();
  orujo::loops::on_all_cores([graph = loaded.value().graph, way] {
    Program program;
    const int supersteps = orujo::gas::run(program, graph.here(), {.direction = {way}}).supersteps;
    if (orujo::my_core() == 0) std::printf("%d supersteps\n", supersteps);
  });
  return {};
}

// On a graph without rows of out-edges.
// make(locale's graph): the algorithm's object.
template <class Make>
orujo::status make_algorithm(Make make) {
  const auto loaded = orujo::graph::load_from_flags({});
  if (!loaded.ok()) return loaded.status();
  orujo::loops::on_all_cores([graph = loaded.value().graph, make] { make(graph.here()); });
  return {};
}

orujo::status main_task() {
  using orujo::graph::locale_graph;
  if (FLAGS_run == "paths")
    return make_algorithm([](locale_graph& g) { const orujo::algorithms::shortest_paths all(g); });
  if (FLAGS_run == "cores") {
    return make_algorithm([](locale_graph& g) {
      std::vector<std::uint32_t> numbers(g.own);
      const orujo::algorithms::core_numbers all(g, numbers);
    });
  }
  if (FLAGS_run == "vectors") return run<smallest_id>({.in_vectors = false, .in_rows = true});
  if (FLAGS_run == "rows") return run<degrees>({});
  if (FLAGS_run == "push") return run<smallest_id>({}, direction::push);
  if (FLAGS_run == "push_all") return run<degrees>(orujo::gas::forms_for<degrees>(), direction::push);
  if (FLAGS_run == "pull") return run<smallest_id>({}, direction::pull);
  return run<smallest_id>({});
}

}  // namespace

int main(int argc, char** argv) {
  return orujo::run(argc, argv, "vertex programs and graphs without their edges", &main_task);
}
