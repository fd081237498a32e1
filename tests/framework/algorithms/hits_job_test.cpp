#include "framework/algorithms/hits.hpp"

#include <gtest/gtest.h>

#include "framework/graph/transposed.hpp"
#include "framework/verify/hits_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/hub_graphs.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;

struct hits_outcome {
  hits_report report;
  std::vector<hits_scores> scores;
};

hits_outcome hits_in(graph::distributed_graph handle, const hits_options& options) {
  const graph::distributed_graph reversed = graph::transposed(handle);
  const auto scores = graph::property<hits_scores>::create(handle);
  hits_outcome found{find_hubs_and_authorities(handle, reversed, scores, options), {}};
  found.scores = test_graphs::by_position(handle, scores);
  scores.destroy();
  reversed.destroy();
  return found;
}
hits_outcome hits_of(const test_graph& whole, bool symmetrize, const hits_options& options,
                     const graph::partition_options& cut = {}) {
  const graph::distributed_graph handle =
      test_graphs::build(whole, {.symmetrize = symmetrize,
                                 .partition = cut,
                                 .keep = {.in_vectors = false, .in_rows = true, .out_rows = true}});
  hits_outcome found = hits_in(handle, options);
  handle.destroy();
  return found;
}

void expect_hits(const verify::simple_graph& simple, int iterations, const hits_outcome& found) {
  const verify::hits_scores expected = verify::hits(simple, iterations);
  EXPECT_EQ(found.report.iterations, iterations);
  ASSERT_EQ(found.scores.size(), expected.hubs.size());
  for (std::size_t v = 0; v < found.scores.size(); ++v) {
    ASSERT_NEAR(found.scores[v].hub, expected.hubs[v], 1e-12 * expected.hubs[v]) << "vertex " << v;
    ASSERT_NEAR(found.scores[v].authority, expected.authorities[v], 1e-12 * expected.authorities[v])
        << "vertex " << v;
  }
}
void expect_hits(const test_graph& whole, bool symmetrize, int iterations,
                 const graph::partition_options& cut = {}) {
  SCOPED_TRACE(whole.name);
  const verify::simple_graph simple(whole.list.edges,
                                    {.vertex_count = whole.vertex_count, .symmetrize = symmetrize});
  expect_hits(simple, iterations, hits_of(whole, symmetrize, {-1, iterations}, cut));
}

TEST(hits, is_that_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    for (const bool symmetrize : {true, false}) expect_hits(whole, symmetrize, 6);
  }
}

TEST(hits, is_that_of_the_oracle_at_hubs) {
  for (const test_graph& whole : test_graphs::hubs()) {
    for (const bool symmetrize : {true, false}) expect_hits(whole, symmetrize, 6);
  }
}

TEST(hits, is_the_same_where_vertices_are_scattered) {
  for (const test_graph& whole : test_graphs::in_turn()) expect_hits(whole, false, 3, {.hash = true});
}

TEST(hits, begins_with_equal_scores) { expect_hits(test_graphs::all()[11], false, 0); }

// The first iteration finds the scores, and the second that they stay:
//   0 -> 1, 0 -> 2        10 -> 11, 20 -> 21
TEST(hits, ends_when_scores_do_not_change) {
  EXPECT_EQ(hits_of({"one hub", {{{0, 1}, {0, 2}}, {}}, {}}, false, {}).report.iterations, 2);
  EXPECT_EQ(hits_of({"pairs", {{{10, 11}, {20, 21}}, {}}, {}}, false, {}).report.iterations, 2);
  EXPECT_EQ(hits_of(test_graphs::all()[0], false, {}).report.iterations, 2);  // without edges
  const hits_outcome random = hits_of(test_graphs::all()[11], false, {1e-6, 1000});
  EXPECT_LE(random.report.change, 1e-6);
  EXPECT_LT(random.report.iterations, 1000);
  EXPECT_GT(random.report.iterations, 2);
}

TEST(hits, is_that_of_the_oracle_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_in_all_forms(
        {.in_rows = true, .out_rows = true, .in_arrays = false}, symmetrized, "transposed",
        [](const test_graphs::kept_graph& kept) {
          if (kept.keeps({.in_rows = true})) expect_hits(*kept.simple, 3, hits_in(kept.handle, {-1, 3}));
        },
        [](const test_graphs::kept_graph& kept) { graph::transposed(kept.handle); });
  }
}

}  // namespace
}  // namespace orujo::internal::algorithms
