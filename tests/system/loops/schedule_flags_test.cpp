#include "system/loops/schedule_flags.hpp"

#include <gflags/gflags.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/system/loops/loop_threads.hpp"

namespace orujo::internal::loops {
namespace {

// Chunks of 3 and load as much as the number of their first iteration: told apart from chunks of 2.
struct threes {
  inspected inspect(std::size_t first, std::size_t last) const {
    return {std::min(first + 3, last), static_cast<double>(first)};
  }
};

// The sizes of the chunks of 24 iterations on 2 cores, and where the second core begins (24: nowhere).
struct made {
  std::vector<std::size_t> sizes;
  std::size_t second;
  bool operator==(const made&) const = default;
};
made cut(const char* flag, schedule_kind automatic, bool with_policy) {
  gflags::SetCommandLineOption("schedule", flag);
  shared_loop loop(
      {0, 24}, 2,
      with_policy ? schedule_from_flags(2, threes(), automatic) : schedule_from_flags(2, automatic));
  made m{{}, 24};
  for (const auto& of_core : execute_in_order(loop, {0, 1})) {
    for (const chunk& c : of_core) {
      m.sizes.resize(loop.chunks());
      m.sizes[c.number] = c.last - c.first;
    }
  }
  if (loop.deals_parts()) m.second = loop.part(1).first;
  return m;
}

TEST(schedule_flags, make_the_schedule_that_is_asked_for) {
  const gflags::FlagSaver as_before;
  const std::vector<std::size_t> twos(12, 2), policys(8, 3);
  const auto is = [](const char* flag, made expected, bool with_policy = true,
                     schedule_kind automatic = schedule_kind::dynamic) {
    const made got = cut(flag, automatic, with_policy);
    EXPECT_EQ(got.sizes, expected.sizes) << flag;
    EXPECT_EQ(got.second, expected.second) << flag;
  };
  is("static", {twos, 12});
  is("round_robin", {twos, 24});
  is("dynamic", {twos, 24});
  is("static_steal", {twos, 12});
  is("usersched", {policys, 12});
  is("usersched_profiled", {policys, 18});  // 0 + 3 + .. + 15 = 45 of 84
  is("usersched", {twos, 12}, false);
  is("auto", {twos, 24});
  is("auto", {policys, 18}, true, schedule_kind::profiled);
  EXPECT_EQ(cut("guided", schedule_kind::dynamic, true).sizes.front(), 6u);
}

}  // namespace
}  // namespace orujo::internal::loops
