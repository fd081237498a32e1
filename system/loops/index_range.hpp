// Ranges of consecutive indices, and their division into parts and pieces.
//
// The contract of every loop over a range: [first, last) with first <= last, of any size up to 2^64 - 1. A
// range that ends before it begins is refused as misuse, at the caller's line where the loop knows it. Chunks
// and grains are of any size, 0 stands for the loop's own choice; a larger size than the range is all of it.
#pragma once

#include <algorithm>
#include <cstddef>

#include "system/base/call_site.hpp"
#include "system/base/identity.hpp"

namespace orujo::loops {

struct index_range {
  std::size_t first = 0, last = 0;
  std::size_t size() const { return last - first; }
};

namespace detail {
[[noreturn]] void refuse_range(const index_range& range, const call_site& at);
}

constexpr void require_range(const index_range& range, const call_site& at = call_site::current()) {
  if (range.last < range.first) [[unlikely]]
    detail::refuse_range(range, at);
}

// Number of pieces of `step` iterations, at least 1, that cover the iterations; the last may be shorter.
constexpr std::size_t pieces_of(std::size_t iterations, std::size_t step) {
  return iterations / step + (iterations % step != 0 ? 1 : 0);
}

// The k-th of n nearly equal consecutive parts.
constexpr index_range part_of(index_range whole, std::size_t k, std::size_t n,
                              const call_site& at = call_site::current()) {
  require_range(whole, at);
  const std::size_t size = whole.last - whole.first, quotient = size / n, rest = size % n;
  const std::size_t first = whole.first + k * quotient + std::min(k, rest);
  return {first, first + quotient + (k < rest ? 1 : 0)};
}

// The calling core's part, if the job, or its locale, has as many parts as cores.
inline index_range my_part_of_job(index_range whole, const call_site& at = call_site::current()) {
  return part_of(whole, static_cast<std::size_t>(my_core()), static_cast<std::size_t>(cores()), at);
}
inline index_range my_part_of_locale(index_range whole, const call_site& at = call_site::current()) {
  return part_of(whole, static_cast<std::size_t>(my_core_of_locale()),
                 static_cast<std::size_t>(my_locales_cores()), at);
}

}  // namespace orujo::loops
