#include "system/messages/flush_policy.hpp"

#include <gtest/gtest.h>

namespace orujo::internal::messages {
namespace {

TEST(flush_policy, decides_by_this_table) {
  using enum flush_reason;
  constexpr std::uint64_t max_age = 50'000;
  const struct {
    const char* situation;
    flush_state
        state;  // bytes filled, needed, capacity, then age, then idle, requested, blocked, short credit
    flush_reason expected;
  } cases[] = {
      {"nothing in it", {0, 0, 4064, 0, false, false}, none},
      {"nothing in it, though old, idle and requested", {0, 0, 4064, 1'000'000, true, true}, none},
      {"nothing in it and a message that fits only an empty block", {0, 4064, 4064, 0, false, false}, none},
      {"young, busy", {100, 0, 4064, 0, false, false}, none},
      {"young, busy, the message fits", {100, 16, 4064, 0, false, false}, none},
      {"the message fits to the last byte", {4048, 16, 4064, 0, false, false}, none},
      {"the message needs one byte more than there is", {4048, 17, 4064, 0, false, false}, full},
      {"filled to the last byte and nothing to append", {4064, 0, 4064, 0, false, false}, none},
      {"filled to the last byte and one to append", {4064, 1, 4064, 0, false, false}, full},
      {"full comes before all other reasons", {4064, 1, 4064, 1'000'000, true, true}, full},
      {"requested", {1, 0, 4064, 0, false, true}, requested},
      {"requested comes before idle and age", {1, 0, 4064, 1'000'000, true, true}, requested},
      {"the core is idle", {1, 0, 4064, 0, true, false}, idle},
      {"idle comes before age", {1, 0, 4064, 1'000'000, true, false}, idle},
      {"just not old enough", {1, 0, 4064, max_age - 1, false, false}, none},
      {"just old enough", {1, 0, 4064, max_age, false, false}, age},
      {"idle, but the way is blocked", {1, 0, 4064, 0, true, false, true}, none},
      {"old, but the way is blocked", {1, 0, 4064, 1'000'000, false, false, true}, none},
      {"requested, though the way is blocked", {1, 0, 4064, 0, false, true, true}, requested},
      {"full, though the way is blocked", {4064, 1, 4064, 0, false, false, true}, full},
      {"old, but credit is short", {100, 0, 4064, 1'000'000, false, false, false, true}, none},
      {"idle, though credit is short", {100, 0, 4064, 0, true, false, false, true}, idle},
      {"requested, though credit is short", {100, 0, 4064, 0, false, true, false, true}, requested},
      {"full, though credit is short", {4064, 1, 4064, 0, false, false, false, true}, full},
      {"very old", {1, 0, 4064, ~std::uint64_t{0}, false, false}, age},
  };
  for (const auto& c : cases) EXPECT_EQ(decide_flush(c.state, max_age), c.expected) << c.situation;
}

TEST(flush_policy, keeps_no_block_at_the_age_of_zero) {
  EXPECT_EQ(decide_flush({1, 0, 4064, 0, false, false}, 0), flush_reason::age);
}

TEST(flush_policy, waits_longer_the_more_blocks_are_open_and_the_more_they_cost) {
  constexpr std::uint64_t least = 50'000, most = 2'000'000;
  EXPECT_EQ(patience_ns(0, 1e6, least, most), least);
  EXPECT_EQ(patience_ns(1, 5'000, least, most), least);        // two nodes
  EXPECT_EQ(patience_ns(63, 2'000, least, most), 1'008'000u);  // an eighth of that is what they cost
  EXPECT_EQ(patience_ns(31, 8'000, least, most), 1'984'000u);
  EXPECT_EQ(patience_ns(100, 8'000, least, most), most);
  EXPECT_EQ(patience_ns(1'000, 8'000, least, most), 16'000'000u);  // half of that
  EXPECT_GT(patience_ns(~std::uint64_t{0}, 1e30, least, most), most);
}

TEST(flush_policy, waits_as_long_as_it_is_told_where_that_is_all) {
  for (const std::uint64_t age : {std::uint64_t{0}, std::uint64_t{50'000}, ~std::uint64_t{0}})
    EXPECT_EQ(patience_ns(1'000, 8'000, age, 0), age);
}

TEST(flush_policy, says_how_long_and_why) {
  constexpr std::uint64_t least = 50'000, most = 2'000'000;
  EXPECT_EQ(patience_text(100, 500, 7'000, 0), "7 us, as asked for");
  EXPECT_EQ(patience_text(0, 500, least, most), "50 us, as there are no other locales");
  EXPECT_EQ(patience_text(100, 500, least, most),
            "50 us, to other locales 400 us where a core writes to all of their 100: so much that blocks at "
            "500 ns each, a guess until it is measured, take an eighth of its time, from 50 up to 2000 us");
}

}  // namespace
}  // namespace orujo::internal::messages
