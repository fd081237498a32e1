#include "system/watch/memory_guard.hpp"

#include <gflags/gflags.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include "system/base/fatal.hpp"
#include "tests/sanitized.hpp"

DECLARE_uint64(memory_budget_bytes);

namespace orujo::internal::watch {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

TEST(memory_pace, runs_out_where_what_is_left_does_not_last_for_two_more_looks) {
  memory_pace pace;
  EXPECT_FALSE(pace.runs_out(600 * mib, 500 * mib)) << "the first look knows no pace";
  for (std::uint64_t left = 500 * mib; left > 200 * mib; left -= 100 * mib)
    EXPECT_FALSE(pace.runs_out(left, 1100 * mib - left)) << left;
  EXPECT_EQ(pace.grown(), 100 * mib);
  EXPECT_TRUE(pace.runs_out(200 * mib, 900 * mib));
}

TEST(memory_pace, is_that_of_all_processes) {
  memory_pace pace;
  EXPECT_FALSE(pace.runs_out(1000 * mib, 500 * mib));
  EXPECT_FALSE(pace.runs_out(850 * mib, 501 * mib)) << "another one has taken 149";
  EXPECT_FALSE(pace.runs_out(700 * mib, 502 * mib));
  EXPECT_TRUE(pace.runs_out(300 * mib, 503 * mib));
}

TEST(memory_pace, lets_alone_who_has_what_it_needs) {
  memory_pace pace;
  for (const std::uint64_t left : {1000 * mib, mib, std::uint64_t{0}})
    EXPECT_FALSE(pace.runs_out(left, 500 * mib)) << left;
  EXPECT_FALSE(pace.runs_out(0, 400 * mib)) << "it gives some back";
  EXPECT_FALSE(pace.runs_out(0, 400 * mib + 1000)) << "a page or two";
}

TEST(memory_pace, a_first_look_at_no_memory_ends_nothing) {
  memory_pace pace;
  EXPECT_FALSE(pace.runs_out(0, 500 * mib));
}

TEST(memory_pace, looks_the_more_often_the_less_is_left) {
  using std::chrono::milliseconds;
  EXPECT_EQ(memory_pace::until_next_look(0, 2), milliseconds(1));
  EXPECT_EQ(memory_pace::until_next_look(1024 * mib, 2), milliseconds(32));
  EXPECT_EQ(memory_pace::until_next_look(1024 * mib, 1), milliseconds(64));
  EXPECT_EQ(memory_pace::until_next_look(1024 * 1024 * mib, 2), milliseconds(500));
}

// Takes and touches so much memory, unless somebody ends it.
void take_memory(int mebibytes) {
  const memory_guard guard(3);
  std::vector<std::vector<char>> taken;
  for (int k = 0; k < mebibytes; ++k) taken.emplace_back(mib, 'x');
}

TEST(memory_guard_death, ends_the_job_before_it_takes_more_than_its_budget) {
  if (sanitized) GTEST_SKIP() << "sanitizers take memory of their own";
  FLAGS_memory_budget_bytes = 100 * mib;
  EXPECT_EXIT(take_memory(2000), testing::ExitedWithCode(71),
              "^\\[locale 3\\] FATAL: memory runs out: [0-9]+ MiB are left, and this process has [0-9]+ .*"
              "--memory_budget_bytes");
  FLAGS_memory_budget_bytes = 0;
}

TEST(memory_guard_death, says_nothing_where_there_is_enough) {
  EXPECT_EXIT(
      {
        take_memory(100);
        std::_Exit(0);
      },
      testing::ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace orujo::internal::watch
