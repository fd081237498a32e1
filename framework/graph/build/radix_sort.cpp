#include "framework/graph/build/radix_sort.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace orujo::internal::graph {
namespace {

constexpr unsigned most_digit_bits = 11;
constexpr unsigned most_passes = (64 + most_digit_bits - 1) / most_digit_bits;
constexpr std::size_t few_keys = 256;  // clearing and summing the counts would cost more than comparing
constexpr std::size_t most_keys = std::numeric_limits<std::uint32_t>::max();

using digit_counts = std::array<std::uint32_t, std::size_t{1} << most_digit_bits>;
using counts_of_passes = std::array<digit_counts, most_passes>;

// Keys cut into as few digits as there may be, all of as many bits.
struct digits {
  unsigned passes;
  unsigned bits;

  explicit digits(unsigned key_bits)
      : passes((key_bits + most_digit_bits - 1) / most_digit_bits),
        bits(passes == 0 ? 0 : (key_bits + passes - 1) / passes) {}
  std::size_t of(std::uint64_t key, unsigned pass) const {
    return key >> (pass * bits) & ((std::uint64_t{1} << bits) - 1);
  }
  std::size_t values() const { return std::size_t{1} << bits; }
};

template <unsigned Passes>
void count_digits(std::span<const std::uint64_t> keys, const digits& by, counts_of_passes& counts) {
  for (const std::uint64_t key : keys) {
    for (unsigned p = 0; p < Passes; ++p) ++counts[p][by.of(key, p)];
  }
}

void count_digits(std::span<const std::uint64_t> keys, const digits& by, counts_of_passes& counts) {
  for (unsigned p = 0; p < by.passes; ++p) std::fill_n(counts[p].begin(), by.values(), 0);
  switch (by.passes) {
    case 1:
      return count_digits<1>(keys, by, counts);
    case 2:
      return count_digits<2>(keys, by, counts);
    case 3:
      return count_digits<3>(keys, by, counts);
    case 4:
      return count_digits<4>(keys, by, counts);
    case 5:
      return count_digits<5>(keys, by, counts);
    default:
      return count_digits<most_passes>(keys, by, counts);
  }
}

// Counts become the place of each digit's first key. False if all keys have the same digit.
bool make_places(digit_counts& counts, std::size_t values, std::size_t keys) {
  std::uint32_t before = 0;
  for (std::size_t d = 0; d < values; ++d) {
    if (counts[d] == keys) return false;
    before += std::exchange(counts[d], before);
  }
  return true;
}

// The passes, whatever is moved: move(pass, places) brings everything to its place by that digit.
template <class Move>
void sort_by_digits(std::span<const std::uint64_t> keys, const digits& by, Move move) {
  static thread_local const auto counts = std::make_unique<counts_of_passes>();
  count_digits(keys, by, *counts);
  for (unsigned p = 0; p < by.passes; ++p) {
    if (make_places((*counts)[p], by.values(), keys.size())) move(p, (*counts)[p].data());
  }
}

// Parallel edges are rare or many: both are cheap to find and to sort.
void sort_weights_of_equal_keys(const weighted_keys& pairs) {
  const std::size_t count = pairs.keys.size();
  for (std::size_t first = 0, last = 0; first < count; first = last) {
    while (last < count && pairs.keys[last] == pairs.keys[first]) ++last;
    if (last - first > 1)
      std::sort(pairs.weights.begin() + static_cast<std::ptrdiff_t>(first),
                pairs.weights.begin() + static_cast<std::ptrdiff_t>(last));
  }
}

void sort_by_comparing(const weighted_keys& pairs) {
  std::vector<std::pair<std::uint64_t, float>> both(pairs.keys.size());
  for (std::size_t k = 0; k < both.size(); ++k) both[k] = {pairs.keys[k], pairs.weights[k]};
  std::sort(both.begin(), both.end());
  for (std::size_t k = 0; k < both.size(); ++k) {
    pairs.keys[k] = both[k].first;
    pairs.weights[k] = both[k].second;
  }
}

bool digits_pay(std::size_t keys) { return keys >= few_keys && keys < most_keys; }

}  // namespace

std::span<std::uint64_t> radix_sort(std::span<std::uint64_t> keys, std::span<std::uint64_t> spare,
                                    unsigned bits) {
  if (!digits_pay(keys.size())) {
    std::sort(keys.begin(), keys.end());
    return keys;
  }
  std::span<std::uint64_t> to = spare.first(keys.size());
  const digits by(bits);
  sort_by_digits(keys, by, [&](unsigned pass, std::uint32_t* place) {
    std::uint64_t* const out = to.data();
    for (const std::uint64_t key : keys) out[place[by.of(key, pass)]++] = key;
    std::swap(keys, to);
  });
  return keys;
}

weighted_keys radix_sort(weighted_keys pairs, weighted_keys spare, unsigned bits) {
  if (!digits_pay(pairs.keys.size())) {
    sort_by_comparing(pairs);
    return pairs;
  }
  weighted_keys to{spare.keys.first(pairs.keys.size()), spare.weights.first(pairs.keys.size())};
  const digits by(bits);
  sort_by_digits(pairs.keys, by, [&](unsigned pass, std::uint32_t* place) {
    for (std::size_t k = 0; k < pairs.keys.size(); ++k) {
      const std::uint32_t at = place[by.of(pairs.keys[k], pass)]++;
      to.keys[at] = pairs.keys[k];
      to.weights[at] = pairs.weights[k];
    }
    std::swap(pairs, to);
  });
  sort_weights_of_equal_keys(pairs);
  return pairs;
}

}  // namespace orujo::internal::graph
