// Changes of floats, rounded to 16 bits: half the bytes of values that go on changing.
//
// Both ends keep the float that the receiver knows, and add the same rounded changes to it. The next change
// has what rounding leaves out, so that this float converges as the values do. The first time the value
// itself travels. After Seide, Fu, Droppo, Li, Yu, "1-Bit Stochastic Gradient Descent", Interspeech 2014, who
// call it error feedback.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace orujo::internal::exchange {

// The upper half of a float: a sign, 8 bits of exponent, 7 of mantissa.
using rounded_change = std::uint16_t;

// To nearest, ties to even: off by at most 2^-8 of a finite number.
inline rounded_change round_change(float change) {
  const auto bits = std::bit_cast<std::uint32_t>(change);
  return static_cast<rounded_change>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
inline float change_of(rounded_change rounded) { return std::bit_cast<float>(std::uint32_t{rounded} << 16); }

// Writes the changes from known[k] to value(k), and adds them to `known`. Returns false if all are 0.
template <class Value>
bool take_changes(std::span<float> known, Value value, rounded_change* changes) {
  std::uint32_t any = 0;
  for (std::size_t k = 0; k < known.size(); ++k) {
    const rounded_change change = round_change(value(k) - known[k]);
    known[k] += change_of(change);
    changes[k] = change;
    any |= change;
  }
  return any != 0;
}

// The receiver's part: adds the changes in a payload.
inline void add_changes(std::span<const std::byte> payload, float* known) {
  for (std::size_t k = 0; k < payload.size() / sizeof(rounded_change); ++k) {
    rounded_change change;
    std::memcpy(&change, payload.data() + k * sizeof(change), sizeof(change));
    known[k] += change_of(change);
  }
}

}  // namespace orujo::internal::exchange
