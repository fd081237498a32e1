#include "system/messages/room.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/runtime/runtime.hpp"
#include "tests/at_home.hpp"

namespace orujo::internal::messages {
namespace {

constexpr std::uint64_t mib = 1 << 20;

TEST(blocks_between, are_as_many_as_allowed_while_all_cores_fit) {
  EXPECT_EQ(blocks_between(1, 16, 32 * mib), 16u);
  EXPECT_EQ(blocks_between(128, 16, 32 * mib), 16u);
  EXPECT_EQ(blocks_between(128, 128, 32 * mib), 16u);
  EXPECT_EQ(blocks_between(129, 16, 32 * mib), 15u);
  EXPECT_EQ(blocks_between(512, 16, 32 * mib), 4u);
}

TEST(blocks_between, are_never_fewer_than_two) {
  EXPECT_EQ(blocks_between(1024, 16, 32 * mib), 2u);
  EXPECT_EQ(blocks_between(65'535, 16, 32 * mib), 2u);
  EXPECT_EQ(blocks_between(65'535, 16, 0), 2u);
}

std::uint32_t widened(std::uint32_t pieces, std::chrono::nanoseconds round_trip, std::uint64_t piece_bytes,
                      std::uint64_t most_bytes = 32 * mib) {
  widen(pieces, round_trip, piece_bytes, most_bytes);
  return pieces;
}

TEST(widen, fills_a_link_of_10_gigabits_whatever_its_delay) {
  using namespace std::chrono_literals;
  static_assert(bytes_of_round_trip(1ms) == 1'250'000);
  EXPECT_EQ(widened(16, 0ns, block_bytes), 16u);
  EXPECT_EQ(widened(16, 100us, block_bytes), 16u);  // 8 would do
  EXPECT_EQ(widened(16, 1ms, block_bytes), 77u);
  EXPECT_EQ(widened(16, 10ms, block_bytes), 763u);
  EXPECT_EQ(widened(16, 1s, block_bytes), 2048u);  // limited by memory
  EXPECT_EQ(widened(4, 1ms, 64 << 10), 20u);
  EXPECT_EQ(widened(4, 1ms, 64 << 10, 0), 4u);
}

TEST(blocks_between, bound_the_memory_of_a_locale_whatever_the_number_of_cores) {
  runtime::job_options options;
  for (const int locales : {1, 4, 16, 64}) {
    const job_shape shape(std::vector<int>(static_cast<std::size_t>(locales), 8));
    EXPECT_LE(runtime::message_memory_of(0, shape, options).blocks, 8 * 32 * mib) << locales;
  }
}

// 512 cores in one process: what their messages may take at most fits a small machine, and they meet.
TEST(jobs_of_many_cores, begin_and_end) {
  runtime::job_options options;
  options.cores = 8;
  options.steal = false;
  int met = 0;
  const exit_status ended = runtime::run_loopback(64, options, [&met] {
    loops::on_all_cores([to = at_home(met)] {
      const int sum = collectives::all_reduce(1);
      if (my_core() == 0) *to = sum;
    });
    return status();
  });
  EXPECT_EQ(ended, exit_status::ok);
  EXPECT_EQ(met, 512);
}

}  // namespace
}  // namespace orujo::internal::messages
