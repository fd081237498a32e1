// Bits that are new to a peer, in messages: a stretch of words as they are, or a list of the positions of set
// bits, whichever is shorter. Often both ends know that only some bits can be set, because the peer has
// received the others or never will. Then only these bits travel, without gaps between them: the stretch is
// *squeezed*.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/exchange/codecs/selection.hpp"
#include "framework/exchange/squeezed_bits.hpp"

namespace orujo::internal::exchange {

// The header of a message. The payload has words, or a list message (codecs/list_message.hpp) of the
// positions of the set bits, counted from the stretch's first.
struct bit_stretch {
  static constexpr std::uint32_t as_words = ~std::uint32_t{0};
  std::uint32_t first = 0;  // first word of the stretch; before squeezing, as `words` is
  std::uint32_t words = 0;
  std::uint32_t listed = as_words;  // length of the list
  bool squeezed = false;
};

// Bytes of messages: as 64-bit ids of their vertices, and as sent.
struct byte_counts {
  std::uint64_t raw = 0, sent = 0;
  byte_counts& operator+=(const byte_counts& b) {
    raw += b.raw;
    sent += b.sent;
    return *this;
  }
};

struct packed_bits {
  bit_stretch what;
  std::span<const std::byte> payload;  // valid until the next one
  byte_counts bytes;
};

// Divides words into messages. With the codec `none` every stretch is a plain list of 4 bytes per set bit,
// the cost of sending vertices without compression. One per core; any thread.
class bit_packer {
 public:
  // No payload is longer than payload_bytes, including value_bytes for every set bit, which follow it.
  bit_packer(const codec_options& options, std::size_t payload_bytes, std::size_t value_bytes = 0);

  // True if every word fits a message. Otherwise its bits are packed as a list only.
  bool takes_words() const { return fits(1, bits_of_word) || list_fits(bits_of_word); }

  // Calls send(const packed_bits&) for stretches that cover all words, in their order. `possible` has the
  // bits that can be set, which the peer knows, too; if it is empty, any can.
  template <class Send>
  void pack(std::span<const bit_word> bits, std::span<const bit_word> possible, bool same_node, Send send) {
    for (std::size_t first = 0; first < bits.size();) {
      const packed_bits next = pack_stretch(bits, possible, first, same_node);
      send(next);
      first += next.what.words;
    }
  }

  // Packs a set with fewer bits than words, given by their ascending positions, without reading words.
  // Stretches cover the words that have any bits.
  template <class Send>
  void pack_few(std::span<const std::uint32_t> places, bool same_node, Send send) {
    while (!places.empty()) {
      const packed_bits next = pack_places(places.first(std::min(places.size(), most_listed_)), same_node);
      send(next);
      places = places.subspan(next.what.listed);
    }
  }

 private:
  packed_bits pack_places(std::span<const std::uint32_t> places, bool same_node);
  packed_bits pack_stretch(std::span<const bit_word> bits, std::span<const bit_word> possible,
                           std::size_t first, bool same_node);
  // Puts the list message into payload_ if it is shorter than `words_bytes`.
  bool pack_list(std::span<const bit_word> words, std::size_t set, std::size_t words_bytes, bool same_node);

  bool fits(std::size_t words, std::size_t set) const;
  bool list_fits(std::size_t set) const { return set <= most_listed_; }

  codec_options options_;
  bool may_be_words_;
  std::size_t payload_bytes_, value_bytes_, most_listed_;
  std::vector<bit_word> squeezed_;
  std::vector<std::uint32_t> places_;
  std::vector<std::byte> payload_;
};

// Counts bytes sent, by the metrics exchange.bit_bytes*.
void count_bits(const byte_counts& sent);

// Reads the words of a message; `places` is room for a list. Invalid messages end the job.
class unpacked_bits {
 public:
  unpacked_bits(const bit_stretch& what, std::span<const std::byte> payload,
                std::vector<std::uint32_t>& places);

  // Calls add(word, bits) for the words that have any bits set, ascending. possible(word) returns the bits
  // that can be set, the same as at the sender.
  template <class Possible, class Add>
  void for_each_word(Possible possible, Add add) const {
    if (what_.squeezed) {
      for_each_squeezed(possible, add);
      return;
    }
    if (what_.listed == bit_stretch::as_words) {
      for (std::uint32_t k = 0; k < what_.words; ++k) {
        if (const bit_word bits = word(k); bits != 0) add(what_.first + k, bits);
      }
      return;
    }
    for (std::size_t k = 0; k < places_.size();) {
      const std::uint32_t w = places_[k] / bits_of_word;
      bit_word bits = 0;
      for (; k < places_.size() && places_[k] / bits_of_word == w; ++k)
        bits |= bit_word{1} << places_[k] % bits_of_word;
      add(what_.first + w, bits);
    }
  }

 private:
  template <class Possible, class Add>
  void for_each_squeezed(Possible possible, Add add) const {
    std::size_t place = 0, k = 0;
    for (std::uint32_t w = what_.first; w < what_.first + what_.words; ++w) {
      const bit_word mask = possible(w);
      const std::size_t end = place + bits_of(mask);
      bit_word bits = 0;
      if (what_.listed == bit_stretch::as_words) {
        bits = bits_from(place, end);
      } else {
        for (; k < places_.size() && places_[k] < end; ++k) bits |= bit_word{1} << (places_[k] - place);
      }
      place = end;
      if (bits != 0) add(w, scatter_bits(bits, mask));
    }
    check_end(place, k);
  }
  // Returns bits [place, end) of the payload as words. They are at most as many as a word has.
  bit_word bits_from(std::size_t place, std::size_t end) const;
  void check_end(std::size_t place, std::size_t listed) const;
  bit_word word(std::size_t k) const;

  const bit_stretch what_;
  const std::span<const std::byte> payload_;
  const std::vector<std::uint32_t>& places_;
};

}  // namespace orujo::internal::exchange
