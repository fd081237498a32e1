// The oracles' graph: numbering by ascending id, and what the options remove and add.
#include "framework/verify/simple_graph.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace orujo::internal::verify {
namespace {

// The edges in external ids, in order.
std::vector<edge> edges_of(const simple_graph& graph) {
  std::vector<edge> edges;
  for (std::size_t u = 0; u < graph.vertex_count(); ++u) {
    for (const std::size_t v : graph.out_neighbors(u)) edges.push_back({graph.ids()[u], graph.ids()[v]});
  }
  EXPECT_EQ(edges.size(), graph.edge_count());
  return edges;
}

using ids = std::vector<std::uint64_t>;
using edges = std::vector<edge>;

//   7 --> 3     900 loops to itself; 7 --> 3 is there twice
//   ^     |
//   '-----'
const edges small = {{7, 3}, {900, 900}, {3, 7}, {7, 3}};

TEST(simple_graph, counts_the_in_edges_of_the_vertex_that_has_most) {
  EXPECT_EQ(simple_graph(small).most_in_edges(), 2u);
  EXPECT_EQ(simple_graph(small, {.remove_duplicates = true}).most_in_edges(), 1u);
  EXPECT_EQ(simple_graph({}).most_in_edges(), 0u);
}

TEST(simple_graph, numbers_the_ids_that_occur) {
  const simple_graph graph(small);
  EXPECT_EQ(graph.ids(), (ids{3, 7, 900}));
  EXPECT_EQ(edges_of(graph), (edges{{3, 7}, {7, 3}, {7, 3}, {900, 900}}));
  EXPECT_EQ(graph.out_degree(1), 2u);
}

TEST(simple_graph, has_isolated_vertices_where_their_number_is_given) {
  const simple_graph graph({{1, 3}}, {.vertex_count = 5});
  EXPECT_EQ(graph.ids(), (ids{0, 1, 2, 3, 4}));
  EXPECT_EQ(edges_of(graph), (edges{{1, 3}}));
  EXPECT_EQ(graph.out_degree(4), 0u);
}

TEST(simple_graph, removes_duplicates) {
  EXPECT_EQ(edges_of(simple_graph(small, {.remove_duplicates = true})), (edges{{3, 7}, {7, 3}, {900, 900}}));
}

TEST(simple_graph, removes_self_loops_but_keeps_their_vertices) {
  const simple_graph graph(small, {.remove_self_loops = true});
  EXPECT_EQ(graph.ids(), (ids{3, 7, 900}));
  EXPECT_EQ(edges_of(graph), (edges{{3, 7}, {7, 3}, {7, 3}}));
}

//   7 -5-> 3, 7 -2-> 3, 3 -4-> 7
TEST(simple_graph, keeps_the_lightest_of_duplicates) {
  const edges two_ways = {{7, 3}, {7, 3}, {3, 7}};
  const simple_graph graph(two_ways, {.remove_duplicates = true}, {5, 2, 4});
  EXPECT_EQ(edges_of(graph), (edges{{3, 7}, {7, 3}}));
  EXPECT_EQ(graph.out_weights(0)[0], 4);
  EXPECT_EQ(graph.out_weights(1)[0], 2);
  const simple_graph both(two_ways, {.symmetrize = true}, {5, 2, 4});
  EXPECT_EQ(both.out_weights(0)[0], 2);
  EXPECT_EQ(both.out_weights(1)[0], 2);
  EXPECT_TRUE(simple_graph(two_ways).out_weights(0).empty());
}

//   7 -5-> 3, 7 -2-> 3, 7 -1-> 3, 3 -4-> 7
TEST(simple_graph, weighs_what_stays_of_duplicates_as_asked) {
  const edges two_ways = {{7, 3}, {7, 3}, {7, 3}, {3, 7}};
  const auto weights = [&](kept_weight keep, bool symmetrize) {
    const simple_graph graph(
        two_ways, {.symmetrize = symmetrize, .remove_duplicates = true, .keep_weight = keep}, {5, 2, 1, 4});
    EXPECT_EQ(edges_of(graph), (edges{{3, 7}, {7, 3}}));
    return std::pair(graph.out_weights(0)[0], graph.out_weights(1)[0]);
  };
  EXPECT_EQ(weights(kept_weight::heaviest, false), std::pair(4.0f, 5.0f));
  EXPECT_EQ(weights(kept_weight::sum, false), std::pair(4.0f, 8.0f));
  EXPECT_EQ(weights(kept_weight::sum, true), std::pair(12.0f, 12.0f));
}

TEST(simple_graph, adds_up_weights_of_duplicates_in_double_precision) {
  const simple_graph graph(edges(1000, {0, 1}), {.remove_duplicates = true, .keep_weight = kept_weight::sum},
                           std::vector<float>(1000, 8388609));
  EXPECT_EQ(graph.out_weights(0)[0], static_cast<float>(8388609e3));
}

//   1 --> 2 --> 3 --> 3
TEST(simple_graph, symmetrizes_with_each_edge_once) {
  const edges path = {{1, 2}, {2, 3}, {3, 3}, {2, 1}};
  EXPECT_EQ(edges_of(simple_graph(path, {.symmetrize = true})),
            (edges{{1, 2}, {2, 1}, {2, 3}, {3, 2}, {3, 3}}));
  EXPECT_EQ(edges_of(simple_graph(path, {.remove_self_loops = true, .symmetrize = true})),
            (edges{{1, 2}, {2, 1}, {2, 3}, {3, 2}}));
}

TEST(simple_graph, may_be_empty) {
  EXPECT_EQ(simple_graph({}).vertex_count(), 0u);
  EXPECT_EQ(simple_graph({}, {.vertex_count = 2}).edge_count(), 0u);
}

TEST(simple_graph_death_test, checks_that_ids_are_below_the_vertex_count) {
  EXPECT_DEATH(simple_graph({{1, 5}}, {.vertex_count = 5}), "vertex 5 of a graph of 5");
}

}  // namespace
}  // namespace orujo::internal::verify
