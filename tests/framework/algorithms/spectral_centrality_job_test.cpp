#include "framework/algorithms/spectral_centrality.hpp"

#include <gtest/gtest.h>

#include "framework/gas/load.hpp"
#include "framework/vectors/sum_rounding.hpp"
#include "framework/verify/spectral_centrality_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/hub_graphs.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;

// Never reached, so that all iterations are done.
spectral_options exactly(int iterations) { return {.tolerance = -1, .most_iterations = iterations}; }

void expect_near(graph::distributed_graph handle, const verify::simple_graph& simple,
                 graph::property<double> scores, const std::vector<double>& expected, int iterations) {
  const double roundings = vectors::pull_roundings<double>(vectors::shape_of_sums(handle),
                                                           static_cast<double>(simple.most_in_edges()));
  const double error =
      verify::error_of_spectral_scores(roundings, iterations, static_cast<double>(simple.vertex_count()));
  const std::vector<double> found = test_graphs::by_position(handle, scores);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t v = 0; v < found.size(); ++v)
    ASSERT_NEAR(found[v], expected[v], error * expected[v]) << "vertex " << v;
}

void expect_scores(graph::distributed_graph handle, const verify::simple_graph& simple, int iterations) {
  const auto scores = graph::property<double>::create(handle);
  for (const bool normalized : {true, false}) {
    const spectral_report katz =
        find_katz_centrality(handle, scores, {0.02, 3, normalized}, exactly(iterations));
    EXPECT_EQ(katz.iterations, simple.vertex_count() > 0 ? iterations : 0);
    EXPECT_EQ(katz.converged, simple.vertex_count() == 0);
    expect_near(handle, simple, scores, verify::katz_scores(simple, 0.02, 3, normalized, iterations),
                iterations);
  }
  const spectral_report eigenvector = find_eigenvector_centrality(handle, scores, exactly(iterations));
  EXPECT_EQ(eigenvector.iterations, simple.vertex_count() > 0 ? iterations : 0);
  expect_near(handle, simple, scores, verify::eigenvector_scores(simple, iterations), iterations);
  scores.destroy();
}
void expect_scores(const test_graph& whole, bool symmetrize, const graph::partition_options& cut = {}) {
  SCOPED_TRACE(whole.name + (symmetrize ? ", symmetrized" : ", directed"));
  const graph::distributed_graph handle =
      test_graphs::build(whole, {.symmetrize = symmetrize,
                                 .partition = cut,
                                 .keep = gas::forms_for<katz_centrality, eigenvector_centrality>()});
  const verify::simple_graph simple(
      whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = symmetrize}, whole.list.weights);
  for (const int iterations : {1, 7}) expect_scores(handle, simple, iterations);
  handle.destroy();
}

TEST(spectral_centrality, is_that_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    for (const bool symmetrize : {true, false}) expect_scores(whole, symmetrize);
  }
}

TEST(spectral_centrality, is_that_of_the_oracle_at_hubs) {
  for (const test_graph& whole : test_graphs::hubs()) expect_scores(whole, true);
}

TEST(spectral_centrality, is_the_same_where_vertices_are_scattered) {
  for (const test_graph& whole : test_graphs::in_turn()) expect_scores(whole, false, {.hash = true});
}

TEST(spectral_centrality, is_that_of_the_oracle_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_program_in_all_forms<eigenvector_centrality>(
        symmetrized,
        [](const test_graphs::kept_graph& kept) { expect_scores(kept.handle, *kept.simple, 3); });
  }
}

struct katz_result {
  spectral_report report;
  std::vector<double> scores;
};
katz_result katz_of(const test_graph& whole, double alpha, const spectral_options& options) {
  const graph::distributed_graph handle =
      test_graphs::build(whole, {.keep = gas::forms_for<katz_centrality>()});
  const auto scores = graph::property<double>::create(handle);
  katz_result found{find_katz_centrality(handle, scores, {alpha, 1, false}, options), {}};
  found.scores = test_graphs::by_position(handle, scores);
  scores.destroy();
  handle.destroy();
  return found;
}

//   0 <-> 1, with the largest eigenvalue 1, and with weights of 4
const test_graph pair{"pair", {{{0, 1}, {1, 0}}, {}}, {}}, heavy{"heavy", {{{0, 1}, {1, 0}}, {4, 4}}, {}};

TEST(katz_centrality, converges_below_the_inverse_of_the_largest_eigenvalue) {
  const katz_result found = katz_of(pair, 0.5, {.tolerance = 1e-9});
  EXPECT_TRUE(found.report.converged);
  EXPECT_NEAR(found.report.growth, 0.5, 1e-12);
  EXPECT_NEAR(found.scores[0], 2, 1e-8);
  EXPECT_EQ(found.report.iterations, 31);  // 2^-30 is the first power below 1e-9, and iteration 1 adds 2^0
  EXPECT_FALSE(katz_of(pair, 0.5, {.tolerance = 1e-9, .most_iterations = 30}).report.converged);
  EXPECT_TRUE(katz_of(heavy, 0.2, {}).report.converged);
}

TEST(katz_centrality, says_how_fast_it_diverges) {
  const katz_result found = katz_of(heavy, 0.5, {.most_iterations = 50});
  EXPECT_FALSE(found.report.converged);
  EXPECT_NEAR(found.report.growth, 2, 1e-12);
  const spectral_report overflowing = katz_of(heavy, 1e9, {}).report;
  EXPECT_FALSE(overflowing.converged);
  EXPECT_LT(overflowing.iterations, 100);
}

// A path of two edges is bipartite, and its eigenvector is (1, sqrt(2), 1) / 2:   0 - 1 - 2
TEST(eigenvector_centrality, converges_on_bipartite_graphs) {
  const graph::distributed_graph handle =
      test_graphs::build({"path", {{{0, 1}, {1, 2}}, {}}, {}},
                         {.symmetrize = true, .keep = gas::forms_for<eigenvector_centrality>()});
  const auto scores = graph::property<double>::create(handle);
  const spectral_report report = find_eigenvector_centrality(handle, scores, {.tolerance = 1e-12});
  EXPECT_TRUE(report.converged);
  EXPECT_LT(report.change, 3e-12);
  const std::vector<double> found = test_graphs::by_position(handle, scores);
  EXPECT_NEAR(found[0], 0.5, 1e-11);
  EXPECT_NEAR(found[1], std::sqrt(0.5), 1e-11);
  EXPECT_TRUE(
      find_eigenvector_centrality(handle, scores, {.tolerance = 1e-12, .most_iterations = report.iterations})
          .converged);
  EXPECT_FALSE(find_eigenvector_centrality(handle, scores,
                                           {.tolerance = 1e-12, .most_iterations = report.iterations - 1})
                   .converged);
  scores.destroy();
  handle.destroy();
}

}  // namespace
}  // namespace orujo::internal::algorithms
