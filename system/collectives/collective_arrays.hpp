// The parts of collectives over arrays: reductions of up to 2 KiB at a time, and pieces that each member
// combines.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "system/base/check.hpp"
#include "system/base/index_range.hpp"
#include "system/collectives/collective.hpp"
#include "system/collectives/exchange.hpp"
#include "system/messages/pack.hpp"

namespace orujo::collectives {

namespace detail {

template <class R>
concept contiguous_array = std::ranges::contiguous_range<R> && std::ranges::sized_range<R>;
template <class R>
inline constexpr bool is_string = false;
template <class Char, class... Rest>
inline constexpr bool is_string<std::basic_string<Char, Rest...>> = true;
template <class R>
inline constexpr bool has_plain_elements = false;
template <contiguous_array R>
inline constexpr bool has_plain_elements<R> = std::is_trivially_copyable_v<std::ranges::range_value_t<R>>;

// Values that collectives take as a whole, packed, of any size.
template <class T>
concept packed_value =
    !std::is_trivially_copyable_v<T> && messages::can_pack<T> && (is_string<T> || !has_plain_elements<T>);

}  // namespace detail

// Ranges that collectives take element by element: `std::vector`, `std::array`, `std::span` and other
// contiguous ones.
template <class R>
concept array = detail::contiguous_array<R> && !detail::packed_value<std::remove_cvref_t<R>>;
// Ranges that collectives can change in place, which are all but temporary containers.
template <class R>
concept array_in_place = array<R> && std::ranges::borrowed_range<R>;

namespace detail {

template <class T>
inline constexpr bool carries = std::is_trivially_copyable_v<T> && sizeof(T) <= collective::max_bytes;

template <class T>
constexpr void check_carries() {
  static_assert(carries<T>,
                "collectives carry values that are trivially copyable and of at most 2 KiB, and contiguous "
                "ranges of such values (std::vector, std::array, std::span); all but scans also those that "
                "can be packed: strings, containers of such, classes with a member serialize "
                "(system/messages/pack.hpp)");
}

// The elements of an array, to be replaced. If they cannot be replaced, the type of the result differs, so
// that the compiler reports this alone.
template <array R>
auto elements_of(R&& values) {
  using value = std::remove_reference_t<std::ranges::range_reference_t<R>>;
  constexpr bool is_const = std::is_const_v<value>;
  check_carries<std::remove_const_t<value>>();
  static_assert(!is_const, "this collective replaces the elements of the array: they must not be const");
  if constexpr (carries<value> && !is_const) {
    return std::span<value>(std::ranges::data(values), std::ranges::size(values));
  } else {
    return std::span<int>();
  }
}

inline constexpr const char* disagree =
    "the members of a collective disagree: all call the same ones in the same order, with arrays of one size";

// Bytes from which a piece is worth a message of its own. With 4 cores both ways take equally long at about 4
// KiB; from 64 KiB on pieces are 2 to 9 times as fast (all_reduce of 64-bit sums, 2 CPUs).
inline constexpr std::size_t min_piece_bytes = 512;
inline bool worth_pieces(std::size_t bytes, group g) {
  return bytes > collective::max_bytes &&
         bytes / static_cast<std::size_t>(members(g).size()) >= min_piece_bytes;
}

// Reduces as many values at a time as fit `collective::max_bytes`.
template <class T, class Combine>
void all_reduce_in_steps(std::span<T> values, Combine combine, group g) {
  constexpr std::size_t step = collective::max_bytes / sizeof(T);
  for (std::size_t first = 0; first < values.size(); first += step) {
    const auto piece = values.subspan(first, std::min(step, values.size() - first));
    collective::here().reduce(g, std::as_writable_bytes(piece), [&](auto into, auto from) {
      for (std::size_t at = 0; at < into.size(); at += sizeof(T)) {
        T a, b;
        std::memcpy(&a, into.data() + at, sizeof(T));
        std::memcpy(&b, from.data() + at, sizeof(T));
        a = combine(a, b);
        std::memcpy(into.data() + at, &a, sizeof(T));
      }
    });
  }
}

// The values of all members, one after the other.
template <class T>
std::vector<T> gather_all(std::span<const T> mine, group g) {
  const members who(g);
  std::vector<T> own(mine.begin(), mine.end()), values(static_cast<std::size_t>(who.size()) * mine.size());
  collective::here().gather(g, std::as_writable_bytes(std::span(own)),
                            std::as_writable_bytes(std::span(values)));
  return values;
}

// The k-th of n consecutive pieces.
template <class T>
std::span<T> piece_of(std::span<T> whole, int k, int n) {
  const index_range r = part_of({0, whole.size()}, static_cast<std::size_t>(k), static_cast<std::size_t>(n));
  return whole.subspan(r.first, r.size());
}

// An array of every member, cut into one piece per member. The first streams carry the members' contributions
// to this member's piece, by member. The others carry the results back, by piece.
template <class T>
class pieces {
 public:
  // [task; suspends; collective] Sends every member its piece of all members' `values`.
  pieces(std::span<T> values, group g)
      : values_(values),
        who_(g),
        n_(who_.size()),
        mine_(piece_of(values, who_.me(), n_).size()),
        contributions_(static_cast<std::size_t>(n_) * mine_),
        transfers_(who_, 2 * n_, [this](int stream, std::size_t bytes) { return place(stream, bytes); }) {
    for (int k = 1; k <= n_; ++k) {
      const int to = (who_.me() + k) % n_;
      transfers_.send(to, who_.me(), std::as_bytes(piece_of(values_, to, n_)));
    }
    transfers_.await(0, n_);
  }

