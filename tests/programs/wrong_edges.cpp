// Runs vertex programs and algorithms on a graph that does not keep the edges that they go over, or with
// options that ask for what they cannot do, for the test of what is said.
#include <gflags/gflags.h>

#include <cstdio>
#include <string>

#include "framework/algorithms/core_numbers.hpp"
#include "framework/algorithms/shortest_paths.hpp"
#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_string(run, "", "vectors, rows, push, push_all, pull, paths, cores, shared or ahead");

namespace {

using orujo::gas::forms_for, orujo::gas::vertex, orujo::gas::nothing, orujo::engine::direction;

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

struct any_id : smallest_id {
  static constexpr bool incremental = false;
  static constexpr auto combine = orujo::gas::any{};
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
orujo::status run(const orujo::graph::edge_forms& keep, const orujo::gas::run_options& options = {}) {
  const auto loaded = orujo::graph::load_from_flags(keep);
  if (!loaded.ok()) return loaded.status();
  orujo::loops::on_all_cores([graph = loaded.value().graph, options] {
    Program program;
    const int supersteps = orujo::gas::run(program, graph.here(), options).supersteps;
    if (orujo::my_core() == 0) std::printf("%d supersteps\n", supersteps);
  });
  return {};
}

// On a graph without rows of out-edges.
template <class Algorithm, class Value>
orujo::status run_algorithm() {
  const auto loaded = orujo::graph::load_from_flags({});
  if (!loaded.ok()) return loaded.status();
  const auto values = orujo::gas::property<Value>::create(loaded.value().graph);
  orujo::loops::on_all_cores(
      [graph = loaded.value().graph, values] { const Algorithm all(graph.here(), values.here()); });
  return {};
}

orujo::status main_task() {
  if (FLAGS_run == "paths") return run_algorithm<orujo::algorithms::shortest_paths, float>();
  if (FLAGS_run == "cores") return run_algorithm<orujo::algorithms::core_numbers, std::uint32_t>();
  if (FLAGS_run == "vectors") return run<smallest_id>({.in_vectors = false, .in_rows = true});
  if (FLAGS_run == "rows") return run<degrees>({});
  if (FLAGS_run == "push") return run<smallest_id>({}, {.direction = {direction::push}});
  if (FLAGS_run == "push_all") return run<degrees>(forms_for<degrees>(), {.direction = {direction::push}});
  if (FLAGS_run == "pull") return run<smallest_id>({}, {.direction = {direction::pull}});
  if (FLAGS_run == "shared") return run<any_id>(forms_for<any_id>(), {.edges = {.chunk_vectors = 1}});
  if (FLAGS_run == "ahead") return run<smallest_id>({}, {.ahead = orujo::gas::going_ahead::always});
  return run<smallest_id>({});
}

}  // namespace

int main(int argc, char** argv) {
  return orujo::run(argc, argv, "vertex programs and graphs without their edges", &main_task);
}
