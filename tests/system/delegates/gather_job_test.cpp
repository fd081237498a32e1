#include "system/delegates/gather.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"
#include "system/containers/global_array.hpp"
#include "system/delegates/bulk.hpp"
#include "system/delegates/delegate.hpp"
#include "system/delegates/global_heap.hpp"

namespace orujo::internal::delegates {
namespace {

using word = std::uint64_t;

// An element that tells which one it is in every part of it.
template <class T, std::size_t N>
struct several {
  std::array<T, N> parts;
  several() = default;
  explicit several(std::size_t i) { parts.fill(static_cast<T>(i)); }
  bool operator==(const several&) const = default;
};

template <class T>
std::vector<T> numbered(std::size_t n) {
  std::vector<T> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(static_cast<T>(i));
  return values;
}

// Any of n, some of them often.
std::vector<std::uint32_t> drawn(std::size_t count, std::size_t n, std::uint64_t seed) {
  random_stream random(seed);
  std::vector<std::uint32_t> indices(count);
  for (auto& i : indices) i = static_cast<std::uint32_t>(random.below(random.below(2) ? n : 1 + n / 100));
  return indices;
}

template <class T, class Index>
bool are_those_of(const std::vector<T>& values, const std::vector<Index>& indices,
                  const std::vector<T>& model) {
  for (std::size_t k = 0; k < indices.size(); ++k) {
    if (!(values[k] == model[indices[k]])) return false;
  }
  return values.size() == indices.size();
}

template <class T>
void gathers_from_the_heap(std::size_t block) {
  constexpr std::size_t n = 3000, skipped = 5;
  const std::vector<T> model = numbered<T>(n);
  const auto all = global_alloc<T>(n, block);
  put(all, std::span<const T>(model));
  const std::vector<T> behind(model.begin() + skipped, model.end());
  for (const std::size_t count : {0, 1, 2, 100, 10'000}) {
    const auto indices = drawn(count, n - skipped, block + count);
    std::vector<T> values(count);
    gather(all + skipped, indices, values);
    EXPECT_TRUE(are_those_of(values, indices, behind)) << count << " with blocks of " << block;
  }
  global_free(all);
}

TEST(gather_elements, brings_those_of_the_global_heap_in_the_order_asked) {
  for (const std::size_t block : {64, 4096}) {
    gathers_from_the_heap<std::uint8_t>(block);
    gathers_from_the_heap<std::uint32_t>(block);
    gathers_from_the_heap<word>(block);
    gathers_from_the_heap<several<word, 2>>(block);
  }
  gathers_from_the_heap<word>(8);
  gathers_from_the_heap<several<word, 256>>(4096);  // of which a message holds one
}

template <class T>
void gathers_from_an_array() {
  constexpr std::size_t n = 1001;
  const std::vector<T> model = numbered<T>(n);
  const auto array = containers::global_array<T>::create(n);
  array.put(0, model);
  for (const std::size_t count : {0, 1, 5000}) {
    const auto indices = drawn(count, n, count);
    std::vector<T> values(count);
    array.gather(indices, values);
    EXPECT_TRUE(are_those_of(values, indices, model)) << count;
  }
  array.destroy();
}

TEST(gather_elements, brings_those_of_a_global_array_whatever_their_size) {
  gathers_from_an_array<std::uint16_t>();
  gathers_from_an_array<several<std::uint8_t, 3>>();
  gathers_from_an_array<several<std::uint32_t, 3>>();
  gathers_from_an_array<several<word, 5>>();
}

TEST(gather_elements, brings_those_of_one_core) {
  const auto array = containers::global_array<word>::create(200 * static_cast<std::size_t>(cores()));
  loops::on_all_cores([array] {
    for (std::size_t k = 0; k < 200; ++k) array.local()[k] = array.range_here().first + k;
  });
  const std::vector<int> indices{199, 0, 7, 7, 100};
  for (core_id c = 0; c < cores(); ++c) {
    std::vector<word> values(5);
    const word first = 200 * static_cast<word>(c);
    gather(array[first], indices, values);
    EXPECT_EQ(values, (std::vector<word>{first + 199, first, first + 7, first + 7, first + 100}));
    memory::global_address<const word> constant = array[first];
    gather(constant + 1, std::span(indices).last(1), std::span(values).first(1));
    EXPECT_EQ(values[0], first + 101);
  }
  array.destroy();
}

// More batches than may be under way, and several gathers share that.
TEST(gather_elements, goes_on_where_many_tasks_of_all_cores_gather_at_a_time) {
  constexpr std::size_t n = 50'000, count = 60'000;
  const auto all = global_alloc<word>(n, 4096);
  put(all, std::span<const word>(numbered<word>(n)));
  std::uint64_t wrong = 0;
  const memory::global_address<std::uint64_t> sum(my_core(), &wrong);
  loops::on_all_cores([=] {
    std::uint64_t mine = 0;
    loops::forall_here({0, 4}, [&](std::size_t k) {
      const auto indices = drawn(count, n, 10 * static_cast<std::uint64_t>(my_core()) + k);
      std::vector<word> values(count);
      gather(all, indices, values);
      for (std::size_t i = 0; i < count; ++i) mine += values[i] != indices[i];
    });
    increment(sum, mine);
  });
  EXPECT_EQ(wrong, 0u);
  global_free(all);
}

// Offsets of a byte: most elements are out of reach of one from where their core's part begins.
TEST(gather_elements, reaches_those_that_are_far_from_their_cores_first) {
  constexpr std::size_t n = 20'000;
  const std::vector<word> model = numbered<word>(n);
  const auto all = global_alloc<word>(n, 64);
  put(all, std::span<const word>(model));
  const auto indices = drawn(30'000, n, 1);
  std::vector<word> values(indices.size());
  detail::gather_from<std::uint8_t>(detail::parts_of(all), indices, std::span(values));
  EXPECT_TRUE(are_those_of(values, indices, model));
  global_free(all);
}

TEST(gather_elements, sees_what_its_task_has_done_before) {
  const std::size_t n = 10 * static_cast<std::size_t>(cores());
  const auto all = global_alloc<word>(n, 64);
  fill(all, n, 0);
  const std::vector<word> indices = numbered<word>(n);
  std::vector<word> values(n);
  for (word round = 1; round < 20; ++round) {
    completion_event written;
    for (std::size_t i = 0; i < n; ++i) async_write(written, all + static_cast<std::ptrdiff_t>(i), round * i);
    gather(all, indices, values);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(values[i], round * i);
    for (std::size_t i = 0; i < n; ++i) async_increment(written, all + static_cast<std::ptrdiff_t>(i));
    written.wait();
    EXPECT_EQ(read(all + static_cast<std::ptrdiff_t>(n - 1)), round * (n - 1) + 1);
  }
  global_free(all);
}

}  // namespace
}  // namespace orujo::internal::delegates
