// The label propagation oracle against labels known by hand.
#include "framework/verify/label_propagation_oracle.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace orujo::internal::verify {
namespace {

using labels = std::vector<std::uint64_t>;

//   1 - 2      5 - 6
//    \ /   4    \ /       two triangles, and a vertex alone
//     3          7
const simple_graph labelled_triangles({{1, 2}, {2, 3}, {3, 1}, {5, 6}, {6, 7}, {7, 5}, {4, 4}},
                                      {.symmetrize = true});

TEST(label_propagation_oracle, begins_with_the_ids) {
  EXPECT_EQ(label_propagation(labelled_triangles, 0), (labels{1, 2, 3, 4, 5, 6, 7}));
}

TEST(label_propagation_oracle, breaks_ties_in_favour_of_the_smallest) {
  EXPECT_EQ(label_propagation(labelled_triangles, 1), (labels{2, 1, 1, 4, 6, 5, 5}));
  EXPECT_EQ(label_propagation(labelled_triangles, 2), (labels{1, 1, 1, 4, 5, 5, 5}));
}

TEST(label_propagation_oracle, follows_the_majority_along_edges_either_way) {
  //   9 -> 2 <= 8 (twice), 2 -> 5
  const simple_graph graph({{9, 2}, {8, 2}, {8, 2}, {2, 5}});
  EXPECT_EQ(label_propagation(graph, 1), (labels{8, 2, 2, 2}));
  EXPECT_EQ(label_propagation(graph, 2), (labels{2, 8, 8, 8}));
}

// A mutual edge counts twice:   1 <-> 2 <- 0, 3 -> 1, 4 -> 1
TEST(label_propagation_oracle, counts_mutual_edges_twice) {
  const simple_graph graph({{1, 2}, {2, 1}, {0, 2}, {3, 1}, {4, 1}});
  EXPECT_EQ(label_propagation(graph, 1), (labels{2, 2, 1, 1, 1}));
}

// example-directed of LDBC Graphalytics (graphalytics-validation, validation-graphs/example), and what its
// reference says after two iterations.
TEST(label_propagation_oracle, agrees_with_graphalytics) {
  const simple_graph graph({{1, 3},
                            {1, 5},
                            {2, 4},
                            {2, 5},
                            {2, 10},
                            {3, 1},
                            {3, 5},
                            {3, 8},
                            {3, 10},
                            {5, 3},
                            {5, 4},
                            {5, 8},
                            {6, 3},
                            {6, 4},
                            {7, 4},
                            {8, 1},
                            {9, 4}});
  EXPECT_EQ(label_propagation(graph, 2), (labels{1, 2, 3, 4, 1, 1, 2, 3, 2, 1}));
}

}  // namespace
}  // namespace orujo::internal::verify
