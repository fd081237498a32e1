#include "framework/exchange/bit_message.hpp"

#include <gtest/gtest.h>

#include "system/base/random.hpp"

namespace orujo::internal::exchange {
namespace {

// Each bit is set with a probability of per_mille / 1000.
std::vector<bit_word> make_words(std::size_t count, std::uint64_t per_mille) {
  random_stream random(count + per_mille);
  std::vector<bit_word> words(count);
  for (bit_word& word : words) {
    for (std::size_t k = 0; k < bits_of_word; ++k) word |= bit_word{random.below(1000) < per_mille} << k;
  }
  return words;
}

struct outcome {
  byte_counts bytes;
  int messages = 0;
  std::vector<bit_word> words;
};
outcome send(const codec_options& options, const std::vector<bit_word>& words, std::size_t payload_bytes,
             const std::vector<bit_word>& possible = {}) {
  bit_packer packer(options, payload_bytes);
  outcome o;
  std::vector<std::uint32_t> places;
  o.words.resize(words.size());
  std::size_t covered = 0;
  const auto mask_of = [&](std::size_t w) { return possible[w]; };
  packer.pack(words, possible, false, [&](const packed_bits& packed) {
    EXPECT_EQ(packed.what.first, covered);
    covered += packed.what.words;
    EXPECT_LE(packed.payload.size(), payload_bytes);
    unpacked_bits(packed.what, packed.payload, places)
        .for_each_word(mask_of, [&](std::size_t w, bit_word bits) {
          EXPECT_NE(bits, 0u);
          o.words[w] |= bits;
        });
    o.bytes += packed.bytes;
    ++o.messages;
  });
  EXPECT_EQ(covered, words.size());
  return o;
}

TEST(bit_message, comes_out_as_it_went_in) {
  for (const codec* c : codecs()) {
    for (const std::size_t count : {0, 1, 2, 499, 5000}) {
      for (const std::uint64_t per_mille : {0, 1, 30, 300, 900, 1000}) {
        const std::vector<bit_word> words = make_words(count, per_mille);
        const outcome o = send({place_of(c), 0}, words, 4000);
        EXPECT_EQ(o.words, words) << c->name << " " << count << " " << per_mille;
      }
    }
  }
}

TEST(bit_message, takes_the_shortest_form) {
  const std::vector<bit_word> sparse = make_words(5000, 1), some = make_words(5000, 100),
                              dense = make_words(5000, 500);
  EXPECT_EQ(send({-1, 0}, sparse, 4000).messages, 1);  // the words would take ten
  EXPECT_LT(send({-1, 0}, sparse, 4000).bytes.sent, 5000u * 8 / 20);
  EXPECT_LT(send({-1, 0}, some, 4000).bytes.sent, 5000u * 8 * 3 / 4);
  EXPECT_EQ(send({-1, 0}, dense, 4000).bytes.sent, 5000u * 8);
  const int none = place_of(find_codec("none"));
  for (const auto* words : {&sparse, &some, &dense}) {
    const outcome plain = send({none, 0}, *words, 4000);
    EXPECT_GE(plain.bytes.sent, plain.bytes.raw / 2);
    EXPECT_LE(plain.bytes.sent, plain.bytes.raw / 2 + 5 * static_cast<std::uint64_t>(plain.messages));
    EXPECT_EQ(plain.bytes.raw, send({-1, 0}, *words, 4000).bytes.raw);
  }
}

std::vector<bit_word> both(std::vector<bit_word> a, const std::vector<bit_word>& b) {
  for (std::size_t w = 0; w < a.size(); ++w) a[w] &= b[w];
  return a;
}

TEST(bit_message, comes_out_as_it_went_in_where_only_some_bits_can_be_set) {
  for (const codec* c : codecs()) {
    for (const std::size_t count : {0, 1, 2, 499, 5000}) {
      for (const std::uint64_t can : {0, 5, 300, 700, 1000}) {
        const std::vector<bit_word> possible = make_words(count, can);
        for (const std::uint64_t per_mille : {0, 1, 30, 300, 900, 1000}) {
          const std::vector<bit_word> words = both(make_words(count, per_mille), possible);
          const outcome o = send({place_of(c), 0}, words, 4000, possible);
          EXPECT_EQ(o.words, words) << c->name << " " << count << " " << can << " " << per_mille;
          EXPECT_EQ(o.bytes.raw, send({place_of(c), 0}, words, 4000).bytes.raw);
        }
      }
    }
  }
}

TEST(bit_message, has_no_room_for_bits_that_cannot_be_set) {
  const std::vector<bit_word> possible = make_words(5000, 250), words = both(make_words(5000, 500), possible);
  std::size_t can = 0;
  for (const bit_word word : possible) can += bits_of(word);
  const outcome o = send({-1, 0}, words, 4000, possible);
  EXPECT_GE(o.bytes.sent, can / 8);
  EXPECT_LE(o.bytes.sent, can / 8 + 8 * static_cast<std::size_t>(o.messages));
  // A few bits of many are sent as a list, whose indices stay as they are.
  const outcome few = send({-1, 0}, both(make_words(5000, 0), possible), 4000, possible);
  EXPECT_EQ(few.messages, 1);
  EXPECT_LE(few.bytes.sent, 8u);
}

}  // namespace
}  // namespace orujo::internal::exchange
