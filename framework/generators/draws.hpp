// Random numbers of generators: each a pure function of the seed, a stream and its place.
#pragma once

#include <cstdint>

#include "system/base/random.hpp"

namespace orujo::internal::generators {

// Draw n of SplitMix64 without drawing those before it.
class draws {
 public:
  draws(std::uint64_t seed, std::uint64_t stream) : start_(mix64(mix64(seed) + stream)) {}
  std::uint64_t operator[](std::uint64_t n) const { return mix64(state(n)); }
  // The argument whose mix64() is draw n. It grows by `step` from draw to draw.
  std::uint64_t state(std::uint64_t n) const { return start_ + (n + 1) * step; }
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15u;

  // Uniform in [0, bound), from draw n.
  std::uint64_t below(std::uint64_t n, std::uint64_t bound) const {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>((*this)[n]) * bound) >> 64);
  }

 private:
  std::uint64_t start_;
};

inline constexpr std::uint64_t edge_stream = 1, weight_stream = 2, label_stream = 3;

}  // namespace orujo::internal::generators
