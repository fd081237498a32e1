// The layout of all locales' pieces in an array that collectives pass on.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "system/base/shape.hpp"

namespace orujo::internal::collectives {

// Adds the 64-bit numbers `more` to those in `sums`. Both have the same length.
inline void add_numbers(std::span<std::byte> sums, std::span<const std::byte> more) {
  for (std::size_t at = 0; at < more.size(); at += 8) {
    std::uint64_t a, b;
    std::memcpy(&a, sums.data() + at, 8);
    std::memcpy(&b, more.data() + at, 8);
    a += b;
    std::memcpy(sums.data() + at, &a, 8);
  }
}

// The pieces are in the order of locales. A range of them continues after the last locale with the first.
class pieces_by_locale {
 public:
  // Each core has a piece of the same size, or each locale has if there is no shape.
  pieces_by_locale(std::span<std::byte> all, const job_shape* shape, int locales, std::size_t of_member)
      : all_(all), shape_(shape), locales_(locales), of_member_(of_member) {}

  std::size_t size() const { return all_.size(); }
  std::size_t bytes(locale_id first, int count) const {
    const auto [to_the_end, from_the_start] = range(first, count);
    return to_the_end.size() + from_the_start.size();
  }
  void copy(locale_id first, int count, std::vector<std::byte>& to) const {
    to.clear();
    for (const auto part : range(first, count)) to.insert(to.end(), part.begin(), part.end());
  }
  void replace(locale_id first, int count, std::span<const std::byte> by) const {
    for (const auto part : range(first, count)) {
      std::copy_n(by.begin(), part.size(), part.begin());
      by = by.subspan(part.size());
    }
  }
  // For pieces of 64-bit numbers, the sums for one locale.
  void clear(locale_id locale) const {
    const std::span<std::byte> sums = range(locale, 1)[0];
    std::fill(sums.begin(), sums.end(), std::byte{0});
  }
  void add_from_all(locale_id locale, std::span<const std::byte> of_all) const {
    add_numbers(range(locale, 1)[0], of_all.subspan(before(locale), bytes(locale, 1)));
  }
  // Adds to pieces of 64-bit numbers.
  void add(locale_id first, int count, std::span<const std::byte> numbers) const {
    for (const auto part : range(first, count)) {
      add_numbers(part, numbers.first(part.size()));
      numbers = numbers.subspan(part.size());
    }
  }

 private:
  std::array<std::span<std::byte>, 2> range(locale_id first, int count) const {
    const int behind = std::max(first + count - locales_, 0);
    const std::size_t begin = before(first), end = before(first + count - behind);
    return {all_.subspan(begin, end - begin), all_.first(before(behind))};
  }
  std::size_t before(locale_id locale) const {
    if (!shape_) return static_cast<std::size_t>(locale) * of_member_;
    if (locale == locales_) return all_.size();
    return static_cast<std::size_t>(shape_->first_core_of(locale)) * of_member_;
  }

  std::span<std::byte> all_;
  const job_shape* shape_;
  int locales_;
  std::size_t of_member_;
};

}  // namespace orujo::internal::collectives
