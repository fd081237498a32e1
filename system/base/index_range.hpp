// Ranges of consecutive indices, and their division into parts and pieces.
//
// Every loop over a range takes [first, last) with first <= last, of any size up to 2^64 - 1. A range that
// ends before it begins is a misuse. Chunks and grains are of any size; 0 stands for the loop's own choice,
// and one larger than the range is the whole range.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>

#include "system/base/call_site.hpp"
#include "system/base/identity.hpp"

namespace orujo {

// The indices [first, last), with first <= last.
struct index_range {
  std::size_t first = 0, last = 0;
  std::size_t size() const { return last - first; }
};

}  // namespace orujo

namespace orujo::internal::base {

[[noreturn]] void refuse_range(const index_range& range, const call_site& at);

constexpr void require_range(const index_range& range, const call_site& at = call_site::current()) {
  if (range.last < range.first) [[unlikely]]
    refuse_range(range, at);
}

// Number of pieces of `step` iterations, at least 1, that cover the iterations; the last may be shorter.
constexpr std::size_t pieces_of(std::size_t iterations, std::size_t step) {
  return iterations / step + (iterations % step != 0 ? 1 : 0);
}

}  // namespace orujo::internal::base

namespace orujo {

// [any thread] Part k, 0 <= k < n, of n consecutive parts of nearly equal size.
constexpr index_range part_of(index_range whole, std::size_t k, std::size_t n,
                              const call_site& at = call_site::current()) {
  internal::base::require_range(whole, at);
  const std::size_t size = whole.last - whole.first, quotient = size / n, rest = size % n;
  const std::size_t first = whole.first + k * quotient + std::min(k, rest);
  return {first, first + quotient + (k < rest ? 1 : 0)};
}
// [any thread] The same for numbers of cores, locales or members.
constexpr index_range part_of(index_range whole, std::same_as<int> auto k, std::same_as<int> auto n,
                              const call_site& at = call_site::current()) {
  return part_of(whole, static_cast<std::size_t>(k), static_cast<std::size_t>(n), at);
}

// [task or handler] The calling core's part, of one part per core of the job.
inline index_range my_part_of_job(index_range whole, const call_site& at = call_site::current()) {
  return part_of(whole, my_core(), cores(), at);
}
// [task or handler] The calling core's part, of one part per core of its locale.
inline index_range my_part_of_locale(index_range whole, const call_site& at = call_site::current()) {
  return part_of(whole, my_core_of_locale(), my_locales_cores(), at);
}

}  // namespace orujo
