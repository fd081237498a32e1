#include "framework/algorithms/weighted_clustering.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "framework/algorithms/triangle_intensities.hpp"
#include "framework/verify/triangles_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;

verify::simple_graph simple_form(const test_graph& whole) {
  return verify::simple_graph(whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = true},
                              whole.list.weights);
}

graph::distributed_graph weighted_graph(const test_graph& whole, const graph::partition_options& cut = {}) {
  return test_graphs::build(whole, {.symmetrize = true, .partition = cut, .keep = weighted_clustering_forms});
}

std::vector<double> coefficients_of(graph::distributed_graph graph, const verify::simple_graph& simple) {
  const auto coefficients = graph::property<double>::create(graph);
  const clustering_report report = weighted_clustering(graph, coefficients);
  std::vector<double> found = test_graphs::by_position(graph, coefficients);
  coefficients.destroy();
  const std::vector<std::uint64_t> triangles = verify::triangles(simple);
  EXPECT_EQ(report.triangles, std::accumulate(triangles.begin(), triangles.end(), std::uint64_t{0}) / 3);
  return found;
}

void expect_coefficients(graph::distributed_graph graph, const verify::simple_graph& simple) {
  const std::vector<double> found = coefficients_of(graph, simple);
  const std::vector<double> expected = verify::weighted_clustering_coefficients(simple);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t v = 0; v < found.size(); ++v)
    ASSERT_LE(std::abs(found[v] - expected[v]), 1e-14 * expected[v]) << v << ": " << found[v];
}

void expect_coefficients(const test_graph& whole, const graph::partition_options& cut = {}) {
  SCOPED_TRACE(whole.name);
  const graph::distributed_graph graph = weighted_graph(whole, cut);
  expect_coefficients(graph, simple_form(whole));
  graph.destroy();
}

// Weights from 0 to 1, of which most are no fractions of powers of two.
test_graph with_decimals(test_graph whole, std::uint64_t seed = 1) {
  random_stream random(seed);
  whole.list.weights.clear();
  for (std::size_t k = 0; k < whole.list.edges.size(); ++k)
    whole.list.weights.push_back(static_cast<float>(random.below(1000)) / 999);
  return whole;
}

test_graph random_decimal_graph(std::uint64_t seed) {
  test_graph whole{"random, seed " + std::to_string(seed), {}, 40 * seed};
  whole.list = test_graphs::random_edges(seed, 40 * seed, 100 * seed * (1 + seed % 4), false);
  return with_decimals(whole, seed);
}

TEST(weighted_clustering, is_that_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    expect_coefficients(whole);
    expect_coefficients(with_decimals(whole));
    expect_coefficients(test_graphs::with_weights(whole), {.hash = true});
  }
}

TEST(weighted_clustering, is_that_of_the_oracle_on_random_graphs) {
  for (std::uint64_t seed = 1; seed <= (sanitized ? 4 : 12); ++seed) {
    expect_coefficients(random_decimal_graph(seed));
    expect_coefficients(random_decimal_graph(seed), {.hash = true});
  }
}

//   0 -(8)- 1 -(8)- 2 -(1)- 0,   2 -(1)- 3, and a loop at 3 that weighs 64
//
// The triangle's geometric mean is 4, a 16th of the largest weight.
TEST(weighted_clustering, divides_by_the_largest_weight_also_of_a_loop) {
  test_graph whole{"one triangle", {{{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 3}}, {8, 8, 1, 1, 64}}, {}};
  const auto expect = [&](const std::vector<double>& expected) {
    const graph::distributed_graph graph = weighted_graph(whole);
    EXPECT_EQ(coefficients_of(graph, simple_form(whole)), expected);
    graph.destroy();
  };
  expect({1. / 16, 1. / 16, 1. / 48, 0});
  whole.list.weights = {0, 0, 0, 0, 0};
  expect({0, 0, 0, 0});
  whole.list.weights = {};  // each is 1
  expect({1, 1, 1. / 3, 0});
}

// Rows that are longer than what a core takes, and more edges than travel at a time.
TEST(weighted_clustering, is_that_of_the_oracle_along_long_rows) {
  test_graph fans{"two fans", {{{0, 1}}, {}}, {}};
  constexpr std::uint64_t blades = sanitized ? 300 : 2000;
  for (std::uint64_t v = 2; v < 2 + blades; ++v) {
    fans.list.edges.push_back({0, v});
    if (v % 3 != 0) fans.list.edges.push_back({v, 1});
    if (v % 5 != 0) fans.list.edges.push_back({v, v + 1});
  }
  expect_coefficients(with_decimals(fans), {.hash = true});
}

// A sum that is rounded on the way would depend on the order of the triangles, which the partition changes.
TEST(weighted_clustering, is_the_same_to_the_last_bit_on_any_partition) {
  const test_graph whole = random_decimal_graph(9);
  const verify::simple_graph simple = simple_form(whole);
  const graph::distributed_graph ranges = weighted_graph(whole),
                                 scattered = weighted_graph(whole, {.hash = true});
  EXPECT_EQ(coefficients_of(ranges, simple), coefficients_of(scattered, simple));
  ranges.destroy();
  scattered.destroy();
}

// As there are where more than 2^32 vertices exchange names of 8 bytes.
TEST(weighted_clustering, needs_no_more_than_names_of_8_bytes) {
  const graph::distributed_graph graph = weighted_graph(random_decimal_graph(5));
  const auto sums = loops::on_all_cores([=] {
    std::array<double, 2> of_core_0 = {};
    for (const bool wide : {false, true}) {
      detail::triangle_intensities found(graph.here(), wide);
      found.run();
      const graph::core_part& mine = graph.here().my_part();
      for (std::uint32_t v = mine.first; v < mine.last; ++v) of_core_0[wide ? 1 : 0] += found.sum_of(v);
    }
    return of_core_0;
  });
  EXPECT_GT(sums[0], 0);
  EXPECT_EQ(sums[0], sums[1]);
  graph.destroy();
}

TEST(weighted_clustering, is_the_oracles_whatever_else_the_graph_keeps) {
  test_graphs::expect_in_all_forms(
      {.out_rows = true}, true, "weighted_clustering",
      [](const test_graphs::kept_graph& kept) { expect_coefficients(kept.handle, *kept.simple); },
      [](const test_graphs::kept_graph& kept) {
        const auto coefficients = graph::property<double>::create(kept.handle);
        weighted_clustering(kept.handle, coefficients);
      });
}

}  // namespace
}  // namespace orujo::internal::algorithms
