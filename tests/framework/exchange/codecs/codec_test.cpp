#include "framework/exchange/codecs/codec.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/framework/exchange/codecs/random_lists.hpp"

namespace orujo::internal::exchange {
namespace {

using bytes = std::vector<std::byte>;

bytes encoded(const codec& c, const std::vector<std::uint32_t>& list) {
  bytes into(c.room(list.size()));
  const std::size_t used = c.encode(list, into);
  EXPECT_LE(used, into.size()) << c.name;
  into.resize(used);
  return into;
}

// Returns whether the codec encodes the list.
bool pays(const codec& c, const std::vector<std::uint32_t>& list) {
  bytes into(c.room(list.size()));
  return c.encode(list, into) != does_not_pay;
}

// Decodes from exactly these bytes, so that a sanitizer sees every access beyond them. Returns whether the
// codec accepts them; then the list ascends. Nothing beside the output may be written.
bool accepts(const codec& c, const bytes& from, std::size_t count,
             std::vector<std::uint32_t>* list = nullptr) {
  constexpr std::uint32_t untouched = 0xabcdef01;
  const bytes exact(from.begin(), from.end());
  std::vector<std::uint32_t> into(count + 16, untouched);
  const status s = c.decode(exact, std::span(into).subspan(8, count));
  for (std::size_t k = 0; k < 8; ++k) {
    EXPECT_EQ(into[k], untouched) << c.name;
    EXPECT_EQ(into[8 + count + k], untouched) << c.name;
  }
  const auto first = into.begin() + 8, last = first + static_cast<std::ptrdiff_t>(count);
  if (s.ok()) {
    EXPECT_EQ(std::adjacent_find(first, last, std::greater_equal<>()), last) << c.name;
  } else {
    EXPECT_EQ(s.code(), exit_status::bad_data);
    EXPECT_EQ(s.message().find(std::string(c.name) + ": "), 0u) << s.message();
  }
  if (list) list->assign(first, last);
  return s.ok();
}

TEST(codec, gives_back_lists_of_every_length_and_gap) {
  for (const codec* c : codecs()) {
    for (const std::size_t count : test_lists::lengths()) {
      for (const auto& [name, list] : test_lists::of_length(count, count)) {
        if (!pays(*c, list)) continue;
        std::vector<std::uint32_t> back;
        EXPECT_TRUE(accepts(*c, encoded(*c, list), list.size(), &back)) << c->name << ", " << name;
        EXPECT_EQ(back, list) << c->name << ", " << name;
      }
    }
  }
}

TEST(codec, only_the_bitmap_declines_and_only_what_would_be_longer_than_raw) {
  for (const codec* c : codecs()) {
    for (const std::size_t count : test_lists::lengths()) {
      for (const auto& [name, list] : test_lists::of_length(count, 5)) {
        const std::uint64_t range = list.empty() ? 0 : std::uint64_t{list.back()} - list.front() + 1;
        const bool longer = !list.empty() && 4 + (range + 7) / 8 > 4 * list.size();
        EXPECT_EQ(pays(*c, list), c->name != "bitmap" || !longer) << c->name << ", " << name;
      }
    }
  }
}

TEST(codec, refuses_every_truncation_and_every_extension) {
  for (const codec* c : codecs()) {
    for (const std::size_t count : {1, 2, 9, 64, 129, 300}) {
      for (const auto& [name, list] : test_lists::of_length(count, 1)) {
        if (!pays(*c, list)) continue;
        const bytes whole = encoded(*c, list);
        for (std::size_t size = 0; size < whole.size(); ++size) {
          const bytes part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
          EXPECT_FALSE(accepts(*c, part, list.size())) << c->name << ", " << name << ", " << size << " bytes";
        }
        bytes more = whole;
        more.push_back(std::byte{0});
        EXPECT_FALSE(accepts(*c, more, list.size())) << c->name << ", " << name;
      }
    }
  }
}

TEST(codec, survives_every_byte_changed_and_every_wrong_count) {
  for (const codec* c : codecs()) {
    for (const std::size_t count : {1, 5, 64, 130, 260}) {
      for (const auto& [name, list] : test_lists::of_length(count, 2)) {
        if (!pays(*c, list)) continue;
        const bytes whole = encoded(*c, list);
        for (std::size_t at = 0; at < whole.size(); ++at) {
          for (const int flip : {1, 2, 0x10, 0x80, 0xff}) {
            bytes wrong = whole;
            wrong[at] ^= static_cast<std::byte>(flip);
            accepts(*c, wrong, list.size());
          }
        }
        for (const std::size_t other : {std::size_t{0}, count - 1, count + 1, count + 128, std::size_t{5000}})
          if (other != list.size()) accepts(*c, whole, other);
        EXPECT_FALSE(accepts(*c, whole, 0)) << c->name << ", " << name;
      }
    }
  }
}

TEST(codec, survives_random_bytes) {
  random_stream random(99);
  for (const codec* c : codecs()) {
    for (int round = 0; round < 3000; ++round) {
      bytes noise(random.below(200));
      for (std::byte& b : noise) b = static_cast<std::byte>(random() >> (random.below(2) ? 56 : 62));
      accepts(*c, noise, random.below(300));
    }
  }
}

TEST(codec, refuses_lists_that_wrap_around_or_stand_still) {
  const std::vector<std::uint32_t> raw = {5, 5}, falling = {6, 5};
  for (const auto& list : {raw, falling}) {
    const auto as_bytes = std::as_bytes(std::span(list));
    EXPECT_FALSE(accepts(*find_codec("none"), bytes(as_bytes.begin(), as_bytes.end()), 2));
  }
  // The list is 2^32 - 2, then two gaps of 1, of which the second wraps around.
  const auto from = [](std::initializer_list<int> all) {
    bytes b;
    for (const int x : all) b.push_back(static_cast<std::byte>(x));
    return b;
  };
  EXPECT_TRUE(accepts(*find_codec("bp128"), from({0xfe, 0xff, 0xff, 0xff, 0}), 2));
  EXPECT_FALSE(accepts(*find_codec("bp128"), from({0xfe, 0xff, 0xff, 0xff, 0}), 3));
  EXPECT_TRUE(accepts(*find_codec("varint"), from({0xfe, 0xff, 0xff, 0xff, 0x0f, 0}), 2));
  EXPECT_FALSE(accepts(*find_codec("varint"), from({0xfe, 0xff, 0xff, 0xff, 0x0f, 0, 0}), 3));
  EXPECT_FALSE(accepts(*find_codec("varint"), from({0xfe, 0xff, 0xff, 0xff, 0x1f}), 1));
  EXPECT_TRUE(accepts(*find_codec("pfor"), from({0xfe, 0xff, 0xff, 0xff, 0}), 2));
  EXPECT_FALSE(accepts(*find_codec("pfor"), from({0xfe, 0xff, 0xff, 0xff, 0}), 3));
  EXPECT_TRUE(accepts(*find_codec("stream_varint"), from({3, 0xfe, 0xff, 0xff, 0xff, 0}), 2));
  EXPECT_FALSE(accepts(*find_codec("stream_varint"), from({3, 0xfe, 0xff, 0xff, 0xff, 0, 0}), 3));
  EXPECT_TRUE(accepts(*find_codec("bitmap"), from({0xfe, 0xff, 0xff, 0xff, 3}), 2));
  EXPECT_FALSE(accepts(*find_codec("bitmap"), from({0xfe, 0xff, 0xff, 0xff, 7}), 3));
}

TEST(codec, is_found_by_its_name_and_none_comes_first) {
  EXPECT_EQ(codecs().front()->name, "none");
  for (const codec* c : codecs()) EXPECT_EQ(find_codec(c->name), c);
  EXPECT_EQ(find_codec("zip"), nullptr);
  EXPECT_EQ(codec_names(), "none, bp128, varint, bitmap, lz4, pfor, stream_varint");
}

}  // namespace
}  // namespace orujo::internal::exchange
