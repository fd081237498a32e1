// How a job ends when a bulk operation is misused; each test is a job of its own.
#include "system/delegates/bulk.hpp"

#include <gtest/gtest.h>

#include "system/delegates/global_heap.hpp"
#include "tests/system/runtime/one_job.hpp"

namespace orujo::internal::delegates {
namespace {

using runtime::end_as_job;

TEST(bulk_death, refuses_to_copy_between_ranges_that_overlap) {
  const auto overlap = [] {
    const auto a = global_alloc<std::uint64_t>(100);
    copy(a, a + 99, 1);
    copy(a, a + 50, 50);
    copy(a, a + 50, 51);
    return status();
  };
  EXPECT_EXIT(end_as_job(overlap), testing::ExitedWithCode(78), "a copy between overlapping ranges");
  const auto beside = [] {
    const auto a = global_alloc<std::uint64_t>(100);
    copy(a, a + 99, 1);
    copy(a, a + 50, 50);
    return status();
  };
  EXPECT_EXIT(end_as_job(beside), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace orujo::internal::delegates
