#include "system/messages/open_blocks.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <utility>
#include <vector>

#include "system/base/aligned_bytes.hpp"

namespace orujo::internal::messages {
namespace {

using looker = open_blocks::looker;
constexpr std::uint64_t age = 50'000, most_age = 2'000'000;
constexpr double block_ns = 500;

// Core 0 of two locales: core 1 is of its own, 2 to 33 are of the other.
struct open_blocks_of_core : testing::Test {
  block* open(core_id to) {
    memory.push_back(base::make_aligned_bytes(block_bytes));
    block* empty = new (memory.back().get()) block{};
    empty->destination = to;
    blocks.open(empty);
    return empty;
  }
  // A message of 8 bytes, as the messenger puts it there.
  void put(core_id to, std::uint64_t value, handler_id id = 1) {
    std::byte* at = blocks.goes_on<true>(to, id, no_tag, 8) ? blocks.append<true>(to, 8)
                                                            : blocks.start_run(to, id, no_tag, 8, true);
    ASSERT_NE(at, nullptr);
    std::memcpy(at, &value, 8);
  }
  using leavings = std::vector<std::pair<core_id, flush_reason>>;
  leavings look(open_blocks::look now, open_blocks::outlook before = {}) {
    leavings left;
    blocks.send_due(
        now,
        [&](core_id to) {
          EXPECT_GE(to, 2) << "is of this locale";
          return before;
        },
        [&](core_id to, flush_reason why) {
          left.emplace_back(to, why);
          blocks.seal(to, why, traffic);
        });
    return left;
  }

  job_shape shape{{2, 32}};
  std::deque<base::aligned_bytes> memory;
  block_traffic traffic;
  work_ledger ledger{0};
  open_blocks blocks{0, shape, ledger, age, most_age};
};

TEST_F(open_blocks_of_core, hold_runs_as_they_were_put_there) {
  block* b = open(1);
  for (std::uint64_t k = 0; k < 3; ++k) put(1, k);
  put(1, 3, 2);
  EXPECT_FALSE(blocks.goes_on<true>(1, 1, no_tag, 8));
  EXPECT_TRUE(blocks.goes_on<true>(1, 2, no_tag, 8));
  EXPECT_FALSE(blocks.goes_on<true>(1, 2, 7, 8)) << "another tag";
  EXPECT_EQ(blocks.seal(1, flush_reason::requested, traffic), b);
  EXPECT_FALSE(blocks.has(1));
  EXPECT_FALSE(blocks.goes_on<true>(1, 2, no_tag, 8));
  ASSERT_EQ(b->bytes, 2 * sizeof(run_header) + 4 * 8);
  const auto* first = reinterpret_cast<const run_header*>(b->content());
  EXPECT_EQ(first->count, 3u);
  EXPECT_EQ(first->bytes, 24u);
  const auto* second = reinterpret_cast<const run_header*>(b->content() + sizeof(run_header) + 24);
  EXPECT_EQ(second->handler, 2);
  EXPECT_EQ(second->count, 1u);
  EXPECT_EQ(traffic.messages_sent, 4u);
  EXPECT_EQ(traffic.bytes_sent, b->bytes);
  EXPECT_EQ(traffic.blocks_sent[static_cast<std::size_t>(flush_reason::requested)], 1u);
}

TEST_F(open_blocks_of_core, have_no_room_beyond_their_last_byte) {
  open(2);
  const std::size_t most = (max_block_content - sizeof(run_header)) / 8;
  for (std::uint64_t k = 0; k < most; ++k) put(2, k);
  EXPECT_FALSE(blocks.goes_on<true>(2, 1, no_tag, 8));
  EXPECT_EQ(blocks.start_run(2, 1, no_tag, 8, true), nullptr);
  EXPECT_EQ(blocks.seal(2, flush_reason::full, traffic)->bytes, sizeof(run_header) + most * 8);
  EXPECT_EQ(traffic.messages_sent, most);
}

TEST_F(open_blocks_of_core, count_messages_with_a_tag_before_they_leave) {
  constexpr std::uint32_t tag = 7;
  open(1);
  blocks.start_run(1, 1, tag, 8, true);
  blocks.append<true>(1, 8);
  EXPECT_EQ(ledger.at(tag).issued(), (max_block_content - sizeof(run_header)) / 8) << "as many as fit";
  blocks.start_run(1, 2, tag, 24, false);
  blocks.append<false>(1, 4 * 8);
  blocks.append<false>(1, least_with_payload);
  EXPECT_GE(ledger.at(tag).issued(), 2u + 3u);
  put(1, 0);
  EXPECT_EQ(ledger.at(tag).issued(), 2u + 3u) << "their runs have ended";
  blocks.start_run(1, 1, tag, 8, true);
  blocks.seal(1, flush_reason::requested, traffic);
  EXPECT_EQ(ledger.at(tag).read(), (work_counts{6, 0}));
}

TEST_F(open_blocks_of_core, leave_a_busy_core_when_they_are_old) {
  open(1);
  put(1, 0);
  EXPECT_EQ(look({looker::busy, 1'000, block_ns}), leavings());  // found
  EXPECT_EQ(look({looker::busy, 1'000 + age - 1, block_ns}), leavings());
  EXPECT_EQ(look({looker::busy, 1'000 + age, block_ns}), leavings()) << "it has just been looked at";
  EXPECT_EQ(look({looker::busy, 1'000 + 2 * age, block_ns}), (leavings{{1, flush_reason::age}}));
  EXPECT_EQ(blocks.destinations(), 0u);
}

TEST_F(open_blocks_of_core, get_older_where_there_are_many_for_other_locales) {
  for (core_id to = 1; to < shape.cores(); ++to) {
    open(to);
    put(to, 0);
  }
  const std::uint64_t far_age = patience_ns(32, block_ns, age, most_age);
  ASSERT_GT(far_age, 2 * age);
  EXPECT_EQ(look({looker::busy, 1, block_ns}), leavings());
  EXPECT_EQ(look({looker::busy, 1 + far_age - 1, block_ns}), (leavings{{1, flush_reason::age}}));
  EXPECT_EQ(look({looker::busy, 1 + 2 * far_age, block_ns}).size(), 32u);
  // A new block has no age yet, whatever the age of its predecessor.
  open(2);
  put(2, 0);
  EXPECT_EQ(look({looker::busy, 1 + 4 * far_age, block_ns}), leavings());
}

TEST_F(open_blocks_of_core, stay_where_the_way_is_blocked_but_not_within_the_locale) {
  for (core_id to : {1, 2}) {
    open(to);
    put(to, 0);
  }
  EXPECT_EQ(look({looker::idle}, {.way_is_blocked = true}), (leavings{{1, flush_reason::idle}}));
  EXPECT_EQ(look({looker::on_request}, {.way_is_blocked = true}), (leavings{{2, flush_reason::requested}}));
}

TEST_F(open_blocks_of_core, are_looked_at_no_more_once_they_have_left) {
  for (core_id to : {1, 2}) {
    open(to);
    put(to, 0);
  }
  blocks.seal(1, flush_reason::full, traffic);
  EXPECT_EQ(blocks.destinations(), 2u);
  EXPECT_EQ(look({looker::idle}), (leavings{{2, flush_reason::idle}}));
  EXPECT_EQ(blocks.destinations(), 0u);
}

}  // namespace
}  // namespace orujo::internal::messages
