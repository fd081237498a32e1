// New values of mirrored vertices in one message. It has all values of a stretch of the list of mirrored
// vertices, all changes of these, or changed values: with a list of their positions, or mostly alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/exchange/codecs/selection.hpp"

namespace orujo::internal::exchange {

// The header of a message. The payload has values, and after them a list message (codecs/list_message.hpp) of
// the positions of changed ones, counted from the stretch's first.
struct stretch {
  static constexpr std::uint32_t all = ~std::uint32_t{0}, rounded = all - 1;
  std::uint32_t first = 0;   // of the stretch, in the receiver's mirrors
  std::uint32_t length = 0;  // values
  // The number of values in the message before their list. There is no list if this is `all`, for every
  // value, or `rounded`, for every change (rounded_changes.hpp).
  std::uint32_t changed = all;
  // Where changed values are mostly alike (alike_values.hpp), the number of those that are not.
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::uint32_t others = none;
};

// Appends the list to the payload; counts its bytes.
void append_places(const codec& with, std::span<const std::uint32_t> places, std::vector<std::byte>& payload);
// Reads the positions of a stretch whose changed values take `value_bytes` bytes. Invalid messages end the
// job.
void read_places(const stretch& s, std::size_t value_bytes, std::span<const std::byte> payload,
                 std::vector<std::uint32_t>& places);
// Ends the job if values that are mostly alike are not valid.
void require_valid(bool alike);
// Counts a message of `bytes` that replaces `all_bytes` of values, by the metrics exchange.*.
void count_values(std::size_t all_bytes, std::size_t bytes);

}  // namespace orujo::internal::exchange
