#include "framework/verify/betweenness_oracle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal::verify {
namespace {

//        1
//      /   \           a path of two ways, symmetrized
//   0        3 --- 4
//      \   /
//        2
TEST(betweenness_oracle, shares_paths_among_ways) {
  const simple_graph graph({{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}}, {.symmetrize = true});
  const std::size_t all[] = {0, 1, 2, 3, 4};
  // 0: between 1 and 2, half of the paths, both ways; 1 and 2: half of 0-3 and 0-4; 3: 4 with all, half of
  // 1-2
  EXPECT_EQ(betweenness(graph, all).scores, (std::vector<double>{1, 2, 2, 7, 0}));
  EXPECT_EQ(betweenness(graph, std::span(all).first(1)).scores, (std::vector<double>{0, 1, 1, 1, 0}));
}

TEST(betweenness_oracle, follows_directions_and_counts_parallel_edges) {
  //   0 ==> 1 -> 3,  0 -> 2 -> 3 -> 4,  5
  const simple_graph graph({{0, 1}, {0, 1}, {1, 3}, {0, 2}, {2, 3}, {3, 4}}, {.vertex_count = 6});
  const std::size_t source[] = {0};
  const std::vector<double> found = betweenness(graph, source).scores;
  EXPECT_DOUBLE_EQ(found[1], 4.0 / 3);
  EXPECT_DOUBLE_EQ(found[2], 2.0 / 3);
  EXPECT_DOUBLE_EQ(found[3], 1);
  EXPECT_EQ(found[0] + found[4] + found[5], 0);
}

TEST(betweenness_oracle, shares_paths_among_edges) {
  const simple_graph graph({{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}}, {.symmetrize = true});
  const std::size_t all[] = {0, 1, 2, 3, 4};
  // 0 - 1 has the pair of both and half of 0-3, 0-4 and 1-2, both ways. 3 - 4 has all pairs of 4.
  const std::vector<plain_edge<double>> expected{{0, 1, 5}, {0, 2, 5}, {1, 3, 7}, {2, 3, 7}, {3, 4, 8}};
  EXPECT_EQ(edge_betweenness(graph, all, true).edges, expected);
  // 0 -> 1 -> 2 -> 2, of which the first edge is there twice
  const simple_graph directed({{0, 1}, {0, 1}, {1, 2}, {2, 2}});
  const std::vector<plain_edge<double>> once{{0, 1, 2}, {1, 2, 1}, {2, 2, 0}};
  EXPECT_EQ(edge_betweenness(directed, std::span(all).first(1), false).edges, once);
}

//   0 -1-> 1 -2-> 3 -1-> 4,  0 -2-> 2 -1-> 3,  0 -4-> 3
TEST(betweenness_oracle, adds_up_weights) {
  const simple_graph graph({{0, 1}, {1, 3}, {0, 2}, {2, 3}, {0, 3}, {3, 4}}, {}, {1, 2, 2, 1, 4, 1});
  const std::size_t source[] = {0};
  EXPECT_EQ(betweenness(graph, source, path_lengths::weights).scores, (std::vector<double>{0, 1, 1, 1, 0}));
  EXPECT_EQ(betweenness(graph, source).scores, (std::vector<double>{0, 0, 0, 1, 0}));
  const std::vector<plain_edge<double>> expected{{0, 1, 2}, {0, 2, 2}, {0, 3, 0},
                                                 {1, 3, 1}, {2, 3, 1}, {3, 4, 1}};
  EXPECT_EQ(edge_betweenness(graph, source, false, path_lengths::weights).edges, expected);
}

// Pair by pair, by counts of paths from both ends. Weights are small whole numbers, or 1.
std::vector<plain_edge<double>> scores_by_pairs(const simple_graph& graph) {
  const std::size_t n = graph.vertex_count(), never = 1000;
  const auto weight = [&](std::size_t v, std::size_t k) {
    return graph.out_weights(v).empty() ? std::size_t{1} : static_cast<std::size_t>(graph.out_weights(v)[k]);
  };
  std::vector<std::vector<std::size_t>> length(n, std::vector<std::size_t>(n, never));
  std::vector<std::vector<double>> paths(n, std::vector<double>(n, 0));
  for (std::size_t s = 0; s < n; ++s) {
    length[s][s] = 0;
    paths[s][s] = 1;
    for (std::size_t reached = 0; reached < never; ++reached) {
      for (std::size_t v = 0; v < n; ++v) {
        if (length[s][v] != reached) continue;
        for (std::size_t k = 0; k < graph.out_degree(v); ++k) {
          const std::size_t w = graph.out_neighbors(v)[k], through = reached + weight(v, k);
          if (through > length[s][w]) continue;
          paths[s][w] = paths[s][v] + (through == length[s][w] ? paths[s][w] : 0);
          length[s][w] = through;
        }
      }
    }
  }
  std::vector<plain_edge<double>> scores;
  for (std::size_t v = 0; v < n; ++v) {
    for (std::size_t k = 0; k < graph.out_degree(v); ++k) {
      const std::size_t w = graph.out_neighbors(v)[k];
      double score = 0;
      for (std::size_t s = 0; s < n; ++s) {
        for (std::size_t t = 0; t < n; ++t) {
          if (t != s && length[s][t] < never && length[s][v] + weight(v, k) + length[w][t] == length[s][t])
            score += paths[s][v] * paths[w][t] / paths[s][t];
        }
      }
      scores.push_back({v, w, score});
    }
  }
  return scores;
}

TEST(betweenness_oracle, is_that_of_all_pairs) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    random_stream random(seed);
    std::vector<edge> edges;
    std::vector<float> weights;
    for (int k = 0; k < 60; ++k) {
      edges.push_back({random.below(25), random.below(25)});
      if (seed > 3) weights.push_back(static_cast<float>(1 + random.below(3)));
    }
    const simple_graph graph(edges, {.vertex_count = 25, .remove_duplicates = true}, weights);
    std::vector<std::size_t> all(25);
    std::iota(all.begin(), all.end(), std::size_t{0});
    const auto found = edge_betweenness(graph, all, false, path_lengths::weights).edges,
               expected = scores_by_pairs(graph);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_EQ(std::pair(found[k].source, found[k].target),
                std::pair(expected[k].source, expected[k].target));
      EXPECT_NEAR(found[k].value, expected[k].value, 1e-10);
    }
    if (seed > 3) continue;
    const auto by_edges = edge_betweenness(graph, all, false).edges;
    EXPECT_EQ(by_edges, found);
  }
}

