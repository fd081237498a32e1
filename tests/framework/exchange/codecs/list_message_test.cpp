#include "framework/exchange/codecs/list_message.hpp"

#include <gtest/gtest.h>

#include "tests/framework/exchange/codecs/random_lists.hpp"

namespace orujo::internal::exchange {
namespace {

TEST(list_message, brings_every_list_in_every_codec_and_is_never_longer_than_raw) {
  for (const codec* c : codecs()) {
    for (const std::size_t count : test_lists::lengths()) {
      for (const auto& [name, list] : test_lists::of_length(count, 4)) {
        std::vector<std::byte> message(3);
        append_list(*c, list, message);
        const auto own = std::span<const std::byte>(message).subspan(3);
        EXPECT_LE(own.size(), list_head_bytes + list.size() * 4) << c->name << ", " << name;
        std::vector<std::uint32_t> back = {1, 2, 3};
        EXPECT_TRUE(read_list(own, list.size(), back).ok()) << c->name << ", " << name;
        EXPECT_EQ(back, list) << c->name << ", " << name;
      }
    }
  }
}

TEST(list_message, refuses_too_many_integers_before_it_has_memory_for_them) {
  std::vector<std::byte> message;
  append_list(*find_codec("bp128"), std::vector<std::uint32_t>{1, 2, 3}, message);
  std::vector<std::uint32_t> back;
  EXPECT_FALSE(read_list(message, 2, back).ok());
  EXPECT_TRUE(back.empty());
  EXPECT_TRUE(read_list(message, 3, back).ok());
  for (std::size_t size = 0; size < message.size(); ++size)
    EXPECT_FALSE(read_list(std::span(message).first(size), 3, back).ok()) << size;
  message[4] = static_cast<std::byte>(codecs().size());
  EXPECT_FALSE(read_list(message, 3, back).ok());
}

}  // namespace
}  // namespace orujo::internal::exchange
