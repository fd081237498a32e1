#include "framework/verify/closeness_oracle.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::verify {
namespace {

// Distances to 2 are 2 and 1, to 1 they are 1, and nothing reaches 0 and 3.
//   0 -> 1 -> 2      3
const simple_graph path({{0, 1}, {1, 2}}, {.vertex_count = 4});

TEST(closeness_oracle, counts_distances_to_a_vertex) {
  const std::vector<std::size_t> all = {0, 1, 2, 3};
  const expected_closeness found = find_closeness(path, all);
  EXPECT_EQ(found.closeness, (std::vector<double>{0, 1, 2.0 / 3, 0}));
  EXPECT_EQ(found.improved, (std::vector<double>{0, 1.0 / 3, 4.0 / 9, 0}));
  EXPECT_EQ(found.harmonic, (std::vector<double>{0, 1, 1.5, 0}));
  EXPECT_EQ(found.relative_error, 0x1p-50);
}

// 0 reaches both others. 1 reaches 2, and is not a source of its own score.
TEST(closeness_oracle, scales_the_sums_of_a_sample) {
  const std::vector<std::size_t> first = {0}, two = {0, 1};
  EXPECT_EQ(find_closeness(path, first).closeness, (std::vector<double>{0, 1, 0.5, 0}));
  EXPECT_EQ(find_closeness(path, first).harmonic, (std::vector<double>{0, 3, 1.5, 0}));
  EXPECT_EQ(find_closeness(path, two).improved, (std::vector<double>{0, 1, 2.0 / 3, 0}));
  EXPECT_EQ(find_closeness(path, two).harmonic, (std::vector<double>{0, 3, 2.25, 0}));
}

TEST(closeness_oracle, takes_graphs_without_edges) {
  const std::vector<std::size_t> all = {0};
  EXPECT_EQ(find_closeness(simple_graph({}, {.vertex_count = 1}), all).harmonic, std::vector<double>{0});
  EXPECT_TRUE(find_closeness(simple_graph({}, {.vertex_count = 0}), {}).closeness.empty());
}

}  // namespace
}  // namespace orujo::internal::verify
