// Changed values most of which are equal, such as the labels of a large component: that value, the others,
// and at most two bits per position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "framework/exchange/packed_values.hpp"

namespace orujo::internal::exchange {

// The payload has the value that most have, and the other values. A bit per position says whether it has
// changed, unless all have. A bit per changed position says whether its value is another one.
struct alike_values {
  std::uint32_t length = 0;   // positions
  std::uint32_t changed = 0;  // of them
  std::uint32_t others = 0;   // changed ones with another value

  bool all_changed() const { return changed == length; }
  std::size_t changed_bytes() const { return all_changed() ? 0 : packed_bytes(length, 1); }
  std::size_t bytes(std::size_t value_bytes) const {
    return (std::size_t{others} + 1) * value_bytes + changed_bytes() + packed_bytes(changed, 1);
  }
};

namespace detail {
template <class T>
bool same_bytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}
inline void set_bit(std::byte* bits, std::size_t at) { bits[at / 8] |= std::byte{1} << at % 8; }
inline bool has_bit(const std::byte* bits, std::size_t at) {
  return (bits[at / 8] >> at % 8 & std::byte{1}) != std::byte{0};
}
}  // namespace detail

// Any thread. `places` are the positions of changed values, ascending. Writes the payload if it is shorter
// than the changed values; a look at three of them finds out mostly that it is not.
template <class T>
std::optional<alike_values> pack_alike(std::span<const T> all, std::span<const std::uint32_t> places,
                                       std::vector<std::byte>& payload) {
  using detail::same_bytes;
  if (places.size() < 16) return std::nullopt;
  const T &a = all[places.front()], &b = all[places[places.size() / 2]], &c = all[places.back()];
  if (!same_bytes(a, b) && !same_bytes(b, c) && !same_bytes(a, c)) return std::nullopt;
  const T common = same_bytes(a, b) || same_bytes(a, c) ? a : b;
  alike_values head{static_cast<std::uint32_t>(all.size()), static_cast<std::uint32_t>(places.size()), 0};
  for (const std::uint32_t p : places) head.others += same_bytes(all[p], common) ? 0 : 1;
  if (head.bytes(sizeof(T)) >= places.size() * sizeof(T)) return std::nullopt;
  payload.assign(head.bytes(sizeof(T)), std::byte{0});
  std::byte* value = payload.data();
  const auto add = [&](const T& one) {
    std::memcpy(value, &one, sizeof(T));
    value += sizeof(T);
  };
  add(common);
  std::byte* const changed = payload.data() + (std::size_t{head.others} + 1) * sizeof(T);
  std::byte* const others = changed + head.changed_bytes();
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (!head.all_changed()) detail::set_bit(changed, places[k]);
    if (same_bytes(all[places[k]], common)) continue;
    detail::set_bit(others, k);
    add(all[places[k]]);
  }
  return head;
}

// Writes the changed values. Returns false if the payload is invalid; some may be written then.
template <class T>
[[nodiscard]] bool unpack_alike(const alike_values& head, std::span<const std::byte> payload, T* into) {
  if (head.changed > head.length || head.others > head.changed || payload.size() != head.bytes(sizeof(T)))
    return false;
  const std::byte* const changed = payload.data() + (std::size_t{head.others} + 1) * sizeof(T);
  const std::byte* const others = changed + head.changed_bytes();
  const std::byte* other = payload.data() + sizeof(T);
  std::size_t k = 0;
  for (std::uint32_t p = 0; p < head.length; ++p) {
    if (!head.all_changed() && !detail::has_bit(changed, p)) continue;
    if (k == head.changed) return false;
    const bool is_other = detail::has_bit(others, k++);
    if (is_other && other == changed) return false;
    std::memcpy(into + p, is_other ? other : payload.data(), sizeof(T));
    if (is_other) other += sizeof(T);
  }
  return k == head.changed && other == changed;
}

}  // namespace orujo::internal::exchange
