#include "system/messages/block.hpp"

#include <gtest/gtest.h>

#include <cstddef>

namespace orujo::internal::messages {
namespace {

TEST(padded, is_the_next_multiple_of_eight) {
  const struct {
    std::size_t bytes, expected;
  } cases[] = {{0, 0}, {1, 8}, {7, 8}, {8, 8}, {9, 16}, {4095, 4096}, {4096, 4096}};
  for (const auto& c : cases) EXPECT_EQ(padded(c.bytes), c.expected) << c.bytes;
}

TEST(block, has_its_content_after_its_header) {
  alignas(8) std::byte memory[block_bytes];
  block* b = reinterpret_cast<block*>(memory);
  EXPECT_EQ(b->content(), memory + 32);
  EXPECT_EQ(b->content() + max_block_content, memory + block_bytes);
}

TEST(block, travels_padded_so_that_the_next_in_the_parcel_is_aligned) {
  block b{};
  const struct {
    std::uint32_t bytes;
    std::size_t expected;
  } cases[] = {{0, 32}, {16, 48}, {17, 56}, {24, 56}, {max_block_content, block_bytes}};
  for (const auto& c : cases) {
    b.bytes = c.bytes;
    EXPECT_EQ(b.wire_bytes(), c.expected) << c.bytes;
  }
}

TEST(block, holds_the_largest_message_with_its_run_header) {
  EXPECT_LE(sizeof(block) + sizeof(run_header) + max_message_bytes, block_bytes);
  EXPECT_EQ(max_message_bytes % message_alignment, 0u);
  EXPECT_EQ((sizeof(block) + sizeof(run_header)) % message_alignment, 0u);
}

}  // namespace
}  // namespace orujo::internal::messages
