// Whole weights that single precision does not hold, such as 16777217: readers note one, and loading says so.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "framework/formats/edge.hpp"

namespace orujo::internal::formats {

// Whole numbers up to here are floats.
inline constexpr float exact_whole_weights = 1 << 24;

// Any thread. Notes in the list a whole number, without its sign, unless it is the weight that was read of
// it.
inline void note_whole_weight(edge_list& list, std::uint64_t whole, float read) {
  const float size = std::abs(read);
  if (size >= 0x1p64f || static_cast<std::uint64_t>(size) != whole) list.rounded_weight = whole;
}

// The same for a text that is a whole number below 2^64, maybe with a fraction of zeros. Other texts are not
// noted.
void note_weight_of_text(edge_list& list, std::string_view text, float read);

// What is said of a noted weight of the input `name`.
std::string describe_rounded(std::string_view name, std::uint64_t weight);

}  // namespace orujo::internal::formats
