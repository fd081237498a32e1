// Strictly ascending lists of every kind that a codec may meet.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::test_lists {

inline constexpr std::uint32_t largest = ~std::uint32_t{0};

// `count` integers from `first` on with gaps drawn by gap(random); fewer where 32 bits end.
template <class Gap>
std::vector<std::uint32_t> with_gaps(std::uint64_t seed, std::size_t count, std::uint64_t first, Gap gap) {
  random_stream random(seed);
  std::vector<std::uint32_t> list;
  for (std::uint64_t x = first; list.size() < count && x <= largest; x += gap(random))
    list.push_back(static_cast<std::uint32_t>(x));
  return list;
}

struct named_list {
  std::string name;
  std::vector<std::uint32_t> list;
};

// Lists of `count` integers, with all kinds of gaps.
inline std::vector<named_list> of_length(std::size_t count, std::uint64_t seed) {
  std::vector<named_list> lists;
  const auto add = [&](std::string name, std::uint64_t first, auto gap) {
    lists.push_back({name + " x " + std::to_string(count), with_gaps(seed, count, first, gap)});
  };
  add("consecutive", 17, [](auto&) { return 1; });
  add("consecutive to the largest", largest - count + 1, [](auto&) { return 1; });
  add("gaps of 2", 0, [](auto&) { return 2; });
  add("gaps below 5", 3, [](auto& r) { return 1 + r.below(4); });
  add("gaps below 300", 0, [](auto& r) { return 1 + r.below(299); });
  add("gaps below 2^20", 1, [](auto& r) { return 1 + r.below(1 << 20); });
  // A bit more in every fourth gap; few are long, so that widths and lengths change from block to block.
  add("gaps of all widths", 0,
      [](auto& r) { return 1 + r.below(std::uint64_t{1} << r.below(r.below(24) + 1)); });
  add("short gaps, one in ten long", 2,
      [](auto& r) { return r.below(10) == 0 ? 1 + r.below(1 << 17) : 1 + r.below(9); });
  std::vector<std::uint32_t> far = with_gaps(seed, count, 0, [](auto& r) { return 1 + r.below(9); });
  if (!far.empty()) far.back() = largest;
  lists.push_back({"short gaps, then the largest x " + std::to_string(count), far});
  return lists;
}

// Around the edges of blocks of 8, 64, 128 and 2^14.
inline std::vector<std::size_t> lengths() {
  std::vector<std::size_t> all;
  for (std::size_t n = 0; n <= 20; ++n) all.push_back(n);
  for (const std::size_t edge : {64, 128, 256, 1024, 1 << 14})
    for (std::size_t n = edge - 2; n <= edge + 3; ++n) all.push_back(n);
  return all;
}

}  // namespace orujo::test_lists