// Diamonds in a row, and a path of as many edges beside them:
//
//   0 -> {1, 2} -> 3 -> {4, 5} -> 6 ... -> last
//   0 -> last + 1 -> last + 2 ...       -> last
//
// After each diamond there are twice as many paths. One path leads to each vertex beside them.
TEST(betweenness_oracle, counts_more_paths_than_double_does) {
  for (const std::size_t diamonds : {10, 900, 1060, 1100, 20'000}) {
    std::vector<edge> edges;
    for (std::size_t k = 0; k < diamonds; ++k) {
      for (const std::size_t middle : {3 * k + 1, 3 * k + 2}) {
        edges.push_back({3 * k, middle});
        edges.push_back({middle, 3 * k + 3});
      }
    }
    const std::size_t last = 3 * diamonds, length = 2 * diamonds;
    edges.push_back({0, last + 1});
    for (std::size_t k = 2; k < length; ++k) edges.push_back({last + k - 1, last + k});
    edges.push_back({last + length - 1, last});
    const simple_graph graph(edges);
    const std::size_t source[] = {0};
    const expected_scores found = betweenness(graph, source);
    // To the last vertex lead 2^diamonds paths through the diamonds and one beside them.
    const double beside = std::exp2(-static_cast<double>(diamonds)),
                 through = diamonds < 53 ? 1 / (1 + beside) : 1;
    for (std::size_t k = 1; k < diamonds; ++k) {
      const double behind = 3 * static_cast<double>(diamonds - k) - 1 + through;
      EXPECT_NEAR(found.scores[3 * k], behind, found.relative_error * behind) << k;
      EXPECT_NEAR(found.scores[3 * k + 1], (behind - 2) / 2, found.relative_error * behind) << k;
    }
    EXPECT_EQ(found.scores[last + length - 1], beside * through);
  }
}

// On a grid, from a corner, all shortest paths are monotone, so their numbers are binomial coefficients.
TEST(betweenness_oracle, counts_the_paths_of_a_large_grid) {
  constexpr std::size_t width = 560;
  std::vector<edge> edges;
  for (std::size_t v = 0; v < width * width; ++v) {
    if (v % width + 1 < width) edges.push_back({v, v + 1});
    if (v + width < width * width) edges.push_back({v, v + width});
  }
  const simple_graph graph(edges);
  const std::size_t source[] = {0};
  const expected_scores found = betweenness(graph, source);
  const auto log_paths = [](std::size_t x, std::size_t y) {
    const auto a = static_cast<double>(x), b = static_cast<double>(y);
    return std::lgamma(a + b + 1) - std::lgamma(a + 1) - std::lgamma(b + 1);
  };
  for (const auto& [x, y] : {std::pair{1u, 1u}, {300u, 280u}, {540u, 30u}, {550u, 555u}}) {
    double expected = 0;
    for (std::size_t u = x; u < width; ++u) {
      for (std::size_t v = y; v < width; ++v)
        expected += std::exp(log_paths(x, y) + log_paths(u - x, v - y) - log_paths(u, v));
    }
    EXPECT_NEAR(found.scores[y * width + x] / (expected - 1), 1, 1e-8) << x << ", " << y;
  }
}

}  // namespace
}  // namespace orujo::internal::verify
