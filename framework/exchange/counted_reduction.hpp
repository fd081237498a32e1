// A reduction in which every core also learns how much is on its way to it. It ends a round in
// which cores send to any others. A core has finished the round when it has the combined values, and has
// received as much.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "system/base/identity.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::exchange {

namespace detail {

// Counts what a core receives in a round.
using told_count = std::uint32_t;

inline void put_counts(std::span<const std::uint64_t> of, std::byte* into) {
  for (std::size_t c = 0; c < of.size(); ++c) {
    const auto one = static_cast<told_count>(of[c]);
    std::memcpy(into + c * sizeof(told_count), &one, sizeof(told_count));
  }
}
inline told_count count_at(const std::byte* counts, std::size_t place) {
  told_count one;
  std::memcpy(&one, counts + place * sizeof(told_count), sizeof(told_count));
  return one;
}
inline void add_counts(std::span<std::byte> sums, std::span<const std::byte> more) {
  for (std::size_t at = 0; at < sums.size(); at += sizeof(told_count)) {
    told_count a, b;
    std::memcpy(&a, sums.data() + at, sizeof(told_count));
    std::memcpy(&b, more.data() + at, sizeof(told_count));
    a += b;
    std::memcpy(sums.data() + at, &a, sizeof(told_count));
  }
}

}  // namespace detail

// [task; suspends; collective over the job] Sets `value` to all cores' values combined. `counts` has a number
// for each core, below 2^32 in sum. Returns the sum of all cores' numbers for the calling one. A single
// reduction has values and counts if they fit, for up to some 480 cores.
template <class T, class Combine>
std::uint64_t reduce_with_counts(T& value, Combine combine, std::span<std::uint64_t> counts) {
  static_assert(std::is_trivially_copyable_v<T>);
  constexpr std::size_t most = loops::collective::max_bytes;
  const std::size_t bytes = sizeof(T) + counts.size() * sizeof(detail::told_count);
  loops::collective& collective = loops::collective::here();
  if (bytes > most) {
    value = loops::all_reduce(value, combine);
    return collective.sum_for_me(counts);
  }
  std::array<std::byte, most> all;
  std::memcpy(all.data(), &value, sizeof(T));
  detail::put_counts(counts, all.data() + sizeof(T));
  collective.reduce(loops::group::job, std::span(all).first(bytes),
                    [&](std::span<std::byte> into, std::span<const std::byte> from) {
                      T a, b;
                      std::memcpy(&a, into.data(), sizeof(T));
                      std::memcpy(&b, from.data(), sizeof(T));
                      a = combine(a, b);
                      std::memcpy(into.data(), &a, sizeof(T));
                      detail::add_counts(into.subspan(sizeof(T)), from.subspan(sizeof(T)));
                    });
  std::memcpy(&value, all.data(), sizeof(T));
  return detail::count_at(all.data() + sizeof(T), static_cast<std::size_t>(my_core()));
}

}  // namespace orujo::exchange
