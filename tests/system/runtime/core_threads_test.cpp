#include "system/runtime/core_threads.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>

#include "system/base/fatal.hpp"
#include "tests/sanitized.hpp"

namespace orujo::internal::runtime {
namespace {

TEST(core_threads, run_all_cores_but_the_first_once_told_to_begin) {
  std::atomic<unsigned> cores_run{0};
  core_threads threads(4, [&](std::size_t core) { cores_run += 1u << core; });
  EXPECT_EQ(cores_run, 0u);
  threads.begin();
  threads.join();
  EXPECT_EQ(cores_run, 0b1110u);
}

TEST(core_threads, run_none_where_they_are_given_up) {
  std::atomic<bool> any{false};
  {
    core_threads threads(3, [&](std::size_t) { any = true; });
  }
  EXPECT_FALSE(any);
}

TEST(core_threads_death, say_so_where_the_system_has_no_more) {
  if (sanitized) GTEST_SKIP() << "the sanitizers need all address space";
  const auto ask_for_too_many = [] {
    const rlimit little{std::size_t{1} << 30, RLIM_INFINITY};
    setrlimit(RLIMIT_AS, &little);
    const base::failures_are_thrown instead;
    try {
      core_threads threads(4000, [](std::size_t) {});
    } catch (const job_error& e) {
      std::fprintf(stderr, "%s\n", e.what());
      std::_Exit(static_cast<int>(e.code()));
    }
  };
  EXPECT_EXIT(ask_for_too_many(), testing::ExitedWithCode(71),
              "^no thread for core [0-9]+ of the 4000 of this locale");
}

}  // namespace
}  // namespace orujo::internal::runtime
