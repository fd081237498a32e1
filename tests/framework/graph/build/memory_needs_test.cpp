#include "framework/graph/build/memory_needs.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::graph {
namespace {

TEST(bytes_to_build, counts_what_lies_side_by_side) {
  build_options options;
  // Rows of 4 bytes and vectors of 6 are more than keys of 8.
  EXPECT_EQ(bytes_to_build({0, 1000, false}, options), 10'000u);
  EXPECT_EQ(bytes_to_build({0, 1000, true}, options), 20'000u);
  options.keep = {.in_vectors = false, .in_rows = false, .out_rows = true};
  EXPECT_EQ(bytes_to_build({0, 1000, false}, options), 12'000u);  // rows of in-edges, keys of out-edges
  options.symmetrize = true;
  EXPECT_EQ(bytes_to_build({0, 1000, false}, options), 8'000u);
  EXPECT_GT(bytes_to_build({10, 1000, false}, options), 8'000u);
}

}  // namespace
}  // namespace orujo::internal::graph
