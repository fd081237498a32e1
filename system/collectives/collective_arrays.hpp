// The parts of collectives over arrays: which ranges they take, and what they do with bytes.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "system/collectives/collective.hpp"
#include "system/collectives/exchange.hpp"
#include "system/messages/pack.hpp"

namespace orujo::internal::collectives {

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

// Combines arrays of T element by element, with `combine`, which outlives the result.
template <class T, class Combine>
combine_bytes by_element(Combine& combine) {
  return [&combine](std::span<std::byte> into, std::span<const std::byte> from) {
    for (std::size_t at = 0; at < into.size(); at += sizeof(T)) {
      T a, b;
      std::memcpy(&a, into.data() + at, sizeof(T));
      std::memcpy(&b, from.data() + at, sizeof(T));
      a = combine(a, b);
      std::memcpy(into.data() + at, &a, sizeof(T));
    }
  };
}

// Collectives of arrays whose elements have one size, in bytes. Each suspends, and all members call it.
void all_reduce(std::span<std::byte> values, std::size_t element, const combine_bytes& combine, group g);
void reduce(std::span<std::byte> values, std::size_t element, const combine_bytes& combine, int to_member,
            group g);
void broadcast(std::span<std::byte> values, int from_member, group g);
// `all` has room for the values of all members, one after the other.
void gather_all(std::span<const std::byte> mine, std::span<std::byte> all, group g);
// Exclusive with an identity, otherwise inclusive.
void scan(std::span<std::byte> values, std::size_t element, const std::byte* identity,
          const combine_bytes& combine, group g);
std::shared_ptr<const void> share_on_locale(const std::function<std::shared_ptr<const void>()>& make);

// Streams by sending member, each into a vector of its own.
template <class T>
class vectors_by_member {
 public:
  explicit vectors_by_member(group g)
      : who_(g), received_(who_.size()), transfers_(who_, who_.size(), [this](int from, std::size_t bytes) {
          std::vector<T>& to = received_[from];
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
  base::by_id<std::vector<T>> received_;
  exchange transfers_;
};

}  // namespace detail

}  // namespace orujo::internal::collectives