  int members() const { return n_; }
  // The contribution of a member to this member's piece.
  std::span<T> contribution(int member) {
    return std::span(contributions_).subspan(static_cast<std::size_t>(member) * mine_, mine_);
  }
  // All contributions combined.
  template <class Combine>
  std::span<const T> fold(Combine combine) {
    const std::span<T> sum = contribution(0);
    for (int k = 1; k < n_; ++k) {
      const std::span<T> next = contribution(k);
      for (std::size_t i = 0; i < mine_; ++i) sum[i] = combine(sum[i], next[i]);
    }
    return sum;
  }
  // [task; suspends] Puts `result` in place of this member's piece of a member's values.
  void hand_on(std::span<const T> result, int to) {
    transfers_.send(to, n_ + who_.me(), std::as_bytes(result));
  }
  // [task; suspends] Returns when every piece of this member's values has been replaced.
  void await() { transfers_.await(n_, 2 * n_); }

 private:
  // A result never arrives before this member's contribution to it has left.
  std::byte* place(int stream, std::size_t bytes) {
    const std::span<T> at = stream < n_ ? contribution(stream) : piece_of(values_, stream - n_, n_);
    require(bytes == at.size_bytes(), disagree);
    return reinterpret_cast<std::byte*>(at.data());
  }

  const std::span<T> values_;
  const collectives::members who_;
  const int n_;
  const std::size_t mine_;        // elements of this member's piece
  std::vector<T> contributions_;  // by member
  exchange transfers_;
};

// Streams by sending member, each into a vector of its own.
template <class T>
class vectors_by_member {
 public:
  explicit vectors_by_member(group g)
      : who_(g),
        received_(static_cast<std::size_t>(who_.size())),
        transfers_(who_, who_.size(), [this](int from, std::size_t bytes) {
          std::vector<T>& to = received_[static_cast<std::size_t>(from)];
          to.resize(bytes / sizeof(T));
          return reinterpret_cast<std::byte*>(to.data());
        }) {}

  void send(int to_member, std::span<const T> values) {
    transfers_.send(to_member, who_.me(), std::as_bytes(values));
  }
  // [task; suspends] One vector of every member.
  std::vector<std::vector<T>> receive() {
    transfers_.await(0, who_.size());
    return std::move(received_);
  }

 private:
  const members who_;
  std::vector<std::vector<T>> received_;
  exchange transfers_;
};

// Exclusive with an identity, otherwise inclusive.
template <class T, class Combine>
void scan(std::span<T> values, const std::optional<T>& identity, Combine combine, group g) {
  const members who(g);
  const int own = identity ? 0 : 1;  // an inclusive scan counts the member's own value
  const auto add = [&](std::span<T> to, std::span<const T> more) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = combine(to[i], more[i]);
  };
  if (!worth_pieces(values.size_bytes(), g)) {
    const std::vector<T> all = gather_all(std::span<const T>(values), g);
    const std::span<const T> by_member(all);
    if (identity) std::fill(values.begin(), values.end(), *identity);
    if (!identity) std::copy_n(all.begin(), values.size(), values.begin());
    for (int k = own; k < who.me() + own; ++k) {
      add(values, by_member.subspan(static_cast<std::size_t>(k) * values.size(), values.size()));
    }
    return;
  }
  pieces<T> all(values, g);
  const std::span<T> first = all.contribution(0);
  std::vector<T> running(first.begin(), first.end());
  if (identity) std::fill(running.begin(), running.end(), *identity);
  for (int k = 0; k < who.size(); ++k) {
    if (!identity && k > 0) add(running, all.contribution(k));
    all.hand_on(running, k);
    if (identity) add(running, all.contribution(k));
  }
  all.await();
}

}  // namespace detail

}  // namespace orujo::collectives
