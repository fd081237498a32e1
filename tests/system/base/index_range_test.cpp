// The split of index ranges; the loops themselves are in forall_job_test.cpp, what they refuse is among the
// mistakes (tests/system/runtime/mistakes_test.cpp).
#include "system/base/index_range.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace orujo::internal {
namespace {

TEST(part_of, splits_a_range_into_consecutive_nearly_equal_parts) {
  for (std::size_t size : {0, 1, 2, 5, 7, 64, 100}) {
    for (std::size_t n : {1, 2, 3, 7, 64, 101}) {
      std::size_t at = 10;
      for (std::size_t k = 0; k < n; ++k) {
        const index_range part = part_of({10, 10 + size}, k, n);
        EXPECT_EQ(part.first, at);
        EXPECT_GE(part.size(), size / n);
        EXPECT_LE(part.size(), (size + n - 1) / n);
        at = part.last;
      }
      EXPECT_EQ(at, 10 + size) << size << " in " << n;
    }
  }
}

constexpr std::size_t most = std::numeric_limits<std::size_t>::max();

TEST(part_of, splits_ranges_up_to_the_largest_number) {
  EXPECT_EQ(part_of({0, most}, 1, 2).last, most);
  EXPECT_EQ(part_of({most - 3, most}, 0, 2).last, most - 1);
  EXPECT_EQ(part_of({most, most}, 2, 3).size(), 0u);
}

TEST(pieces_of, are_as_many_as_cover_all_iterations) {
  for (std::size_t iterations = 0; iterations < 20; ++iterations) {
    for (std::size_t step = 1; step < 25; ++step) {
      std::size_t pieces = 0;
      for (std::size_t covered = 0; covered < iterations; covered += step) ++pieces;
      EXPECT_EQ(base::pieces_of(iterations, step), pieces) << iterations << " by " << step;
    }
  }
  EXPECT_EQ(base::pieces_of(0, most), 0u);
  EXPECT_EQ(base::pieces_of(1000, most), 1u);
  EXPECT_EQ(base::pieces_of(most, most), 1u);
  EXPECT_EQ(base::pieces_of(most, most - 1), 2u);
  EXPECT_EQ(base::pieces_of(most, 1), most);
}

}  // namespace
}  // namespace orujo::internal
