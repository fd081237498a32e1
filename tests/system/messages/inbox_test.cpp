#include "system/messages/inbox.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "system/base/aligned_bytes.hpp"

namespace orujo::internal::messages {
namespace {

struct inbox_of_core : testing::Test {
  block* make(std::uint32_t bytes) {
    memory.push_back(base::make_aligned_bytes(block_bytes));
    block* made = new (memory.back().get()) block{};
    made->bytes = bytes;
    return made;
  }

  alignas(node::alarms::bytes_per_core) std::array<std::byte, node::alarms::bytes_for(1)> bell{};
  std::vector<base::aligned_bytes> memory;
  inbox box{node::alarms(bell.data(), 1), 0};
};

TEST_F(inbox_of_core, takes_back_blocks_together) {
  const std::vector<block*> three = {make(8), make(0), make(24)}, one = {make(16)};
  box.give_back(three);
  box.give_back(one);
  const block* first = box.returned.take_all();
  ASSERT_EQ(first, three[0]);
  ASSERT_EQ(first->next, one[0]);
  EXPECT_EQ(first->next->next, nullptr);
  EXPECT_EQ(returned_blocks::of(*three[0]).counted(), 2u) << "an acknowledgement does not count";
  EXPECT_EQ(returned_blocks::of(*one[0]).counted(), 1u);
  const auto others = returned_blocks::of(*three[0]).others();
  EXPECT_EQ(std::vector<block*>(others.begin(), others.end()), (std::vector{three[1], three[2]}));
  EXPECT_TRUE(returned_blocks::of(*one[0]).others().empty());
}

TEST_F(inbox_of_core, gets_blocks_in_the_order_delivered) {
  const std::vector<block*> blocks = {make(8), make(16), make(24)};
  for (block* b : blocks) box.deliver(b);
  block* at = box.arrived.take_all();
  for (const block* b : blocks) {
    ASSERT_EQ(at, b);
    at = at->next;
  }
  EXPECT_EQ(at, nullptr);
  EXPECT_TRUE(box.arrived.empty());
}

}  // namespace
}  // namespace orujo::internal::messages
