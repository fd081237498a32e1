// Programs of which one core of a locale makes supersteps alone find the same, in as many supersteps, as all
// cores do together.
#include "framework/gas/push_alone.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "tests/framework/job_property.hpp"
#include "tests/framework/length_program.hpp"

namespace orujo::internal::gas {
namespace {

using steps::direction;

// All cores push for a program that has next().
template <class Program>
struct together : Program {
  bool next(int, const nothing&) { return true; }
};

// A token that each vertex passes on once.
struct token {
  static constexpr bool incremental = true, deltas = true;
  using value = std::uint32_t;
  static constexpr auto combine = sum{};
  using aggregate = nothing;
  template <class V>
  V gather(V shown, V) const {
    return shown;
  }
  value start(const vertex& v, aggregate&) { return v.number() == 0 ? 1 : 0; }
  bool apply(const vertex& v, value total, value& shown, aggregate&) {
    shown = v.number() > 0 && heard[v] == 0 && total > 0 ? 1 : 0;
    heard[v] += total;
    return shown > 0;
  }
  property<std::uint32_t> heard;
};

void expect_same_steps(const run_report& a, const run_report& b) {
  EXPECT_EQ(a.supersteps, b.supersteps);
  EXPECT_EQ(a.pushed, b.pushed);
  EXPECT_EQ(a.edges, b.edges);
  EXPECT_EQ(a.ended, b.ended);
}

// Calls f(graph) for a graph of which few vertices are active at a time, and for one with many.
template <class F>
void for_sparse_and_dense_graph(F f) {
  for (const test_graphs::test_graph& whole : test_graphs::in_turn()) {
    if (whole.name != "path" && whole.name != "random_larger") continue;
    SCOPED_TRACE(whole.name);
    const auto graph =
        test_graphs::build(whole, {.symmetrize = true, .keep = {.in_vectors = true, .out_rows = true}});
    f(graph);
    graph.destroy();
  }
}

TEST(push_alone, finds_what_all_cores_find) {
  for_sparse_and_dense_graph([](graph::distributed_graph graph) {
    const auto found = property<std::uint32_t>::create(graph);
    const auto run_hops = [&]<class Program>(int most) {
      Program program;
      return run(program, graph, found, {.most_supersteps = most, .direction = {direction::push}});
    };
    for (const int most : {1, 2, 7, 1 << 30}) {
      const run_report of_all = run_hops.operator()<together<test_graphs::hops_from_first>>(most);
      const std::vector<std::uint32_t> right = test_graphs::by_vertex_number(found);
      expect_same_steps(run_hops.operator()<test_graphs::hops_from_first>(most), of_all);
      EXPECT_EQ(test_graphs::by_vertex_number(found), right) << most;
    }
    found.destroy();
  });
}

TEST(push_alone, passes_changes_on_once) {
  for_sparse_and_dense_graph([](graph::distributed_graph graph) {
    const auto run_token = [&]<class Program>(std::vector<std::uint32_t>& heard) {
      const auto at = property<std::uint32_t>::create(graph);
      Program program{at};
      const run_report report = run(program, graph, {.direction = {direction::push}});
      heard = test_graphs::by_vertex_number(at);
      at.destroy();
      return report;
    };
    std::vector<std::uint32_t> heard_together, heard_alone;
    const run_report of_all = run_token.operator()<together<token>>(heard_together);
    expect_same_steps(run_token.operator()<token>(heard_alone), of_all);
    EXPECT_EQ(heard_alone, heard_together);
  });
}

}  // namespace
}  // namespace orujo::internal::gas
