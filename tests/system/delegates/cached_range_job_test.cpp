#include "system/delegates/cached_range.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "system/containers/global_array.hpp"
#include "system/delegates/global_heap.hpp"

namespace orujo::internal::delegates {
namespace {

using word = std::uint64_t;
constexpr std::size_t n = 3000;

std::vector<word> numbers(word first) {
  std::vector<word> values(n);
  std::iota(values.begin(), values.end(), first);
  return values;
}

// Calls f(address of n words) with a linear range and with the memory of each core.
template <class F>
void for_each_kind(const F& f) {
  const auto linear = global_alloc<word>(n);
  f(linear);
  global_free(linear);
  auto array = containers::global_array<word>::create(n * static_cast<std::size_t>(cores()));
  for (core_id c = 0; c < cores(); ++c)
    f(memory::global_address<word>(array[n * static_cast<std::size_t>(c)]));
  array.destroy();
}

template <memory::address A>
std::vector<word> values_of(A first) {
  std::vector<word> values(n);
  get(first, std::span(values));
  return values;
}

TEST(cached_range, shows_what_is_there) {
  for_each_kind([](auto first) {
    put(first, std::span<const word>(numbers(5)));
    auto range = cache<access::read_only>(first, n);
    static_assert(std::is_same_v<decltype(range.acquire()), std::span<const word>>);
    EXPECT_TRUE(std::ranges::equal(range.acquire(), numbers(5)));
    EXPECT_TRUE(std::ranges::equal(range.acquire(), numbers(5))) << "again, without a fetch";
  });
}

TEST(cached_range, of_constants_can_be_read) {
  for_each_kind([](auto first) {
    put(first, std::span<const word>(numbers(5)));
    const auto constant = [&] {
      if constexpr (std::is_same_v<decltype(first), memory::linear_address<word>>) {
        return memory::linear_address<const word>(first);
      } else {
        return memory::global_address<const word>(first);
      }
    }();
    auto range = cache<access::read_only>(constant, n);
    EXPECT_TRUE(std::ranges::equal(range.acquire(), numbers(5)));
  });
}

TEST(cached_range, fetches_while_the_task_does_something_else) {
  for_each_kind([](auto first) {
    put(first, std::span<const word>(numbers(1)));
    auto range = cache<access::read_only>(first, n);
    range.start_acquire();
    range.start_acquire();
    EXPECT_EQ(read(first), 1u);
    EXPECT_TRUE(std::ranges::equal(range.acquire(), numbers(1)));
  });
}

TEST(cached_range, writes_back_when_destroyed) {
  for_each_kind([](auto first) {
    put(first, std::span<const word>(numbers(1)));
    {
      auto range = cache<access::read_write>(first, n);
      for (word& value : range.acquire()) ++value;
    }
    EXPECT_EQ(values_of(first), numbers(2));
    {
      auto range = cache<access::write_only>(first, n);
      std::ranges::copy(numbers(50), range.acquire().begin());
    }
    EXPECT_EQ(values_of(first), numbers(50));
  });
}

TEST(cached_range, writes_back_on_release_and_fetches_anew) {
  for_each_kind([](auto first) {
    fill(first, n, 1);
    auto range = cache<access::read_write>(first, n);
    range.acquire()[7] = 2;
    range.release();
    EXPECT_EQ(read(first + 7), 2u);
    write(first + 8, 3);
    EXPECT_EQ(range.acquire()[8], 3u);
    range.acquire()[7] = 4;
    range.start_release();
    range.start_acquire();  // waits its turn
    EXPECT_EQ(range.acquire()[7], 4u);
    EXPECT_EQ(range.acquire()[8], 3u);
    range.release();
    range.release();
    EXPECT_EQ(read(first + 7), 4u);
  });
}

// So large that writing back has to wait for credits: a fetch that did not wait for it would overtake it.
TEST(cached_range, fetches_what_it_has_just_written) {
  constexpr std::size_t large = 300'000;
  const auto values = global_alloc<word>(large);
  fill(values, large, 1);
  auto range = cache<access::read_write>(values, large);
  std::ranges::fill(range.acquire(), word{2});
  range.start_release();
  range.start_acquire();
  const auto seen = range.acquire();
  EXPECT_EQ(std::ranges::count(seen, word{2}), static_cast<std::ptrdiff_t>(large));
  range.release();
  global_free(values);
}

TEST(cached_range, that_was_not_acquired_writes_nothing) {
  for_each_kind([](auto first) {
    put(first, std::span<const word>(numbers(1)));
    {
      auto idle = cache<access::write_only>(first, n);
      auto asked = cache<access::write_only>(first, n);
      asked.start_acquire();
      auto fetching = cache<access::read_write>(first, n);
      fetching.start_acquire();
    }
    EXPECT_EQ(values_of(first), numbers(1));
  });
}

TEST(cached_range, needs_no_copy_of_this_cores_memory) {
  auto array = containers::global_array<word>::create(n * static_cast<std::size_t>(cores()));
  auto range = cache<access::read_write>(memory::global_address<word>(array[0]), n);
  EXPECT_EQ(range.acquire().data(), array.local().data());
  range.release();
  array.destroy();
}

// Every core adds to its own part of one array, through blocks that lie everywhere.
TEST(cached_range, is_for_tasks_of_all_cores) {
  const std::size_t all = 500 * static_cast<std::size_t>(cores());
  const auto values = global_alloc<word>(all, 32);
  fill(values, all, 10);
  loops::on_all_cores([=] {
    auto mine = cache<access::read_write>(values + 500 * static_cast<std::ptrdiff_t>(my_core()), 500);
    for (word& value : mine.acquire()) value += static_cast<word>(my_core());
  });
  auto whole = cache<access::read_only>(values, all);
  const auto seen = whole.acquire();
  for (std::size_t i = 0; i < all; ++i) ASSERT_EQ(seen[i], 10 + i / 500) << i;
  global_free(values);
}

}  // namespace
}  // namespace orujo::internal::delegates
