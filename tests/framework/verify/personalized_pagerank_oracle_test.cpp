// The oracle of personalized PageRank against ranks known by hand.
#include "framework/verify/personalized_pagerank_oracle.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::verify {
namespace {

using walker_shares = std::vector<double>;

//   1 -> 2 -> 3      4 -> 1
//    \ -> 3
const simple_graph surfed_graph({{1, 2}, {2, 3}, {1, 3}, {4, 1}});

TEST(personalized_pagerank_oracle, walks_from_the_source) {
  EXPECT_EQ(personalized_pagerank(surfed_graph, {{0, 1}}, 0.5, 0), (walker_shares{1, 0, 0, 0}));
  EXPECT_EQ(personalized_pagerank(surfed_graph, {{0, 1}}, 0.5, 1), (walker_shares{0.5, 0.25, 0.25, 0}));
  EXPECT_EQ(personalized_pagerank(surfed_graph, {{3, 1}}, 1, 1), (walker_shares{1, 0, 0, 0}));
}

// From 2 half goes on and half back, from 3 all:  0.25 + 0.125 + 0.25
TEST(personalized_pagerank_oracle, goes_back_from_where_no_edge_leads_on) {
  EXPECT_EQ(personalized_pagerank(surfed_graph, {{0, 1}}, 0.5, 2), (walker_shares{0.625, 0.125, 0.25, 0}));
}

// From 1 a quarter of all goes on, from 4 a quarter goes to 1, and half begins anew at both.
TEST(personalized_pagerank_oracle, begins_at_several_vertices) {
  EXPECT_EQ(personalized_pagerank(surfed_graph, {{0, 0.5}, {3, 0.5}}, 0.5, 1),
            (walker_shares{0.5, 0.125, 0.125, 0.25}));
}

}  // namespace
}  // namespace orujo::internal::verify
