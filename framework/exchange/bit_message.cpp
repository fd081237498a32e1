#include "framework/exchange/bit_message.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "framework/exchange/codecs/list_message.hpp"
#include "system/observe/metrics.hpp"

namespace orujo::internal::exchange {
namespace {

const observe::counter bit_bytes_raw("exchange.bit_bytes_raw",
                                     "bytes of the vertices whose bits were sent, as 64-bit ids");
const observe::counter bit_bytes_sent("exchange.bit_bytes", "bytes sent for them: words and encoded lists");

}  // namespace

void count_bits(const byte_counts& sent) {
  bit_bytes_raw.add(sent.raw);
  bit_bytes_sent.add(sent.sent);
}

bit_packer::bit_packer(const codec_options& options, std::size_t payload_bytes, std::size_t value_bytes)
    : options_(options),
      may_be_words_(options.wanted != place_of(find_codec("none"))),
      payload_bytes_(payload_bytes),
      value_bytes_(value_bytes),
      most_listed_((payload_bytes - list_head_bytes) / (sizeof(std::uint32_t) + value_bytes)) {}

// True if these words fit a message, followed by their values.
bool bit_packer::fits(std::size_t words, std::size_t set) const {
  return may_be_words_ && words * sizeof(bit_word) + set * value_bytes_ <= payload_bytes_;
}

packed_bits bit_packer::pack_stretch(std::span<const bit_word> bits, std::span<const bit_word> possible,
                                     std::size_t first, bool same_node) {
  std::size_t last = first, set = 0, room = 0;
  for (; last < bits.size(); ++last) {
    const std::size_t more = bits_of(bits[last]),
                      wide = possible.empty() ? bits_of_word : bits_of(possible[last]);
    if (!fits(words_for(room + wide), set + more) && !list_fits(set + more)) break;
    set += more;
    room += wide;
  }
  std::span<const bit_word> words = bits.subspan(first, last - first);
  packed_bits packed{
      {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(words.size())}, {}, {8 * set, 0}};
  // A short list costs the peer no more steps than it has positions, unless these have to be moved.
  packed.what.squeezed = !possible.empty() && (set * bits_of_word >= words.size() || !list_fits(set));
  if (packed.what.squeezed) {
    squeeze(words, possible.subspan(first, words.size()), room, squeezed_);
    words = squeezed_;
  }
  const std::size_t words_bytes =
      fits(words.size(), set) ? words.size_bytes() : std::numeric_limits<std::size_t>::max();
  if (pack_list(words, set, words_bytes, same_node)) {
    packed.what.listed = static_cast<std::uint32_t>(set);
    packed.payload = payload_;
  } else {
    packed.payload = std::as_bytes(words);
  }
  packed.bytes.sent = packed.payload.size();
  return packed;
}

packed_bits bit_packer::pack_places(std::span<const std::uint32_t> places, bool same_node) {
  const std::uint32_t first = places.front() / bits_of_word;
  places_.assign(places.begin(), places.end());
  for (std::uint32_t& place : places_) place -= first * static_cast<std::uint32_t>(bits_of_word);
  payload_.clear();
  append_list(choose_codec(options_, places_, same_node), places_, payload_);
  const std::uint32_t words = places_.back() / static_cast<std::uint32_t>(bits_of_word) + 1;
  const auto listed = static_cast<std::uint32_t>(places.size());
  return {{first, words, listed}, payload_, {8 * places.size(), payload_.size()}};
}

bool bit_packer::pack_list(std::span<const bit_word> words, std::size_t set, std::size_t words_bytes,
                           bool same_node) {
  const bool fit = words_bytes != std::numeric_limits<std::size_t>::max();
  if (fit && set * bitmap_density_inverse > words.size() * bits_of_word) return false;
  places_.resize(set);
  std::uint32_t* to = places_.data();
  for (std::size_t w = 0; w < words.size(); ++w) {
    for (bit_word rest = words[w]; rest != 0; rest &= rest - 1)
      *to++ =
          static_cast<std::uint32_t>(w * bits_of_word) + static_cast<std::uint32_t>(std::countr_zero(rest));
  }
  const codec& with = choose_codec(options_, places_, same_node);
  const bool raw = &with == codecs().front();
  if (raw && fit && list_head_bytes + sizeof(std::uint32_t) * set >= words_bytes) return false;
  payload_.clear();
  append_list(with, places_, payload_);
  return payload_.size() < words_bytes;
}

unpacked_bits::unpacked_bits(const bit_stretch& what, std::span<const std::byte> payload,
                             std::vector<std::uint32_t>& places)
    : what_(what), payload_(payload), places_(places) {
  if (what.listed == bit_stretch::as_words) {
    CHECK(what.squeezed || payload.size() == std::size_t{what.words} * sizeof(bit_word))
        << payload.size() << " bytes of " << what.words << " words of bits";
    return;
  }
  const status read = read_list(payload, what.listed, places);
  CHECK(read.ok()) << "places of bits: " << read.message();
  CHECK_EQ(places.size(), what.listed) << "places of bits";
  CHECK(std::ranges::is_sorted(places)) << "places of bits";
  CHECK(what.squeezed || places.empty() || places.back() / bits_of_word < what.words)
      << places.back() << " of " << what.words;
}

bit_word unpacked_bits::word(std::size_t k) const {
  bit_word bits;
  std::memcpy(&bits, payload_.data() + k * sizeof bits, sizeof bits);
  return bits;
}

bit_word unpacked_bits::bits_from(std::size_t place, std::size_t end) const {
  if (place == end) return 0;
  CHECK_LE(words_for(end), payload_.size() / sizeof(bit_word)) << "words of squeezed bits";
  const std::size_t at = place % bits_of_word, wide = end - place;
  bit_word bits = word(place / bits_of_word) >> at;
  if (at + wide > bits_of_word) bits |= word(place / bits_of_word + 1) << (bits_of_word - at);
  return wide == bits_of_word ? bits : bits & ((bit_word{1} << wide) - 1);
}

void unpacked_bits::check_end(std::size_t place, std::size_t listed) const {
  if (what_.listed == bit_stretch::as_words) {
    CHECK_EQ(words_for(place) * sizeof(bit_word), payload_.size()) << "bytes of squeezed bits";
  } else {
    CHECK_EQ(listed, places_.size()) << "places of squeezed bits";
  }
}

}  // namespace orujo::internal::exchange
