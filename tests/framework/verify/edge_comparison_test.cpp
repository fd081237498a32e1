#include "framework/verify/edge_comparison.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::verify {
namespace {

using valued_edges = std::vector<plain_edge<double>>;

edge_comparison<double> compared(const valued_edges& found, double tolerance = 0) {
  edge_comparison<double> check("edges", {10, 20, 30}, {{0, 1, 1}, {1, 2, 2}}, tolerance);
  for (const plain_edge<double>& e : found) check.add(e);
  return check;
}

TEST(edge_comparison, accepts_the_expected_edges_alone) {
  EXPECT_TRUE(compared({{0, 1, 1}, {1, 2, 2}}).agrees());
  EXPECT_EQ(compared({{0, 1, 1}, {1, 2, 2}}).describe(), "all 2 edges are the serial oracle's");
  for (const valued_edges& wrong :
       {valued_edges{}, valued_edges{{0, 1, 1}}, valued_edges{{0, 1, 1}, {1, 2, 2}, {1, 2, 2}},
        valued_edges{{0, 1, 1}, {0, 2, 2}}, valued_edges{{1, 0, 1}, {1, 2, 2}},
        valued_edges{{0, 1, 1}, {1, 2, 2.5}}, valued_edges{{1, 2, 2}, {0, 1, 1}}})
    EXPECT_FALSE(compared(wrong).agrees());
}

TEST(edge_comparison, names_the_first_edge_that_differs) {
  EXPECT_EQ(compared({{0, 1, 1}, {0, 2, 2.5}}).describe(),
            "1 of 2 edges differ; 10 - 30 with 2.5 is there where the serial oracle has 20 - 30 with 2");
  EXPECT_EQ(compared({{0, 1, 1}}).describe(), "1 edge where the serial oracle has 2");
}

TEST(edge_comparison, accepts_values_within_the_tolerance) {
  EXPECT_TRUE(compared({{0, 1, 1.0009}, {1, 2, 2}}, 1e-3).agrees());
  EXPECT_FALSE(compared({{0, 1, 1.0011}, {1, 2, 2}}, 1e-3).agrees());
}

}  // namespace
}  // namespace orujo::internal::verify
