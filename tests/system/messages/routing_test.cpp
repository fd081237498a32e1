#include "system/messages/routing.hpp"

#include <gtest/gtest.h>

#include <set>

namespace orujo::messages {
namespace {

TEST(routing, goes_straight_when_direct) {
  for (locale_id from = 0; from < 10; ++from) {
    for (locale_id to = 0; to < 10; ++to) EXPECT_EQ(next_hop(routing::direct, from, to, 10), to);
  }
}

//   0  1  2      9 locales in groups of 3; 10 are in groups of 4, the last of which has two members
//   3  4  5
//   6  7  8
TEST(routing, goes_over_the_locale_of_the_destinations_group_in_the_senders_place) {
  EXPECT_EQ(next_hop(routing::grid, 1, 2, 9), 2);  // the same group
  EXPECT_EQ(next_hop(routing::grid, 1, 7, 9), 7);  // in one's own place already
  EXPECT_EQ(next_hop(routing::grid, 1, 6, 9), 7);
  EXPECT_EQ(next_hop(routing::grid, 8, 0, 9), 2);
  EXPECT_EQ(next_hop(routing::grid, 2, 9, 10), 8);
  EXPECT_EQ(next_hop(routing::grid, 3, 8, 10), 9);
}

TEST(routing, arrives_after_at_most_two_hops_whatever_the_number_of_locales) {
  for (locale_id locales = 1; locales <= 70; ++locales) {
    for (locale_id from = 0; from < locales; ++from) {
      for (locale_id to = 0; to < locales; ++to) {
        if (from == to) continue;
        const locale_id hop = next_hop(routing::grid, from, to, locales);
        ASSERT_TRUE(hop >= 0 && hop < locales && hop != from) << from << " to " << to << " of " << locales;
        if (hop != to) {
          ASSERT_EQ(next_hop(routing::grid, hop, to, locales), to)
              << from << " to " << to << " of " << locales;
        }
      }
    }
  }
}

TEST(routing, leaves_a_locale_of_64_with_14_peers) {
  std::set<locale_id> peers;
  for (locale_id to = 0; to < 64; ++to) {
    if (to != 27) peers.insert(next_hop(routing::grid, 27, to, 64));
  }
  EXPECT_EQ(peers.size(), 14u);
}

}  // namespace
}  // namespace orujo::messages
