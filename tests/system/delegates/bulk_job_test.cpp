#include "system/delegates/bulk.hpp"
#include "system/delegates/delegate.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"
#include "system/containers/global_array.hpp"
#include "system/delegates/global_heap.hpp"
#include "tests/at_home.hpp"

namespace orujo::internal::delegates {
namespace {

using word = std::uint64_t;
using words = memory::linear_address<word>;

std::vector<word> numbers(std::size_t n, word first) {
  std::vector<word> values(n);
  std::iota(values.begin(), values.end(), first);
  return values;
}

template <class A>
std::vector<word> values_of(A first, std::size_t n) {
  std::vector<word> values(n);
  get(first, std::span(values));
  return values;
}

words at(words base, std::size_t i) { return base + static_cast<std::ptrdiff_t>(i); }

TEST(bulk, puts_and_gets_the_memory_of_one_core) {
  constexpr std::size_t per_core = 20'000;
  auto array = containers::global_array<std::uint32_t>::create(per_core * static_cast<std::size_t>(cores()));
  std::vector<std::uint32_t> out(per_core), in(per_core);
  for (core_id c = 0; c < cores(); ++c) {
    std::iota(out.begin(), out.end(), static_cast<std::uint32_t>(c) * 1000);
    const memory::global_address<std::uint32_t> base = array[per_core * static_cast<std::size_t>(c)];
    completion_event written;
    async_put(written, base, std::span<const std::uint32_t>(out));
    written.wait();
    get(memory::global_address<const std::uint32_t>(c, base.local()), std::span(in));
    EXPECT_EQ(in, out);
    out[per_core - 1] = 7;
    put(base + (per_core - 2), std::span<const std::uint32_t>(out).last(2));
    get(base, std::span(in));
    EXPECT_EQ(in, out);
    fill(base + 10, per_core - 20, 3);
    std::fill(out.begin() + 10, out.end() - 10, 3);
    get(base, std::span(in));
    EXPECT_EQ(in, out);
  }
  array.destroy();
}

// Random parts of an array are put and filled; a model is kept beside it.
TEST(bulk, puts_fills_and_gets_any_part_of_a_linear_range) {
  constexpr std::size_t n = 5000;
  for (const std::size_t block : {std::size_t{8}, std::size_t{64}, std::size_t{4096}, std::size_t{1} << 16}) {
    SCOPED_TRACE(testing::Message() << "blocks of " << block);
    random_stream random(block);
    const words base = global_alloc<word>(n, block);
    std::vector<word> model = numbers(n, 1);
    put(base, std::span<const word>(model));
    for (int step = 0; step < 60; ++step) {
      const std::size_t first = random.below(n);
      const std::size_t count = random.below(1 + random.below(n - first + 1));
      const auto begin = model.begin() + static_cast<std::ptrdiff_t>(first);
      switch (step % 4) {
        case 0: {
          std::iota(begin, begin + static_cast<std::ptrdiff_t>(count), random.below(1 << 20));
          put(at(base, first), std::span<const word>(&*begin, count));
          break;
        }
        case 1: {
          const word value = random.below(1 << 20);
          std::fill_n(begin, count, value);
          fill(at(base, first), count, value);
          break;
        }
        case 2: {
          completion_event done;
          std::iota(begin, begin + static_cast<std::ptrdiff_t>(count), random.below(1 << 20));
          std::vector<word> passing(begin, begin + static_cast<std::ptrdiff_t>(count));
          async_put(done, at(base, first), std::span<const word>(passing));
          std::fill(passing.begin(), passing.end(), 0);  // it is copied already
          done.wait();
          break;
        }
        default: {
          completion_event done;
          std::fill_n(begin, count, 1);
          async_fill(done, at(base, first), count, 1);
          done.wait();
        }
      }
      ASSERT_EQ(values_of(at(base, first), count),
                std::vector<word>(begin, begin + static_cast<std::ptrdiff_t>(count)));
    }
    EXPECT_EQ(values_of(base, n), model);
    for (std::size_t i = 0; i < n; i += 97) EXPECT_EQ(read(at(base, i)), model[i]);
    global_free(base);
  }
}

TEST(bulk, gets_much_more_than_may_be_under_way_at_a_time) {
  constexpr std::size_t n = (std::size_t{8} << 20) / sizeof(word);
  const words base = global_alloc<word>(n);
  const std::vector<word> expected = numbers(n, 5);
  put(base, std::span<const word>(expected));
  std::vector<word> first(n), second(n);
  completion_event done;
  async_get(done, base, std::span(first));
  async_get(done, base, std::span(second));
  done.wait();
  EXPECT_TRUE(first == expected);
  EXPECT_TRUE(second == expected);
  global_free(base);
}

TEST(bulk, moves_elements_larger_than_a_message) {
  struct large {
    word values[1024];
  };
  static_assert(sizeof(large) == 8192);
  const std::size_t n = 3 * static_cast<std::size_t>(cores());
  const auto base = global_alloc<large>(n);
  std::vector<large> out(n), in(n);
  for (std::size_t k = 0; k < n; ++k) std::iota(out[k].values, out[k].values + 1024, k * 10'000);
  put(base, std::span<const large>(out));
  get(base, std::span(in));
  EXPECT_EQ(std::memcmp(in.data(), out.data(), n * sizeof(large)), 0);
  global_free(base);
}

TEST(bulk, of_nothing_is_done_at_once) {
  const words base = global_alloc<word>(1);
  write(base, 9);
  get(base, std::span<word>());
  put(base, std::span<const word>());
  fill(base, 0, 1);
  copy(base, base, 0);
  completion_event done;
  async_get(done, base, std::span<word>());
  async_copy(done, base, base, 0);
  done.wait();
  EXPECT_EQ(read(base), 9u);
  global_free(base);
}

struct blocks_of {
  std::size_t from, to, shift;
};

TEST(bulk, copies_between_linear_ranges) {
  constexpr std::size_t n = 3000;
  for (const blocks_of& b :
       {blocks_of{64, 64, 0}, blocks_of{64, 64, 8}, blocks_of{64, 64, 24}, blocks_of{64, 64, 3},
        blocks_of{8, 512, 0}, blocks_of{4096, 64, 1}, blocks_of{1 << 16, 1 << 16, 100}}) {
    SCOPED_TRACE(testing::Message() << b.from << " to " << b.to << " bytes, shifted by " << b.shift);
    const words from = global_alloc<word>(n + 5, b.from), to = global_alloc<word>(n + b.shift + 10, b.to);
    put(from, std::span<const word>(numbers(n + 5, 1000)));
    fill(to, n + b.shift + 10, 1);
    copy(at(from, 5), at(to, 5 + b.shift), n);
    std::vector<word> expected(n + b.shift + 10, 1);
    std::iota(expected.begin() + static_cast<std::ptrdiff_t>(5 + b.shift), expected.end() - 5, 1005);
    EXPECT_EQ(values_of(to, expected.size()), expected);
    global_free(from);
    global_free(to);
  }
}

TEST(bulk, copies_between_linear_ranges_and_the_memory_of_a_core) {
  constexpr std::size_t n = 2000;
  auto array = containers::global_array<word>::create(n * static_cast<std::size_t>(cores()));
  const words linear = global_alloc<word>(n);
  for (core_id c = 0; c < cores(); ++c) {
    const memory::global_address<word> there = array[n * static_cast<std::size_t>(c)];
    const std::vector<word> expected = numbers(n - 3, static_cast<word>(c) * 100);
    put(at(linear, 3), std::span<const word>(expected));
    copy(at(linear, 3), there, n - 3);
    EXPECT_EQ(values_of(there, n - 3), expected);
    fill(linear, n, 0);
    completion_event done;
    async_copy(done, memory::global_address<const word>(there), at(linear, 1), n - 3);
    done.wait();
    EXPECT_EQ(values_of(at(linear, 1), n - 3), expected);
    EXPECT_EQ(read(linear), 0u);
    EXPECT_EQ(read(at(linear, n - 2)), 0u);
  }
  global_free(linear);
  array.destroy();
}

// All cores at once put their own parts, get everybody's and add up.
TEST(bulk, is_for_all_cores_at_once) {
  constexpr std::size_t per_core = 3000;
  const std::size_t n = per_core * static_cast<std::size_t>(cores());
  const words base = global_alloc<word>(n, 256);
  std::uint64_t wrong = 0;
  const at_home count(wrong);
  loops::on_all_cores([=] {
    const std::size_t first = per_core * static_cast<std::size_t>(my_core());
    put(at(base, first), std::span<const word>(numbers(per_core, first)));
    collectives::barrier();
    const std::vector<word> all = values_of(base, n);
    const std::uint64_t mistakes = all == numbers(n, 0) ? 0 : 1;
    call(0, [=] { *count += mistakes; });
  });
  EXPECT_EQ(wrong, 0u);
  global_free(base);
}

}  // namespace
}  // namespace orujo::internal::delegates
