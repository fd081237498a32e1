#include "system/delegates/global_heap.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/bulk.hpp"
#include "system/delegates/delegate.hpp"
#include "system/loops/forall.hpp"
#include "tests/at_home.hpp"

namespace orujo::internal::delegates {
namespace {

TEST(global_heap, spreads_an_allocation_over_all_cores) {
  const std::size_t n = 100 * static_cast<std::size_t>(cores());
  const auto values = global_alloc<std::uint64_t>(n, 64);
  by_core<std::size_t> held(cores());
  for (std::size_t i = 0; i < n; ++i) {
    ++held[(values + static_cast<std::ptrdiff_t>(i)).core()];
  }
  for (core_id c = 0; c < cores(); ++c) {
    EXPECT_NEAR(static_cast<double>(held[c]), 100, 8);
    EXPECT_EQ(call(c, [=] { return memory::local_span(values, n).size(); }), held[c]);
  }
  global_free(values);
}

TEST(global_heap, is_as_free_as_before_when_all_is_given_back) {
  const std::uint64_t before = global_heap::here().free_bytes();
  std::vector<memory::linear_address<std::uint32_t>> all;
  random_stream random(7);
  for (int k = 0; k < 100; ++k) {
    all.push_back(global_alloc<std::uint32_t>(random.below(100'000), std::size_t{8} << random.below(14)));
  }
  EXPECT_LT(global_heap::here().free_bytes(), before);
  while (!all.empty()) {
    std::swap(all[random.below(all.size())], all.back());
    global_free(all.back());
    all.pop_back();
  }
  EXPECT_EQ(global_heap::here().free_bytes(), before);
}

// Every core allocates, marks and checks at the same time: nobody may find another's mark.
TEST(global_heap, gives_tasks_of_all_cores_memory_of_their_own) {
  const std::uint64_t before = global_heap::here().free_bytes();
  std::uint64_t wrong = 0;
  const at_home count(wrong);
  loops::on_all_cores([=] {
    std::uint64_t mine = 0;
    loops::forall_here({0, 20}, [&](std::size_t k) {
      const std::uint64_t mark = static_cast<std::uint64_t>(my_core()) * 1000 + k;
      const std::size_t n = 1 + k * 37;
      const auto values = global_alloc<std::uint64_t>(n, k % 2 ? 64 : 512);
      fill(values, n, mark);
      tasks::yield();
      std::vector<std::uint64_t> found(n);
      get(values, std::span(found));
      for (std::uint64_t value : found) mine += value != mark ? 1 : 0;
      global_free(values);
    });
    call(0, [=] { *count += mine; });
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(global_heap::here().free_bytes(), before);
}

TEST(global_heap, gives_the_pages_of_large_allocations_back) {
  const std::size_t n = (std::size_t{4} << 20) / 8 * static_cast<std::size_t>(cores());
  const auto values = global_alloc<std::uint64_t>(n);
  fill(values, n, 1);
  global_free(values);
  const auto again = global_alloc<std::uint64_t>(n);
  ASSERT_EQ(again, values) << "the best fit is the same extent";
  EXPECT_EQ(read(again), 0u);
  EXPECT_EQ(read(again + static_cast<std::ptrdiff_t>(n - 1)), 0u);
  global_free(again);
}

TEST(global_heap, serves_one_core_per_element_and_one_block_for_all) {
  const auto n = static_cast<std::size_t>(cores()) * 8;
  const auto one_each = global_alloc<std::uint64_t>(n, 8);
  const auto one_block = global_alloc<std::uint64_t>(n, 1 << 20);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ((one_each + static_cast<std::ptrdiff_t>(i)).core(), static_cast<core_id>(i) % cores());
    EXPECT_EQ((one_block + static_cast<std::ptrdiff_t>(i)).core(), one_block.core());
  }
  global_free(one_each);
  global_free(one_block);
}

}  // namespace
}  // namespace orujo::internal::delegates
