// The PageRank oracle against ranks worked out by hand and properties that hold for every graph.
#include "framework/verify/pagerank_oracle.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <numeric>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal::verify {
namespace {

constexpr double exact = 1e-14;
constexpr double settled = 1e-8;  // where the tolerance is 1e-9

double sum(const std::vector<double>& ranks) { return std::accumulate(ranks.begin(), ranks.end(), 0.0); }

void expect_ranks(const pagerank_ranks& got, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(got.ranks.size(), expected.size());
  for (std::size_t v = 0; v < expected.size(); ++v) EXPECT_NEAR(got.ranks[v], expected[v], tolerance) << v;
}

//   0 <--> 1        symmetric, so 1/2 each from the start
TEST(pagerank_oracle, gives_a_two_cycle_equal_ranks) {
  const simple_graph graph({{0, 1}, {1, 0}});
  const pagerank_ranks got = pagerank(graph);
  expect_ranks(got, {.5, .5}, exact);
  EXPECT_EQ(got.iterations, 1u);
}

//   1 --> 0 <-- 2   and 0 <--> 3. With d = .85 and x = .15/4, a settled graph has
//         ^         r1 = r2 = x, r3 = x + d r0, r0 = x + d (2x + r3),
//         v         so r0 = x (1 + 3d) / (1 - d^2)
//         3
TEST(pagerank_oracle, settles_at_the_solution_of_the_equations) {
  const simple_graph graph({{1, 0}, {2, 0}, {3, 0}, {0, 3}});
  const double d = .85, x = .15 / 4, hub = x * (1 + 3 * d) / (1 - d * d);
  const pagerank_ranks got = pagerank(graph);
  expect_ranks(got, {hub, x, x, x + d * hub}, settled);
  EXPECT_NEAR(sum(got.ranks), 1, exact);
}

//   1 --> 0 <-- 2   0 is dangling. One iteration from 1/3 each with d = .6:
//                   leaves: .4/3 + .6 * (1/3)/3 = .2;  0: .2 + .6 * 2/3 = .6
//   a second one:   leaves: .4/3 + .6 * .6/3 = .19/.75;  0: that + .6 * .4
TEST(pagerank_oracle, redistributes_the_rank_of_a_dangling_star) {
  const simple_graph graph({{1, 0}, {2, 0}});
  expect_ranks(pagerank(graph, {.damping = .6, .iterations = 1}), {.6, .2, .2}, exact);
  const double leaf = .4 / 3 + .12;
  expect_ranks(pagerank(graph, {.damping = .6, .iterations = 2}), {leaf + .24, leaf, leaf}, exact);
}

TEST(pagerank_oracle, loses_the_rank_of_dangling_vertices_if_told_to_ignore_it) {
  const simple_graph graph({{1, 0}, {2, 0}});
  const auto ignore = dangling_policy::ignore;
  const double leaf = .4 / 3;
  expect_ranks(pagerank(graph, {.damping = .6, .iterations = 1, .dangling = ignore}), {leaf + .4, leaf, leaf},
               exact);
  const pagerank_ranks got = pagerank(graph, {.damping = .6, .dangling = ignore});
  expect_ranks(got, {leaf + 1.2 * leaf, leaf, leaf}, exact);
}

//   0 ==> 1 --> 0   0 --> 1 twice and 0 --> 2: two thirds of 0's rank go to 1
//   '---> 2
TEST(pagerank_oracle, counts_parallel_edges) {
  const simple_graph graph({{0, 1}, {0, 1}, {0, 2}, {1, 0}, {2, 0}});
  expect_ranks(pagerank(graph, {.damping = .9, .iterations = 1}), {1. / 30 + .6, 1. / 30 + .2, 1. / 30 + .1},
               exact);
}

TEST(pagerank_oracle, orders_ranks_by_external_id) {
  // 500 --> 20: 20 is vertex 0 and gets more.
  const pagerank_ranks got = pagerank(simple_graph({{500, 20}}));
  EXPECT_GT(got.ranks[0], got.ranks[1]);
}

TEST(pagerank_oracle, does_as_many_iterations_as_asked) {
  const simple_graph cycle({{0, 1}, {1, 0}});
  EXPECT_EQ(pagerank(cycle, {.iterations = 0}).iterations, 0u);
  EXPECT_EQ(pagerank(cycle, {.iterations = 17}).iterations, 17u);
  EXPECT_EQ(pagerank(cycle, {.tolerance = 0}).iterations, 1000u);  // no change is less than 0
}

TEST(pagerank_oracle, handles_graphs_without_edges_or_vertices) {
  expect_ranks(pagerank(simple_graph({}, {.vertex_count = 4})), {.25, .25, .25, .25}, exact);
  EXPECT_TRUE(pagerank(simple_graph({})).ranks.empty());
}

TEST(pagerank_oracle, keeps_the_sum_of_ranks_at_one) {
  const std::uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed();
  std::printf("seed %llu (repeat with --gtest_random_seed)\n", static_cast<unsigned long long>(seed));
  random_stream random(seed);
  for (int round = 0; round < 20; ++round) {
    const std::uint64_t vertices = 1 + random.below(60);
    std::vector<edge> edges(random.below(150));
    for (edge& e : edges) e = {random.below(vertices), random.below(vertices)};
    const simple_graph graph(edges, {.vertex_count = vertices});
    EXPECT_NEAR(sum(pagerank(graph).ranks), 1, 1e-12);
    EXPECT_LE(sum(pagerank(graph, {.dangling = dangling_policy::ignore}).ranks), 1 + 1e-12);
  }
}

}  // namespace
}  // namespace orujo::internal::verify
