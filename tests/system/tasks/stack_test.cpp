#include "system/tasks/stack.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <vector>

#include "system/tasks/context.hpp"

namespace orujo::internal::tasks {
namespace {

constexpr std::size_t page_bytes = 4096;

std::size_t size_of(const stack& s) { return static_cast<std::size_t>(s.top - s.bottom); }

TEST(stack_pool, makes_stacks_of_at_least_the_size_asked_for) {
  stack_pool pool(32 << 10);
  for (int k = 0; k < 50; ++k) {
    const stack usual = pool.make();
    EXPECT_GE(size_of(usual), std::size_t{32} << 10);
    EXPECT_LE(size_of(usual), (std::size_t{32} << 10) + page_bytes);
    for (std::size_t bytes : {16384, 16385, 100'000, 1 << 20}) {
      const stack own = pool.make(bytes);
      EXPECT_GE(size_of(own), bytes);
      EXPECT_LE(size_of(own), bytes + 2 * page_bytes);
    }
  }
}

TEST(stack_pool, makes_stacks_that_can_be_written_but_for_the_canary) {
  stack_pool pool(16 << 10, stack_guard::canary);
  std::vector<stack> all;
  for (int k = 0; k < 50; ++k) {
    all.push_back(pool.make());
    std::memset(all.back().bottom + sizeof(std::uint64_t), 0xff, size_of(all.back()) - sizeof(std::uint64_t));
  }
  for (const stack& s : all) {
    EXPECT_FALSE(s.guarded);
    stack_pool::check(s, "nobody");
  }
}

TEST(stack_pool, aligns_and_staggers_the_tops) {
  stack_pool pool(16 << 10);
  std::set<std::uintptr_t> offsets_in_page;
  for (int k = 0; k < 21; ++k) {
    const auto top = reinterpret_cast<std::uintptr_t>(pool.make().top);
    EXPECT_EQ(top % 64, 0u);
    offsets_in_page.insert(top % page_bytes);
  }
  EXPECT_EQ(offsets_in_page.size(), 21u);
}

class guarded_stack : public testing::TestWithParam<stack_guard> {};
INSTANTIATE_TEST_SUITE_P(, guarded_stack, testing::Values(stack_guard::advised, stack_guard::mapped),
                         [](const auto& tested) {
                           return tested.param == stack_guard::advised ? "advised" : "mapped";
                         });

TEST_P(guarded_stack, knows_its_guard) {
  stack_pool pool(16 << 10, GetParam());
  const stack s = pool.make();
  ASSERT_TRUE(s.guarded);
  EXPECT_TRUE(s.guard_contains(s.bottom - 1));
  EXPECT_TRUE(s.guard_contains(s.bottom - s.guard_bytes));
  EXPECT_FALSE(s.guard_contains(s.bottom));
  EXPECT_FALSE(s.guard_contains(s.bottom - s.guard_bytes - 1));
  EXPECT_FALSE(s.guard_contains(s.top));
}

TEST_P(guarded_stack, has_a_guard_that_cannot_be_written) {
  stack_pool pool(16 << 10, GetParam());
  for (const stack& s : {pool.make(), pool.make(), pool.make(40 << 10)}) {
    volatile std::byte* last = s.bottom;
    *last = std::byte{1};  // this one can
    EXPECT_DEATH(*(s.bottom - 1) = std::byte{0}, "");
    EXPECT_DEATH(*(s.bottom - page_bytes) = std::byte{0}, "");
  }
}

TEST_P(guarded_stack, needs_no_canary) {
  stack_pool pool(16 << 10, GetParam());
  const stack s = pool.make();
  *s.bottom = std::byte{0xff};
  stack_pool::check(s, "nobody");
}

TEST(stack_death, ends_the_job_when_the_canary_is_overwritten) {
  stack_pool pool(16 << 10, stack_guard::canary);
  for (std::size_t changed = 0; changed < sizeof(std::uint64_t); ++changed) {
    const stack s = pool.make();
    s.bottom[changed] ^= std::byte{1};
    EXPECT_EXIT(
        stack_pool::check(s, "the_culprit()"), testing::ExitedWithCode(72),
        testing::MatchesRegex(  // a job may have been in this process before
            "(\\[locale 0\\] )?FATAL: stack overflow in task the_culprit\\(\\): raise --stack_bytes\n"));
  }
}

TEST(stack_death, ends_the_job_where_there_is_no_address_space) {
  stack_pool pool(16 << 10);
  EXPECT_EXIT(pool.make(std::size_t{1} << 60), testing::ExitedWithCode(71),
              "FATAL: no memory for stack 1 of");
}

// Towards the limit protected stacks lack guards, which the log says once.
TEST(stack_death, works_past_the_limit_of_mappings) {
#if defined(ORUJO_ADDRESS_SANITIZER) || defined(ORUJO_THREAD_SANITIZER)
  GTEST_SKIP() << "the sanitizers need mappings of their own";
#endif
  std::ifstream file("/proc/sys/vm/max_map_count");
  std::size_t most = 0;
  file >> most;
  if (most == 0 || most > 100'000) GTEST_SKIP() << "vm.max_map_count is " << most << ": too many to reach";
  const auto make_too_many = [most] {
    stack_pool pool(16 << 10, stack_guard::mapped);
    for (std::size_t k = 0; k < most / 2 + 100; ++k) stack_pool::check(pool.make(), "nobody");
    std::fputs("worked\n", stderr);
    std::_Exit(0);
  };
  EXPECT_EXIT(make_too_many(), testing::ExitedWithCode(0), "^[^\n]*\n[^\n]*no more guards[^\n]*\nworked\n$");
}

}  // namespace
}  // namespace orujo::internal::tasks
