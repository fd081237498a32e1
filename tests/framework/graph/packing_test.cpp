#include "framework/graph/packing.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace orujo::internal::graph {
namespace {

TEST(packing, counts_the_lanes_of_whole_vectors) {
  const std::vector<std::uint64_t> offsets = {0, 1, 1, 9, 26};  // degrees 1, 0, 8, 17
  EXPECT_EQ(pack_rows(offsets, 4).edges, 26u);
  EXPECT_EQ(pack_rows(offsets, 4).lanes, 4u + 0 + 8 + 20);
  EXPECT_EQ(pack_rows(offsets, 8).lanes, 8u + 0 + 8 + 24);
  EXPECT_EQ(pack_rows(offsets, 16).lanes, 16u + 0 + 16 + 32);
  EXPECT_DOUBLE_EQ(pack_rows(offsets, 4).efficiency(), 26.0 / 32);
  EXPECT_DOUBLE_EQ(pack_rows({}, 4).efficiency(), 1);
}

TEST(packing, adds_up_over_cores) {
  const std::vector<std::uint64_t> offsets = {0, 5, 12, 30};
  packing sum = pack_rows(std::span(offsets).first(2), 4);
  sum += pack_rows(std::span(offsets).subspan(1), 4);
  EXPECT_EQ(sum.edges, pack_rows(offsets, 4).edges);
  EXPECT_EQ(sum.lanes, pack_rows(offsets, 4).lanes);
}

}  // namespace
}  // namespace orujo::internal::graph
