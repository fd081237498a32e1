#include "system/messages/credits.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "system/base/random.hpp"

namespace orujo::internal::messages {
namespace {

TEST(credits, let_a_task_go_on_up_to_the_bound) {
  credits c;
  for (std::uint32_t k = 0; k < 16; ++k) {
    EXPECT_TRUE(may_open(c, 16)) << k;
    EXPECT_EQ(are_short(c, 16), k >= 8) << k;
    ++c.sent;
  }
  EXPECT_FALSE(may_open(c, 16));
  EXPECT_EQ(beyond_bound(c, 16), 0u);
  ++c.sent;  // a handler's
  EXPECT_EQ(beyond_bound(c, 16), 1u);
  c.done = 9;
  EXPECT_TRUE(may_open(c, 16));
  c.held = true;
  EXPECT_FALSE(may_open(c, 16));
}

TEST(credits, count_on_where_32_bits_end) {
  credits c;
  c.sent = c.done = c.handled = c.told = ~std::uint32_t{0} - 2;
  for (int k = 0; k < 7; ++k) ++c.sent;
  EXPECT_EQ(c.in_flight(), 7u);
  EXPECT_TRUE(may_open(c, 8));
  for (int k = 0; k < 4; ++k) ++c.handled;
  EXPECT_TRUE(owes_word(c, 8));
  EXPECT_FALSE(owes_word(c, 10));
}

// Two cores that send to one another whatever they may, with words that take their time: nobody waits for a
// word that the other does not owe. A core whose credit is short sends nothing until it hears of some.
TEST(credits, that_are_short_are_answered) {
  for (const std::uint32_t bound : {2u, 3u, 5u, 16u}) {
    credits here, there;
    std::uint32_t on_their_way = 0, word = 0;
    random_stream random(bound);
    std::uint64_t answered = 0;
    for (int step = 0; step < 100'000; ++step) {
      switch (random.below(3)) {
        case 0:
          if (!may_open(here, bound) || are_short(here, bound)) break;
          ++here.sent;
          ++on_their_way;
          break;
        case 1:
          if (on_their_way == 0) break;
          --on_their_way;
          ++there.handled;
          if (owes_word(there, bound)) word = there.told = there.handled;
          break;
        default:
          if (here.done != word) ++answered;
          here.done = word;
      }
      ASSERT_LE(here.in_flight(), bound);
      if (are_short(here, bound) && on_their_way == 0) {
        ASSERT_NE(here.done, word) << "bound " << bound << ": short for ever";
      }
    }
    EXPECT_GT(answered, 1000u);
  }
}

}  // namespace
}  // namespace orujo::internal::messages
