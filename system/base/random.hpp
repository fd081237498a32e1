// Counter-based random numbers: a pure function of a key and an index, the same on any number of cores.
#pragma once

#include <cstdint>

namespace orujo {

// [any thread] A bijection on 64 bits that mixes them well: the hash of an integer. It is the finaliser of
// SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014, variant 13
// of Stafford).
constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Random 64-bit numbers by SplitMix64, for any thread. The same seed and stream number give the same numbers
// on every machine, so seed with what does not depend on the number of cores, such as an index. Satisfies
// std::uniform_random_bit_generator.
class random_stream {
 public:
  using result_type = std::uint64_t;
  explicit constexpr random_stream(std::uint64_t seed, std::uint64_t stream = 0)
      : state_(mix64(seed) ^ mix64(~stream)) {}
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }
  constexpr result_type operator()() { return mix64(state_ += 0x9e3779b97f4a7c15u); }
  // Uniform in [0, bound) with bound > 0. The bias is less than bound / 2^64.
  constexpr std::uint64_t below(std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>((*this)()) * bound) >> 64);
  }

 private:
  std::uint64_t state_;
};

}  // namespace orujo
