#include "system/messages/traffic.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace orujo::internal::messages {
namespace {

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// Locale 0 has two cores; one sent 10 messages in 2 blocks to locale 1, the other 5 in one.
traffic_table two_locales(std::uint64_t packed = 3, std::uint64_t packed_ticks = 3 * 150) {
  traffic_table table(2);
  block_traffic to_1;
  to_1.messages_sent = 10;
  to_1.bytes_sent = max_block_content;
  to_1.blocks_sent[static_cast<std::size_t>(flush_reason::full)] = 1;
  to_1.blocks_sent[static_cast<std::size_t>(flush_reason::idle)] = 1;
  to_1.posted = 2;
  to_1.posted_ticks = 2 * 100;
  table.add_core(0, std::vector<block_traffic>{{}, to_1});
  to_1.messages_sent = 5;
  to_1.blocks_sent[static_cast<std::size_t>(flush_reason::idle)] = 0;
  to_1.posted = 1;
  to_1.posted_ticks = 100;
  table.add_core(0, std::vector<block_traffic>{{}, to_1});
  block_traffic from_0;
  from_0.messages_received = 15;
  table.add_core(1, std::vector<block_traffic>{from_0, {}});
  post_traffic post{std::vector<parcel_traffic>(2), {}, 1000, 2.0, 65536};
  post.peers[1] = {2, 65536, 0, 0, packed, packed_ticks};
  table.add_post(0, post);
  return table;
}

TEST(traffic, is_the_sum_over_a_locales_cores) {
  const traffic_table table = two_locales();
  const pair_traffic& p = table.between(0, 1);
  EXPECT_EQ(p.messages, 15u);
  EXPECT_EQ(p.messages_received, 15u);
  EXPECT_EQ(p.blocks(), 3u);
  EXPECT_DOUBLE_EQ(p.block_fill(), 2.0 / 3);
  EXPECT_EQ(p.parcels, 2u);
  EXPECT_DOUBLE_EQ(p.parcel_fill(), 0.5);
  EXPECT_EQ(table.between(1, 0).messages, 0u);
  EXPECT_EQ(table.between(1, 0).block_fill(), 0);
}

TEST(traffic, knows_how_long_blocks_waited) {
  EXPECT_DOUBLE_EQ(two_locales().between(0, 1).mean_wait(), 100e-9);  // 50 ticks of 2 ns each
  // One still waits, since tick 100, at tick 1000.
  EXPECT_DOUBLE_EQ(two_locales(2, 2 * 150).between(0, 1).seconds_waited, (50 + 50 + 900) * 2e-9);
  // One was packed at tick 995 after its core's figures were taken: next to nothing, and never negative.
  EXPECT_NEAR(two_locales(4, 3 * 150 + 995).between(0, 1).seconds_waited, 3 * 50 * 2e-9, 11e-9);
  EXPECT_EQ(two_locales(4, 3 * 100 + 995).between(0, 1).seconds_waited, 0);
}

TEST(traffic, of_few_locales_is_shown_by_pair) {
  const std::string text = two_locales().text();
  EXPECT_EQ(lines_of(text), 2u + 4 + 2 + 2) << text;
  EXPECT_NE(text.find("33.3"), std::string::npos) << text;
}

TEST(traffic, of_many_locales_is_shown_by_its_extremes) {
  constexpr int locales = 40;
  traffic_table table(locales);
  for (locale_id from = 0; from < locales; ++from) {
    std::vector<block_traffic> peers(locales);
    for (locale_id to = 0; to < locales; ++to) {
      peers[static_cast<std::size_t>(to)].messages_sent = from == 7 && to == 9 ? 123456 : 10;
    }
    table.add_core(from, peers);
  }
  const std::string text = table.text();
  EXPECT_LT(lines_of(text), 30u) << text;
  EXPECT_NE(text.find("123456 (7 to 9)"), std::string::npos) << text;
  const auto parsed = nlohmann::json::parse(fmt::format("{{{}}}", table.json_members()));
  EXPECT_EQ(parsed["traffic"].size(), std::size_t{locales} * locales);
}

TEST(traffic, of_unused_pairs_is_left_out_of_the_json) {
  const auto parsed = nlohmann::json::parse(fmt::format("{{{}}}", two_locales().json_members()));
  ASSERT_EQ(parsed["traffic"].size(), 1u);
  EXPECT_EQ(parsed["traffic"][0]["from"], 0);
  EXPECT_EQ(parsed["traffic"][0]["to"], 1);
  EXPECT_EQ(parsed["traffic"][0]["messages"], 15);
}

}  // namespace
}  // namespace orujo::internal::messages
