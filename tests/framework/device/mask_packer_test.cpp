#include "framework/device/mask_packer.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <string>

#include "framework/device/serial.hpp"
#include "framework/exchange/bit_message.hpp"
#include "framework/exchange/codecs/list_message.hpp"
#include "system/base/random.hpp"

namespace orujo::internal::device {
namespace {

using exchange::bit_word;
using words = std::vector<bit_word>;

// Each bit is set with probability 1 / inverse.
words random_bits(std::size_t bits, std::uint64_t inverse, std::uint64_t seed) {
  words mask((bits + 63) / 64);
  for (std::size_t k = 0; k < bits; ++k) {
    if (mix64(seed * 1000003 + k) % inverse == 0) mask[k / 64] |= bit_word{1} << k % 64;
  }
  return mask;
}

struct named_mask {
  std::string name;
  words bits;
};

// Around the lengths of rounds, chunks and blocks.
std::vector<named_mask> masks() {
  std::vector<named_mask> all;
  for (const std::size_t bits :
       {64, 128, 192, 64 * 31, 64 * 32, 64 * 33, 64 * 127, 64 * 128, 64 * 129, 40000}) {
    const std::string name = std::to_string(bits) + " bits, ";
    all.push_back({name + "empty", words((bits + 63) / 64)});
    all.push_back({name + "full", words((bits + 63) / 64, ~bit_word{0})});
    for (const std::uint64_t inverse : {2, 3, 5, 17, 100, 3000})
      all.push_back({name + "one of " + std::to_string(inverse), random_bits(bits, inverse, bits + inverse)});
    words runs((bits + 63) / 64);
    for (std::size_t k = 0; k < bits; ++k) runs[k / 64] |= bit_word{k % 1000 < 150} << k % 64;
    all.push_back({name + "runs", runs});
    words last((bits + 63) / 64);
    last.back() = bit_word{1} << 63;
    all.push_back({name + "the last", last});
  }
  // Lists around the size of a block, of members that are near one another and far apart.
  for (const std::size_t members : {1, 2, 3, 127, 128, 129, 130, 256, 257, 258, 385}) {
    for (const std::size_t apart : {4, 5, 37, 301}) {
      words mask((members * apart + 127) / 64);
      for (std::size_t k = 0; k < members; ++k) {
        const std::size_t at = k * apart + mix64(k) % apart;
        mask[at / 64] |= bit_word{1} << at % 64;
      }
      all.push_back({std::to_string(members) + " members, " + std::to_string(apart) + " apart", mask});
    }
  }
  return all;
}

std::vector<mask_segment> cut(const words& bits, std::size_t words_each, bool encodes = true) {
  std::vector<mask_segment> segments;
  for (std::size_t first = 0; first < bits.size(); first += words_each)
    segments.push_back({static_cast<std::uint32_t>(2 * first),
                        static_cast<std::uint32_t>(2 * std::min(words_each, bits.size() - first)),
                        encodes ? 1u : 0u});
  return segments;
}

std::span<const bit_word> part_of(const words& bits, const mask_segment& s) {
  return std::span(bits).subspan(s.first / 2, s.words / 2);
}

const std::uint32_t* as_halves(const words& bits) {
  return reinterpret_cast<const std::uint32_t*>(bits.data());
}

// A segment as a CPU packs it, in one message.
struct cpu_message {
  exchange::bit_stretch what;
  std::vector<std::uint8_t> bytes;
};
cpu_message pack_on_cpu(std::span<const bit_word> bits, const exchange::codec_options& options,
                        bool same_node, std::span<const bit_word> possible = {}) {
  exchange::bit_packer packer(options, 1 << 20);
  cpu_message made;
  int messages = 0;
  packer.pack(bits, possible, same_node, [&](const exchange::packed_bits& packed) {
    const auto* const from = reinterpret_cast<const std::uint8_t*>(packed.payload.data());
    made = {packed.what, {from, from + packed.payload.size()}};
    ++messages;
  });
  EXPECT_EQ(messages, 1);
  return made;
}

// A message of the GPU as a CPU reads it.
words unpack_on_cpu(const packed_segment& packed, std::span<const std::uint8_t> message, std::size_t size,
                    std::span<const bit_word> possible = {}) {
  words read(size);
  std::vector<std::uint32_t> places;
  const exchange::bit_stretch what{
      0, static_cast<std::uint32_t>(size),
      packed.codec == packed_segment::as_words ? exchange::bit_stretch::as_words : packed.count,
      packed.squeezed != 0};
  exchange::unpacked_bits(what, std::as_bytes(message), places)
      .for_each_word([&](std::size_t w) { return possible[w]; },
                     [&](std::size_t w, bit_word bits) { read[w] = bits; });
  return read;
}

exchange::codec_options options_of(const char* codec, std::size_t min_bytes) {
  return {exchange::place_of(exchange::find_codec(codec)), min_bytes};
}

// The same bytes as the CPU, by whichever codec, and what is in them.
void expect_same_bytes(const named_mask& mask, std::size_t words_each, const exchange::codec_options& options,
                       bool same_node, const words& bounds = {}) {
  SCOPED_TRACE(mask.name + " in segments of " + std::to_string(words_each));
  serial on;
  const std::vector<mask_segment> segments = cut(mask.bits, words_each, encodes(options, same_node) != 0);
  mask_packer<serial> packer(on, segments, *pack_rule_of(options));
  packer.pack(as_halves(mask.bits), bounds.empty() ? nullptr : as_halves(bounds));
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const std::span<const bit_word> part = part_of(mask.bits, segments[s]);
    const auto possible = bounds.empty() ? std::span<const bit_word>() : part_of(bounds, segments[s]);
    const cpu_message expected = pack_on_cpu(part, options, same_node, possible);
    EXPECT_EQ(packer.packed(s).squeezed != 0, expected.what.squeezed);
    const std::span<const std::uint8_t> message = packer.message(s);
    EXPECT_EQ(packer.packed(s).codec == packed_segment::as_words,
              expected.what.listed == exchange::bit_stretch::as_words);
    EXPECT_TRUE(std::ranges::equal(message, expected.bytes))
        << message.size() << " and " << expected.bytes.size() << " bytes of segment " << s;
    EXPECT_TRUE(std::ranges::equal(unpack_on_cpu(packer.packed(s), message, part.size(), possible), part));
  }
}

TEST(mask_packer, makes_the_bytes_of_the_cpu) {
  for (const named_mask& mask : masks()) {
    for (const std::size_t words_each : {7, 300, 100000}) {
      expect_same_bytes(mask, words_each, options_of("bp128", 0), false);
      expect_same_bytes(mask, words_each, options_of("bp128", 256), true);
      expect_same_bytes(mask, words_each, options_of("auto", 256), true);
    }
  }
}

TEST(mask_packer, squeezes_segments_to_the_bytes_of_the_cpu) {
  for (const named_mask& mask : masks()) {
    for (const std::uint64_t inverse : {1, 2, 40}) {
      words bounds = random_bits(mask.bits.size() * 64, inverse, 77);
      for (std::size_t w = 0; w < bounds.size(); ++w) bounds[w] |= mask.bits[w];
      for (const std::size_t words_each : {7, 300}) {
        expect_same_bytes(mask, words_each, options_of("bp128", 0), false, bounds);
        expect_same_bytes(mask, words_each, options_of("auto", 256), true, bounds);
      }
    }
  }
}

// The CPU may choose another codec. The GPU's messages are never longer than plain lists or words.
TEST(mask_packer, packs_what_the_cpu_can_read_where_it_chooses) {
  for (const named_mask& mask : masks()) {
    SCOPED_TRACE(mask.name);
    serial on;
    const std::vector<mask_segment> segments = cut(mask.bits, 50);
    mask_packer<serial> packer(on, segments, *pack_rule_of(options_of("auto", 100)));
    packer.pack(as_halves(mask.bits));
    for (std::size_t s = 0; s < segments.size(); ++s) {
      const std::span<const bit_word> part = part_of(mask.bits, segments[s]);
      EXPECT_TRUE(std::ranges::equal(unpack_on_cpu(packer.packed(s), packer.message(s), part.size()), part));
      EXPECT_LE(packer.message(s).size(), part.size_bytes());
      EXPECT_LE(packer.message(s).size(),
                exchange::list_head_bytes + 4 * packer.packed(s).count +
                    (packer.packed(s).codec == packed_segment::as_words ? part.size_bytes() : 0));
    }
  }
}

}  // namespace
}  // namespace orujo::internal::device
