// Checks that an array of keys is sorted, and has the same keys as before.
#pragma once

#include <cstddef>
#include <cstdint>

#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"
#include "system/containers/global_array.hpp"

namespace orujo::internal::sample_sort {

using key_array = containers::global_array<std::uint64_t>;

// Sums over keys, whatever their order.
struct fingerprint {
  std::uint64_t keys = 0, sum = 0, hashes = 0;
  bool operator==(const fingerprint&) const = default;
  fingerprint operator+(const fingerprint& other) const {
    return {keys + other.keys, sum + other.sum, hashes + other.hashes};
  }
};

// The findings about an array of one core, or over all of them.
struct findings {
  fingerprint of;
  std::uint64_t descents = 0;  // keys that are smaller than the one before
  findings operator+(const findings& other) const { return {of + other.of, descents + other.descents}; }
};

// [task; suspends] Inspects the calling core's block, and the step into it from the block before.
inline findings inspect_here(const key_array& array) {
  const std::size_t first = array.range_here().first;
  findings mine;
  std::uint64_t before = 0;
  if (first > 0 && !array.local().empty()) before = delegates::read(array[first - 1]);
  for (const std::uint64_t key : array.local()) {
    mine = mine + findings{{1, key, mix64(key)}, key < before ? 1u : 0u};
    before = key;
  }
  return mine;
}

// [task; suspends]
inline findings inspect(const key_array& array) {
  findings all;
  const memory::global_address<findings> to(my_core(), &all);
  loops::on_all_cores([array, to] {
    const findings sum = collectives::all_reduce(inspect_here(array));
    if (my_core() == to.core()) *to.local() = sum;
  });
  return all;
}

}  // namespace orujo::internal::sample_sort
