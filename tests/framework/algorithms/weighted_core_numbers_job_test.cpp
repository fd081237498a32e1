#include "framework/algorithms/weighted_core_numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "framework/gas/load.hpp"
#include "framework/verify/core_numbers_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;

std::vector<double> weighted_cores_of(graph::distributed_graph graph,
                                      steps::direction wanted = steps::direction::automatic) {
  const auto cores = graph::property<double>::create(graph);
  loops::on_all_cores([=] {
    weighted_core_numbers program(graph.here(), cores.here());
    gas::run(program, graph.here(), {.direction = {.wanted = wanted}});
  });
  std::vector<double> found = test_graphs::by_position(graph, cores);
  cores.destroy();
  return found;
}

void expect_weighted_cores(graph::distributed_graph graph, const verify::simple_graph& simple,
                           steps::direction wanted = steps::direction::automatic) {
  const std::vector<double> found = weighted_cores_of(graph, wanted);
  const verify::weighted_cores expected = verify::weighted_core_numbers(simple);
  ASSERT_EQ(found.size(), expected.numbers.size());
  for (std::size_t v = 0; v < found.size(); ++v)
    ASSERT_LE(std::abs(found[v] - expected.numbers[v]), expected.relative_error * expected.numbers[v]) << v;
}

graph::distributed_graph core_graph(const test_graph& whole, const graph::partition_options& cut = {}) {
  return test_graphs::build(
      whole, {.symmetrize = true, .partition = cut, .keep = gas::forms_for<weighted_core_numbers>()});
}

verify::simple_graph core_oracle_graph(const test_graph& whole) {
  return verify::simple_graph(whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = true},
                              whole.list.weights);
}

void expect_weighted_cores(const test_graph& whole, const graph::partition_options& cut = {},
                           steps::direction wanted = steps::direction::automatic) {
  SCOPED_TRACE(whole.name);
  const graph::distributed_graph graph = core_graph(whole, cut);
  expect_weighted_cores(graph, core_oracle_graph(whole), wanted);
  graph.destroy();
}

// Weights from 0 to 1 whose sums are rounded, or whole ones.
test_graph with_core_weights(test_graph whole, bool rounded, std::uint64_t seed = 1) {
  random_stream random(seed);
  whole.list.weights.clear();
  for (std::size_t k = 0; k < whole.list.edges.size(); ++k) {
    const auto drawn = static_cast<float>(random.below(1000));
    whole.list.weights.push_back(rounded ? std::ldexp(drawn / 999, static_cast<int>(k % 50)) : drawn);
  }
  return whole;
}

test_graph random_core_graph(std::uint64_t seed) {
  test_graph whole{"random, seed " + std::to_string(seed), {}, 40 * seed};
  whole.list = test_graphs::random_edges(seed, 40 * seed, 100 * seed * (1 + seed % 4), false);
  return with_core_weights(whole, seed % 2 == 0, seed);
}

TEST(weighted_core_numbers, are_those_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    expect_weighted_cores(whole);
    expect_weighted_cores(with_core_weights(whole, true), {.hash = true});
    expect_weighted_cores(with_core_weights(whole, false));
    expect_weighted_cores(test_graphs::with_weights(whole));
  }
}

TEST(weighted_core_numbers, are_those_of_the_oracle_in_either_direction) {
  for (std::uint64_t seed = 1; seed <= (sanitized ? 4 : 12); ++seed) {
    expect_weighted_cores(random_core_graph(seed), {}, steps::direction::push);
    expect_weighted_cores(random_core_graph(seed), {.hash = true}, steps::direction::pull);
  }
}

//   0 -(5)- 1 -(5)- 2 -(5)- 0,   2 -(9)- 3,   3 -(2)- 4,   and 5 with a loop of 7
//
// 0, 1 and 2 have 10 each among them. 3 has 11 with 4, which has 2, and 9 without.
TEST(weighted_core_numbers, are_those_of_a_triangle_with_a_tail) {
  const test_graph whole{"tail", {{{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {5, 5}}, {5, 5, 5, 9, 2, 7}}, {}};
  const graph::distributed_graph graph = core_graph(whole);
  EXPECT_EQ(weighted_cores_of(graph), (std::vector<double>{10, 10, 10, 9, 2, 7}));
  graph.destroy();
}

// Sums that are rounded in another order would differ in their last bits.
TEST(weighted_core_numbers, are_the_same_to_the_last_bit_on_any_partition) {
  const test_graph whole = random_core_graph(10);
  const graph::distributed_graph ranges = core_graph(whole), scattered = core_graph(whole, {.hash = true});
  EXPECT_EQ(weighted_cores_of(ranges), weighted_cores_of(scattered));
  ranges.destroy();
  scattered.destroy();
}

TEST(weighted_core_numbers, are_the_oracles_whatever_else_the_graph_keeps) {
  test_graphs::expect_program_in_all_forms<weighted_core_numbers>(
      true, [](const test_graphs::kept_graph& kept) { expect_weighted_cores(kept.handle, *kept.simple); });
}

}  // namespace
}  // namespace orujo::internal::algorithms
