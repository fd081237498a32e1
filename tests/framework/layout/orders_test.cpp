#include "framework/layout/orders.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <queue>
#include <tuple>

#include "tests/framework/layout/random_edges.hpp"

namespace orujo::internal::layout {
namespace {

std::vector<std::uint32_t> values(const graph::index_array& of) {
  std::vector<std::uint32_t> all;
  for (std::uint64_t k = 0; k < of.size(); ++k) all.push_back(static_cast<std::uint32_t>(of[k]));
  return all;
}

void expect_permutation(std::vector<std::uint32_t> order, std::size_t vertices) {
  std::sort(order.begin(), order.end());
  std::vector<std::uint32_t> all(vertices);
  std::iota(all.begin(), all.end(), 0u);
  EXPECT_EQ(order, all);
}

std::vector<std::uint32_t> places_of(const vertex_sequence& order) {
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t k = 0; k < order.size(); ++k) place[order[k]] = k;
  return place;
}

// Levels of a search from the lowest vertex of each component, and that vertex.
std::vector<std::pair<std::uint32_t, std::uint32_t>> component_levels(const undirected_graph& g) {
  constexpr std::uint32_t unseen = ~0u;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found(g.vertices(), {unseen, unseen});
  for (std::uint32_t root = 0; root < g.vertices(); ++root) {
    if (found[root].first != unseen) continue;
    std::queue<std::uint32_t> next;
    found[root] = {root, 0};
    for (next.push(root); !next.empty(); next.pop()) {
      for (const std::uint32_t w : g.of(next.front())) {
        if (found[w].first != unseen) continue;
        found[w] = {root, found[next.front()].second + 1};
        next.push(w);
      }
    }
  }
  return found;
}

TEST(orders, by_hubs_have_those_above_the_average_first_and_keep_the_rest) {
  const std::uint32_t degrees[] = {1, 9, 2, 2, 8, 2};  // 4 on average
  EXPECT_EQ(values(hub_cluster_order(degrees)), (std::vector<std::uint32_t>{1, 4, 0, 2, 3, 5}));
  EXPECT_TRUE(values(hub_cluster_order({})).empty());
  const std::uint32_t same[] = {3, 3, 3};
  EXPECT_EQ(values(hub_cluster_order(same)), (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(orders, breadth_first_have_components_and_levels_together) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const undirected_graph g = testing::random_graph(80, 20 + 4 * seed, seed);
    const vertex_sequence order = breadth_first_order(g);
    expect_permutation(order, 80);
    const auto levels = component_levels(g);
    for (std::size_t k = 1; k < order.size(); ++k)
      EXPECT_LE(levels[order[k - 1]], levels[order[k]]) << "seed " << seed << " place " << k;
  }
}

TEST(orders, depth_first_go_on_from_the_last_vertex_that_has_neighbours_left) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const undirected_graph g = testing::random_graph(80, 20 + 4 * seed, seed);
    const vertex_sequence order = depth_first_order(g);
    expect_permutation(order, 80);
    const std::vector<std::uint32_t> place = places_of(order);
    for (std::uint32_t k = 1; k < order.size(); ++k) {
      // The latest vertex before k that has a neighbour at k or later must have its lowest such there.
      std::uint32_t expected = ~0u;
      for (std::uint32_t j = k; j-- > 0 && expected == ~0u;) {
        for (const std::uint32_t w : g.of(order[j])) {
          if (place[w] >= k) expected = std::min(expected, w);
        }
      }
      if (expected == ~0u) expected = *std::min_element(order.begin() + k, order.end());
      EXPECT_EQ(order[k], expected) << "seed " << seed << " place " << k;
    }
  }
}

TEST(orders, of_a_drawn_tree_are_as_drawn) {
  //          0
  //      1       2
  //    3   4   5   6
  const undirected_graph g = testing::complete_tree(7);
  EXPECT_EQ(breadth_first_order(g), (vertex_sequence{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(depth_first_order(g), (vertex_sequence{0, 1, 3, 4, 2, 5, 6}));
}

TEST(orders, by_communities_are_permutations) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const undirected_graph g = testing::random_graph(80, 4 * seed, seed);
    expect_permutation(community_order(g), 80);
  }
  EXPECT_TRUE(community_order(make_undirected(0, {})).empty());
}

TEST(orders, by_communities_have_what_a_bridge_joins_in_two_pieces) {
  //   0---2         1---3
  //   | x |         | x |
  //   6---4 ------- 5---7
  std::vector<edge> edges = {{4, 5}};
  for (const std::uint64_t side : {0, 1}) {
    for (std::uint64_t a = side; a < 8; a += 2) {
      for (std::uint64_t b = a + 2; b < 8; b += 2) edges.push_back({a, b});
    }
  }
  const vertex_sequence order = community_order(make_undirected(8, edges));
  expect_permutation(order, 8);
  for (std::size_t k = 1; k < 4; ++k) EXPECT_EQ(order[k] % 2, order[0] % 2) << "place " << k;
}

TEST(orders, by_communities_join_communities_through_what_their_members_have_left) {
  // Cliques of four; the k-th has vertices k, k + 16, k + 32 and k + 48. Pairs of cliques are joined by four
  // edges, and pairs of pairs by nothing.
  std::vector<edge> edges;
  for (std::uint64_t clique = 0; clique < 16; ++clique) {
    for (std::uint64_t a = clique; a < 64; a += 16) {
      for (std::uint64_t b = a + 16; b < 64; b += 16) edges.push_back({a, b});
      if (clique < 8) edges.push_back({a, a + 8});
    }
  }
  const vertex_sequence order = community_order(make_undirected(64, edges));
  expect_permutation(order, 64);
  for (std::size_t k = 0; k < 64; ++k) EXPECT_EQ(order[k] % 8, order[k / 8 * 8] % 8) << "place " << k;
}

TEST(orders, by_communities_find_planted_ones) {
  constexpr std::uint32_t communities = 20, vertices = 400;  // v is of community v % 20
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    random_stream random(seed);
    std::vector<edge> edges;
    for (std::uint64_t v = 0; v < vertices; ++v) {
      for (int k = 0; k < 6; ++k) edges.push_back({v, v % communities + communities * random.below(20)});
      edges.push_back({v, random.below(vertices)});
    }
    const vertex_sequence order = community_order(make_undirected(vertices, edges));
    std::size_t changes = 0;
    for (std::size_t k = 1; k < vertices; ++k)
      changes += order[k] % communities != order[k - 1] % communities;
    EXPECT_LT(changes, 100u) << "seed " << seed;  // 380 at random, 19 at least
  }
}

}  // namespace
}  // namespace orujo::internal::layout
