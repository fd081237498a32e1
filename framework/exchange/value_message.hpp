// New values of mirrored vertices in one message: all of a stretch of the list of mirrored vertices, or those
// that have changed, with a list of their places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/exchange/codecs/selection.hpp"

namespace orujo::exchange {

// What a message has beside its payload: values, and behind them a list message (codecs/list_message.hpp) of
// the places of the changed ones, counted from the stretch's first.
struct stretch {
  static constexpr std::uint32_t all = ~std::uint32_t{0};
  std::uint32_t first = 0;      // of the stretch, in the receiver's mirrors
  std::uint32_t length = 0;     // values
  std::uint32_t changed = all;  // values that come; all: each, and no list
};

// Appends the list to the payload; counts its bytes.
void append_places(const codec& with, std::span<const std::uint32_t> places, std::vector<std::byte>& payload);
// The places of a stretch whose changed values take so many bytes; the sender's mistakes end the job.
void read_places(const stretch& s, std::size_t value_bytes, std::span<const std::byte> payload,
                 std::vector<std::uint32_t>& places);
// A message of `bytes` in place of so many bytes of values, by the metrics exchange.*.
void count_values(std::size_t all_bytes, std::size_t bytes);

}  // namespace orujo::exchange
