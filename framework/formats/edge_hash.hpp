// A number for an edge. Sums of them compare edges in any order: where the sums of two lists differ so do the
// lists, and where they agree it is chance once in 2^64.
#pragma once

#include <bit>
#include <cstdint>

#include "system/base/random.hpp"

namespace orujo::internal::formats {

// For each seed another number.
inline std::uint64_t hash_of_edge(std::uint64_t source, std::uint64_t target, float weight,
                                  std::uint64_t seed = 0) {
  const std::uint64_t bits = std::bit_cast<std::uint32_t>(weight == 0 ? 0.0f : weight);
  return mix64(mix64(mix64(source + seed) + target) ^ (bits * 0x9e3779b97f4a7c15u));
}

}  // namespace orujo::internal::formats
