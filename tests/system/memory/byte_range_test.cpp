#include "system/memory/byte_range.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "system/base/random.hpp"
#include "tests/system/memory/pretended_heap.hpp"

namespace orujo::internal::memory {
namespace {

constexpr std::size_t segment = 4096;

// Where each byte of a range lies, by strips and blocks.
std::vector<const std::byte*> places_of(const byte_range& range) {
  std::vector<const std::byte*> places(range.bytes());
  for (std::uint64_t k = 0; k < range.strips(); ++k) {
    const strip s = range.strip_at(k);
    std::uint64_t done = 0, pieces = 0;
    range.for_each_block(s, [&](std::uint64_t position, std::uint64_t n) {
      for (std::uint64_t j = 0; j < n; ++j) {
        EXPECT_EQ(places.at(position + j), nullptr) << "position " << position + j << " twice";
        places[position + j] = s.at + done++;
      }
      ++pieces;
    });
    EXPECT_EQ(done, s.bytes);
    EXPECT_TRUE(!range.is_consecutive(s) || pieces == 1);
  }
  return places;
}

struct random_range {
  byte_range range;
  std::vector<const std::byte*> places;
};

random_range linear_range(random_stream& random, std::uint64_t log_block) {
  const std::size_t first = random.below(200), n = random.below(200);
  const auto begin = linear_address<std::uint64_t>(log_block, 0) + static_cast<std::ptrdiff_t>(first);
  std::vector<const std::byte*> places;
  for (std::size_t k = 0; k < n * 8; ++k) {
    const auto at = begin + static_cast<std::ptrdiff_t>(k / 8);
    places.push_back(reinterpret_cast<const std::byte*>(at.local()) + k % 8);
  }
  return {byte_range(begin, n), places};
}

random_range range_of_one_core(random_stream& random, int cores) {
  const auto core = static_cast<core_id>(random.below(static_cast<std::uint64_t>(cores)));
  const std::size_t first = random.below(200), n = random.below(200);
  std::byte* const at = heap_segments::here().base_of(core) + first * 8;
  std::vector<const std::byte*> places;
  for (std::size_t k = 0; k < n * 8; ++k) places.push_back(at + k);
  return {byte_range(global_address<const std::uint64_t>(core, reinterpret_cast<std::uint64_t*>(at)), n),
          places};
}

TEST(byte_range, has_every_byte_in_one_strip) {
  random_stream random(4);
  for (int trial = 0; trial < 300; ++trial) {
    const int cores = static_cast<int>(1 + random.below(6));
    const pretended_heap heap(cores, segment);
    const random_range r =
        trial % 3 ? linear_range(random, 3 + random.below(8)) : range_of_one_core(random, cores);
    ASSERT_EQ(places_of(r.range), r.places);
    if (r.places.empty()) {
      ASSERT_EQ(r.range.strips(), 0u);
    } else {
      const std::uint64_t first = random.below(r.places.size());
      const std::uint64_t bytes = random.below(r.places.size() - first + 1);
      const auto begin = r.places.begin() + static_cast<std::ptrdiff_t>(first);
      ASSERT_EQ(places_of(r.range.part(first, bytes)),
                std::vector(begin, begin + static_cast<std::ptrdiff_t>(bytes)));
    }
  }
}

TEST(byte_range, overlaps_where_a_byte_is_in_both) {
  random_stream random(5);
  int overlapping = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const int cores = static_cast<int>(1 + random.below(6));
    const pretended_heap heap(cores, segment);
    const auto any = [&] {
      return random.below(2) ? linear_range(random, 3 + random.below(8)) : range_of_one_core(random, cores);
    };
    const random_range a = any(), b = any();
    const std::set<const std::byte*> in_a(a.places.begin(), a.places.end());
    bool expected = false;
    for (const std::byte* place : b.places) expected |= in_a.contains(place);
    ASSERT_EQ(a.range.overlaps(b.range), expected) << "trial " << trial;
    ASSERT_EQ(b.range.overlaps(a.range), expected) << "trial " << trial;
    overlapping += expected ? 1 : 0;
  }
  EXPECT_GT(overlapping, 100);
  EXPECT_LT(overlapping, 900);
}

TEST(byte_range, finds_the_strip_that_faces_one_of_a_range_with_the_same_blocks) {
  random_stream random(6);
  for (int trial = 0; trial < 200; ++trial) {
    const pretended_heap heap(static_cast<int>(1 + random.below(6)), segment);
    const std::uint64_t log_block = 3 + random.below(5), words = (std::uint64_t{1} << log_block) / 8;
    const std::uint64_t first = random.below(100), shift = words * random.below(10),
                        n = 1 + random.below(100);
    const linear_address<std::uint64_t> base(log_block, 0);
    const byte_range from(base + static_cast<std::ptrdiff_t>(first), n);
    const byte_range to(base + static_cast<std::ptrdiff_t>(first + shift), n);
    ASSERT_TRUE(to.same_blocks(from) && from.same_blocks(to));
    if (words > 1) {
      EXPECT_FALSE(byte_range(base + static_cast<std::ptrdiff_t>(first + shift + 1), n).same_blocks(from));
    }
    const std::vector<const std::byte*> places = places_of(to);
    for (std::uint64_t k = 0; k < from.strips(); ++k) {
      const strip mine = from.strip_at(k);
      const strip facing = to.facing(from, mine).strip_at(0);
      std::uint64_t done = 0;
      from.for_each_block(mine, [&](std::uint64_t position, std::uint64_t bytes) {
        for (std::uint64_t j = 0; j < bytes; ++j) ASSERT_EQ(facing.at + done++, places[position + j]);
      });
      ASSERT_EQ(done, facing.bytes);
    }
  }
}

}  // namespace
}  // namespace orujo::internal::memory
