#include "framework/algorithms/personalized_pagerank.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "framework/gas/load.hpp"
#include "framework/verify/personalized_pagerank_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/hub_graphs.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::algorithms {
namespace {

using test_graphs::test_graph;

void expect_personal_ranks(graph::distributed_graph handle, const verify::simple_graph& simple,
                           std::size_t source, double damping, int iterations) {
  const std::vector<double> expected = verify::personalized_pagerank(simple, source, damping, iterations);
  personalized_pagerank program{graph::property<double>::create(handle), handle.here().numbers.number(source),
                                damping, 0};
  gas::run(program, handle, {.most_supersteps = iterations});
  const std::vector<double> ranks = test_graphs::by_position(handle, program.ranks);
  ASSERT_EQ(ranks.size(), expected.size());
  for (std::size_t v = 0; v < ranks.size(); ++v)
    ASSERT_NEAR(ranks[v], expected[v], 1e-12 * expected[v]) << "vertex " << v;
  EXPECT_NEAR(std::accumulate(ranks.begin(), ranks.end(), 0.0), 1, 1e-12);
  program.ranks.destroy();
}
void expect_personal_ranks(const test_graph& whole, bool symmetrize, std::size_t source, double damping,
                           int iterations, const graph::partition_options& cut = {}) {
  SCOPED_TRACE(whole.name);
  const graph::distributed_graph handle = test_graphs::build(
      whole, {.symmetrize = symmetrize, .partition = cut, .keep = gas::forms_for<personalized_pagerank>()});
  expect_personal_ranks(
      handle,
      verify::simple_graph(whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = symmetrize}),
      source, damping, iterations);
  handle.destroy();
}

TEST(personalized_pagerank, is_that_of_the_oracle) {
  for (const test_graph& whole : test_graphs::all()) {
    const std::size_t vertices = test_graphs::expected_graph(whole, {}).ids.size();
    if (vertices == 0) continue;  // no source
    for (const std::size_t source : {std::size_t{0}, vertices / 2, vertices - 1}) {
      expect_personal_ranks(whole, true, source, 0.85, 12);
      expect_personal_ranks(whole, false, source, 0.5, 7);
    }
  }
}

TEST(personalized_pagerank, is_that_of_the_oracle_at_hubs) {
  for (const test_graph& whole : test_graphs::hubs()) {
    expect_personal_ranks(whole, true, 0, 0.85, 12);
    expect_personal_ranks(whole, false, 20, 0.85, 5);
  }
}

TEST(personalized_pagerank, is_the_same_where_vertices_are_scattered) {
  for (const test_graph& whole : test_graphs::all()) {
    if (whole.name != "no_vertex") expect_personal_ranks(whole, false, 0, 0.85, 5, {.hash = true});
  }
}

TEST(personalized_pagerank, may_stay_at_the_source_or_never_go_back) {
  for (const double damping : {0.0, 1.0}) expect_personal_ranks(test_graphs::all()[11], true, 3, damping, 9);
  expect_personal_ranks(test_graphs::all()[11], true, 3, 0.85, 0);
}

// Back and forth on one edge all rank moves at first, and the change shrinks by the damping:   0 - 1
TEST(personalized_pagerank, ends_when_ranks_change_by_less_than_the_tolerance) {
  const graph::distributed_graph handle = test_graphs::build(
      {"pair", {{{0, 1}}, {}}, {}}, {.symmetrize = true, .keep = gas::forms_for<personalized_pagerank>()});
  personalized_pagerank program{graph::property<double>::create(handle), 0, 0.5, 1e-3};
  const gas::run_report report = gas::run(program, handle);
  EXPECT_TRUE(report.ended);
  EXPECT_EQ(report.supersteps, 11);  // the k-th changes by 2 * 0.5 ^ k
  EXPECT_DOUBLE_EQ(program.change, 2 * std::pow(0.5, report.supersteps));
  program.ranks.destroy();
  handle.destroy();
}

TEST(personalized_pagerank, is_that_of_the_oracle_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_program_in_all_forms<personalized_pagerank>(
        symmetrized, [](const test_graphs::kept_graph& kept) {
          expect_personal_ranks(kept.handle, *kept.simple, 100, 0.85, 5);
        });
  }
}

}  // namespace
}  // namespace orujo::algorithms
