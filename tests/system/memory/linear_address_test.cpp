#include "system/memory/linear_address.hpp"

#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

#include "system/base/random.hpp"
#include "tests/system/memory/pretended_heap.hpp"

namespace orujo::internal::memory {
namespace {

using word = std::uint64_t;
using address_of_word = linear_address<word>;
static_assert(sizeof(address_of_word) == 8 && std::is_trivially_copyable_v<address_of_word>);
static_assert(address<address_of_word> && address<global_address<word>> && !address<word*>);
static_assert(std::is_convertible_v<address_of_word, linear_address<const word>>);
static_assert(!std::is_convertible_v<linear_address<const word>, address_of_word>);

struct alignas(32) record {
  double weight;
  std::uint32_t count, flags;
};

TEST(linear_address, is_null_by_default) {
  EXPECT_FALSE(address_of_word());
  EXPECT_TRUE(address_of_word(6, 0));
  EXPECT_EQ(address_of_word(6, 4096).index(), 4096u);
}

// Walks an array of n words with ++ beside a model, and compares everything an address can tell.
void compare_with_model(std::uint32_t log_block, int cores, std::size_t n, std::uint64_t first_block) {
  SCOPED_TRACE(testing::Message() << cores << " cores, blocks of 2^" << log_block << ", " << n << " words");
  const std::size_t block = std::size_t{1} << log_block;
  const pretended_heap heap(cores, (n * 8 / block + first_block + 2) * block);
  const address_of_word base(log_block, first_block * block);
  by_core<std::vector<word>> held(cores);  // which words
  address_of_word walking = base;
  for (std::size_t i = 0; i < n; ++i, ++walking) {
    const std::uint64_t at_block = first_block + i * 8 / block;
    const auto core = static_cast<core_id>(at_block % static_cast<std::uint64_t>(cores));
    ASSERT_EQ(walking.core(), core) << i;
    ASSERT_EQ(walking, base + static_cast<std::ptrdiff_t>(i));
    ASSERT_EQ(walking - base, static_cast<std::ptrdiff_t>(i));
    ASSERT_EQ(base - walking, -static_cast<std::ptrdiff_t>(i));
    const std::byte* expected = heap_segments::here().base_of(core) +
                                at_block / static_cast<std::uint64_t>(cores) * block + i * 8 % block;
    ASSERT_EQ(static_cast<void*>(walking.local()), expected) << i;
    ASSERT_EQ(walking.resolve(), global_address<word>(core, walking.local()));
    *walking.local() = i;
    held[core].push_back(i);
  }
  for (core_id c = 0; c < cores; ++c) {
    heap.become(c);
    const std::span<word> mine = local_span(base, n);
    ASSERT_EQ(std::vector<word>(mine.begin(), mine.end()), held[c]);
    std::vector<word> seen;
    for_each_local_span(base, n, [&](std::size_t i, std::span<word> part) {
      for (word value : part) {
        EXPECT_EQ(value, i++);
        seen.push_back(value);
      }
    });
    ASSERT_EQ(seen, held[c]);
  }
}

TEST(linear_address, agrees_with_a_model_for_random_blocks_and_cores) {
  random_stream random(2);
  for (int trial = 0; trial < 60; ++trial) {
    compare_with_model(static_cast<std::uint32_t>(3 + random.below(8)), static_cast<int>(1 + random.below(9)),
                       random.below(700), random.below(20));
  }
}

TEST(linear_address, gives_the_local_spans_of_any_part_of_an_array) {
  constexpr std::size_t n = 300;
  random_stream random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const int cores = static_cast<int>(1 + random.below(5));
    const pretended_heap heap(cores, n * 8 + 4096);
    const address_of_word base(3 + random.below(6), 0);
    const std::size_t first = random.below(n), count = random.below(n - first + 1);
    std::vector<int> seen(n);
    for (core_id c = 0; c < cores; ++c) {
      heap.become(c);
      const auto begin = base + static_cast<std::ptrdiff_t>(first);
      std::size_t here = 0;
      for_each_local_span(begin, count, [&](std::size_t i, std::span<word> part) {
        for (std::size_t k = 0; k < part.size(); ++k) {
          ++seen[first + i + k];
          EXPECT_EQ((begin + static_cast<std::ptrdiff_t>(i + k)).local(), &part[k]);
        }
        here += part.size();
      });
      EXPECT_EQ(local_span(begin, count).size(), here);
    }
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(seen[i], i >= first && i < first + count ? 1 : 0) << i;
  }
}

TEST(linear_address, moves_in_every_way) {
  const pretended_heap heap(3, 4096);
  const address_of_word base(4, 96);
  address_of_word a = base;
  EXPECT_EQ(a++, base);
  EXPECT_EQ(a, base + 1);
  EXPECT_EQ(--a, base);
  a += 7;
  a -= 2;
  EXPECT_EQ(a--, base + 5);
  EXPECT_EQ(a, base + 5 - 1);
  EXPECT_TRUE(base < a && a > base && base <= base && base != a);
}

TEST(linear_address, leads_to_members_and_to_constants) {
  const pretended_heap heap(3, 4096);
  for (std::ptrdiff_t k = 0; k < 50; ++k) {
    const linear_address<record> at = linear_address<record>(6, 192) + k;
    EXPECT_EQ(at.member(&record::weight).local(), &at.local()->weight);
    EXPECT_EQ(at.member(&record::flags).local(), &at.local()->flags);
    EXPECT_EQ(at.member(&record::flags).core(), at.core());
    const linear_address<const record> constant = at;
    EXPECT_EQ(constant.local(), at.local());
  }
  static_assert(std::is_same_v<decltype(linear_address<record>().member(&record::count)),
                               linear_address<std::uint32_t>>);
}

}  // namespace
}  // namespace orujo::internal::memory
