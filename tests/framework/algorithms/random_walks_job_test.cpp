#include "framework/algorithms/random_walks.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "framework/verify/random_walks_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::algorithms {
namespace {

using test_graphs::test_graph;

void expect_walks(graph::distributed_graph handle, const verify::simple_graph& simple,
                  const walk_options& options) {
  const std::vector<std::uint64_t> expected =
      verify::count_visits(simple, {options.walks, options.per_vertex, options.length, options.seed});
  const auto visits = graph::property<std::uint64_t>::create(handle);
  {
    random_walks walks(handle, visits);
    for (int repetition = 0; repetition < 2; ++repetition) {
      const walks_report report = walks.run(options);
      EXPECT_TRUE(test_graphs::by_position(handle, visits) == expected);
      EXPECT_EQ(report.walks + report.steps,
                std::accumulate(expected.begin(), expected.end(), std::uint64_t{0}));
    }
  }
  visits.destroy();
}
void expect_walks(const test_graph& whole, bool symmetrize, const walk_options& options,
                  const graph::partition_options& cut = {}) {
  SCOPED_TRACE(whole.name);
  const graph::distributed_graph handle = test_graphs::build(
      whole, {.symmetrize = symmetrize, .partition = cut, .keep = {.in_vectors = false, .out_rows = true}});
  expect_walks(
      handle,
      verify::simple_graph(whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = symmetrize}),
      options);
  handle.destroy();
}

TEST(random_walks, are_those_of_the_oracle) {
  for (const test_graph& whole : test_graphs::all()) {
    for (const bool symmetrize : {true, false}) {
      expect_walks(whole, symmetrize, {.per_vertex = 2, .length = 9, .seed = 3});
      expect_walks(whole, symmetrize, {.walks = 1000, .length = 20});
    }
  }
}

TEST(random_walks, are_the_same_where_vertices_are_scattered) {
  for (const test_graph& whole : test_graphs::all()) {
    expect_walks(whole, true, {.length = 5}, {.hash = true});
    expect_walks(whole, false, {.walks = 300, .length = 5}, {.hash = true});
  }
}

// Longer than a walk may be without a pause, on one core and back and forth:   0 - 1
TEST(random_walks, may_be_long) {
  for (const std::uint32_t length : {0u, 255u, 256u, 257u, 5000u})
    expect_walks({"pair", {{{0, 1}}, {}}, {}}, true, {.length = length});
}

TEST(random_walks, are_those_of_the_oracle_whatever_else_the_graph_keeps) {
  const auto any = graph::property<std::uint64_t>::create(test_graphs::in_all_forms().front().handle);
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_in_all_forms(
        {.out_rows = true}, symmetrized, "random_walks",
        [](const test_graphs::kept_graph& kept) { expect_walks(kept.handle, *kept.simple, {.length = 5}); },
        [any](const test_graphs::kept_graph& kept) { random_walks(kept.handle, any); });
  }
  any.destroy();
}

}  // namespace
}  // namespace orujo::algorithms
