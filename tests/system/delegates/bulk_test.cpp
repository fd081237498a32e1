// How a job ends when a bulk operation is misused; each test is a job of its own.
#include "system/delegates/bulk.hpp"

#include <gtest/gtest.h>

#include "system/base/fatal.hpp"
#include "system/delegates/global_heap.hpp"
#include "system/runtime/runtime.hpp"

namespace orujo::delegates {
namespace {

// Runs `main_task` on core 0 of a job of two locales of one core.
void run_job(status (*main_task)()) {
  install_fatal_handlers();
  runtime::job_options options;
  options.cores = 1;
  std::_Exit(static_cast<int>(runtime::run_loopback(2, options, main_task)));
}

TEST(bulk_death, refuses_to_copy_between_ranges_that_overlap) {
  const auto overlap = [] {
    const auto a = global_alloc<std::uint64_t>(100);
    copy(a, a + 99, 1);
    copy(a, a + 50, 50);
    copy(a, a + 50, 51);
    return status();
  };
  EXPECT_EXIT(run_job(overlap), testing::ExitedWithCode(70), "a copy between overlapping ranges");
  const auto beside = [] {
    const auto a = global_alloc<std::uint64_t>(100);
    copy(a, a + 99, 1);
    copy(a, a + 50, 50);
    return status();
  };
  EXPECT_EXIT(run_job(beside), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace orujo::delegates
