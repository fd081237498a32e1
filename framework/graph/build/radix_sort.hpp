// Sorting of 64-bit keys of which few bits differ, within the caches.
#pragma once

#include <cstdint>
#include <span>

namespace orujo::internal::graph {

// Sorts keys below 2^bits, ascending, from the least digit up. Returns the result, which lies in `keys` or at
// the start of `spare`. `spare` is at least as large. The other one is left in disorder. About bits / 11
// passes.
std::span<std::uint64_t> radix_sort(std::span<std::uint64_t> keys, std::span<std::uint64_t> spare,
                                    unsigned bits);

struct weighted_keys {
  std::span<std::uint64_t> keys;
  std::span<float> weights;  // parallel
};

// The same with a weight beside each key; weights of equal keys ascend.
weighted_keys radix_sort(weighted_keys pairs, weighted_keys spare, unsigned bits);

}  // namespace orujo::internal::graph
