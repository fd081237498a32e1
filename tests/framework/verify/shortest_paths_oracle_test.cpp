// The shortest paths oracle against distances worked out by hand, and the comparison against wrong ones.
#include "framework/verify/shortest_paths_oracle.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "framework/verify/value_comparison.hpp"

namespace orujo::internal::verify {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
using distances = std::vector<float>;

//   10 -7-> 20 -1-> 40        10 -2-> 30 -3-> 20        50 -1-> 10
const simple_graph detour({{10, 20}, {20, 40}, {10, 30}, {30, 20}, {50, 10}}, {}, {7, 1, 2, 3, 1});

TEST(shortest_paths_oracle, takes_the_lighter_detour_and_follows_directions) {
  EXPECT_EQ(shortest_paths<float>(detour, 0), (distances{0, 5, 2, 6, inf}));
  EXPECT_EQ(shortest_paths<float>(detour, 3), (distances{inf, inf, inf, 0, inf}));
}

TEST(shortest_paths_oracle, counts_edges_where_there_are_no_weights) {
  const simple_graph graph({{0, 1}, {1, 2}, {2, 3}, {0, 2}});
  EXPECT_EQ(shortest_paths<float>(graph, 0), (distances{0, 1, 1, 2}));
}

TEST(shortest_paths_oracle, takes_the_lightest_of_parallel_edges_and_zero_weights) {
  const simple_graph graph({{0, 1}, {0, 1}, {1, 1}, {1, 2}, {2, 0}}, {}, {5, 4, 0, 0, 0});
  EXPECT_EQ(shortest_paths<float>(graph, 0), (distances{0, 4, 4}));
  EXPECT_EQ(shortest_paths<float>(graph, 1), (distances{0, 0, 0}));
}

TEST(shortest_paths_oracle, rounds_after_every_edge) {
  const float tiny = 1.0f / (1 << 24);  // lost one by one beside 1
  const simple_graph graph({{0, 1}, {1, 2}, {2, 3}}, {}, {1, tiny, tiny});
  EXPECT_EQ(shortest_paths<float>(graph, 0), (distances{0, 1, 1, 1}));
}

TEST(shortest_paths_oracle, is_exact_for_whole_numbers_up_to_2_to_the_53) {
  const auto last = [](float first, float second) {
    return precise_distances(simple_graph({{0, 1}, {1, 2}, {2, 3}}, {}, {first, 1, second}), 0);
  };
  EXPECT_EQ(last(0x1p24f, 0).distances, (std::vector<double>{0, 0x1p24, 16777217, 16777217}));
  EXPECT_EQ(last(0x1p24f, 0).relative_error, 0);
  EXPECT_EQ(last(0x1p52f, 1).distances.back(), 0x1p52 + 2);
  EXPECT_EQ(last(0x1p53f, 1).distances.back(), 0x1p53 + 2) << "long doubles have 64 bits";
  EXPECT_EQ(last(3e38f, 3e38f).distances.back(), 2.0 * 3e38f);
  EXPECT_GT(last(0x1p53f, 1).relative_error, 2 * 0x1p-53);
  EXPECT_LT(last(0x1p53f, 1).relative_error, 5 * 0x1p-53);
  EXPECT_GT(last(0.1f, 1).relative_error, 2 * 0x1p-53);
  EXPECT_LT(last(0.1f, 1).relative_error, 5 * 0x1p-53);
  EXPECT_EQ(last(0, 0).relative_error, 0);
}

TEST(shortest_paths_oracle, may_have_no_vertices) {
  EXPECT_TRUE(shortest_paths<float>(simple_graph({}), 0).empty());
}

value_comparison<float> compare_distances(const distances& claimed) {
  value_comparison<float> c("distances", detour.ids(), shortest_paths<float>(detour, 0));
  for (std::size_t k = 0; k < claimed.size(); ++k) c.add(detour.ids()[k], claimed[k]);
  return c;
}

TEST(shortest_paths_oracle, is_what_wrong_distances_are_told_by) {
  EXPECT_TRUE(compare_distances({0, 5, 2, 6, inf}).agrees());
  EXPECT_FALSE(compare_distances({0, 7, 2, 8, inf}).agrees()) << "the heavier path";
  EXPECT_FALSE(compare_distances({0, 5, 2, 6, 1}).agrees()) << "a path against its edge";
  EXPECT_FALSE(compare_distances({0, 5, 2, inf, inf}).agrees()) << "a vertex not reached";
  EXPECT_FALSE(compare_distances({0, 5, 2, std::nextafter(6.0f, 7.0f), inf}).agrees()) << "one bit";
  EXPECT_FALSE(compare_distances({0, 5, 2, NAN, inf}).agrees());
  EXPECT_EQ(compare_distances({0, 7, 2, 8, inf}).describe(),
            "2 of 5 distances differ; vertex 20 has 7 where the serial oracle has 5");
}

}  // namespace
}  // namespace orujo::internal::verify
