// The split of index ranges; the loops themselves are in forall_job_test.cpp.
#include "system/loops/forall.hpp"

#include <gtest/gtest.h>

namespace orujo::loops {
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

}  // namespace
}  // namespace orujo::loops
