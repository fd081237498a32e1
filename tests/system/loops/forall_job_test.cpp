#include "system/loops/forall.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

#include "system/containers/global_array.hpp"
#include "system/containers/global_bag.hpp"
#include "system/containers/global_hash_map.hpp"
#include "system/containers/global_hash_set.hpp"
#include "system/containers/global_vector.hpp"
#include "system/delegates/bulk.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/delegates/delegate.hpp"
#include "system/delegates/global_heap.hpp"

namespace orujo::internal::loops {
namespace {

TEST(forall, runs_every_index_once) {
  for (std::size_t size : {0u, 1u, 5u, 1000u}) {
    for (bool may_suspend : {false, true}) {
      auto count = containers::global_array<int>::create(size + 1);
      delegates::completion_event all;
      forall({0, size},
             [=, event = all.ref()](std::size_t i) { delegates::async_increment(event, count[i]); },
             {may_suspend, 0});
      all.wait();
      for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(delegates::read(count[i]), 1) << i;
      EXPECT_EQ(delegates::read(count[size]), 0);
      count.destroy();
    }
  }
}

TEST(on_all_cores, combines_what_all_return) {
  const auto of_core = [](core_id c) { return std::uint64_t{1} << 2 * c % 60; };
  std::uint64_t sum = 0;
  for (core_id c = 0; c < cores(); ++c) sum += of_core(c);
  EXPECT_EQ(combined_on_all_cores([of_core] { return of_core(my_core()); }), sum);
  EXPECT_EQ(
      combined_on_all_cores([] { return my_core(); }, [](core_id a, core_id b) { return std::max(a, b); }),
      cores() - 1);
}

// Cores of a locale that wait for each other without suspending: none begins after another's part has ended.
struct meeting {
  std::atomic<int> begun = 0;
  bool is_complete() {
    ++begun;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (begun < my_locales_cores() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    return begun == my_locales_cores();
  }
};

TEST(on_all_cores, begins_at_all_cores_before_the_callers_part_ends) {
  meeting of_locale;
  on_locale([&of_locale] { EXPECT_TRUE(of_locale.is_complete()); });
  if (locales() > 1) return;  // closures that travel have no references
  static meeting of_closures, of_values, of_indices;
  of_closures.begun = of_values.begun = of_indices.begun = 0;
  on_all_cores([] { EXPECT_TRUE(of_closures.is_complete()); });
  on_all_cores([](int) { EXPECT_TRUE(of_values.is_complete()); }, 0);
  const auto meets = [](std::size_t) { EXPECT_TRUE(of_indices.is_complete()); };
  forall({0, static_cast<std::size_t>(cores())}, meets, {.stealable = true});
}

TEST(on_all_cores, returns_what_the_caller_made_of_a_copied_value) {
  const std::string words(100'000, 'w');
  const auto made = on_all_cores(
      [](std::string copy) {
        copy[0] = static_cast<char>('a' + my_core());
        return std::make_unique<std::string>(std::move(copy));
      },
      words);
  EXPECT_EQ(*made, static_cast<char>('a' + my_core()) + words.substr(1));
  EXPECT_EQ(
      on_all_cores([](const std::optional<int>& none) { return none.value_or(3); }, std::optional<int>()), 3);
}

// However large the grain, all iterations have run when it returns.
TEST(forall, takes_grains_up_to_the_largest_number) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  for (const std::size_t grain : {std::size_t{999}, std::size_t{1000}, most / 2, most - 1, most}) {
    for (const bool stealable : {false, true}) {
      const auto count = containers::global_array<int>::create(1000);
      forall({3, count.size()},
             [=](std::size_t i) {
               tasks::yield();
               delegates::increment(count[i]);
             },
             {.grain = grain, .stealable = stealable});
      std::vector<int> counted(count.size()), expected(count.size(), 1);
      std::fill_n(expected.begin(), 3, 0);
      count.get(0, counted);
      EXPECT_EQ(counted, expected) << grain;
      count.destroy();
    }
  }
}

TEST(forall, bodies_may_suspend_in_delegates) {
  auto words = containers::global_array<std::uint64_t>::create(3000);
  forall({0, words.size()}, [=](std::size_t i) { delegates::fetch_and_add(words[words.size() - 1 - i], i); });
  for (std::size_t i = 0; i < words.size(); ++i) EXPECT_EQ(delegates::read(words[i]), words.size() - 1 - i);
  words.destroy();
}

TEST(forall, over_an_array_visits_each_element_at_its_owner) {
  auto owners = containers::global_array<core_id>::create(101);
  forall(owners,
         [](std::size_t i, core_id& element) { element = my_core() + static_cast<core_id>(i) * 1000; });
  for (std::size_t i = 0; i < owners.size(); ++i) {
    EXPECT_EQ(delegates::read(owners[i]), owners.owner(i) + static_cast<core_id>(i) * 1000);
  }
  owners.destroy();
}

TEST(forall, takes_bodies_of_whole_ranges) {
  auto words = containers::global_array<std::uint64_t>::create(1000);
  for (const bool may_suspend : {false, true}) {
    delegates::completion_event all;
    forall({3, 997},
           [=, event = all.ref()](index_range part) {
             EXPECT_LT(part.first, part.last);
             for (std::size_t i = part.first; i < part.last; ++i) delegates::async_increment(event, words[i]);
           },
           {.may_suspend = may_suspend, .grain = 10});
    all.wait();
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(delegates::read(words[i]), i < 3 || i >= 997 ? 0u : 2u) << i;
  }
  words.destroy();
}

TEST(forall, over_an_array_takes_bodies_of_four_forms) {
  for (const std::size_t size : {0u, 1u, 3u, 1000u}) {
    auto words = containers::global_array<std::uint64_t>::create(size);
    forall(words, [](std::size_t i, std::uint64_t& element) { element = i; });
    forall(words, [](std::uint64_t& element) { element *= 10; });
    forall(words, [](std::size_t first, std::span<std::uint64_t> part) {
      for (std::size_t k = 0; k < part.size(); ++k) part[k] += 1'000'000 * (first + k);
    });
    forall(words,
           [](std::span<std::uint64_t> part) {
             for (std::uint64_t& element : part) ++element;
           },
           {.may_suspend = false});
    for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(delegates::read(words[i]), i * 1'000'010 + 1);
    words.destroy();
  }
}

TEST(forall, over_the_global_heap_visits_each_element_at_its_owner) {
  for (const std::size_t block : {8u, 64u, 1024u}) {
    for (const std::size_t n : {1u, 7u, 1000u}) {
      const auto all = delegates::global_alloc<std::uint64_t>(n + 5, block);
      delegates::fill(all, n + 5, 7);
      const auto words = all + 3;  // not at the start of a block
      forall(words, n, [](std::size_t i, std::uint64_t& element) { element = i; }, {.grain = 5});
      forall(words, n, [](std::uint64_t& element) { element *= 10; });
      delegates::completion_event done;
      async_forall(done, words, n, [](std::size_t first, std::span<std::uint64_t> part) {
        for (std::size_t k = 0; k < part.size(); ++k) part[k] += 1'000'000 * (first + k);
      });
      done.wait();
      std::uint64_t elsewhere = 0;
      const memory::global_address<std::uint64_t> sum(my_core(), &elsewhere);
      forall(words, n, [=](std::size_t i, std::uint64_t&) {
        if ((words + static_cast<std::ptrdiff_t>(i)).core() != my_core()) delegates::increment(sum);
      });
      EXPECT_EQ(elsewhere, 0u);
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_EQ(delegates::read(words + static_cast<std::ptrdiff_t>(i)), i * 1'000'010) << i << " of " << n;
      }
      for (std::ptrdiff_t outside : {0, 1, 2, static_cast<int>(n) + 3, static_cast<int>(n) + 4}) {
        EXPECT_EQ(delegates::read(all + outside), 7u);
      }
      delegates::global_free(all);
    }
  }
}

TEST(forall, may_be_nested) {
  constexpr std::size_t rows = 6, columns = 50;
  auto words = containers::global_array<std::uint64_t>::create(rows * columns);
  forall({0, rows}, [=](std::size_t row) {
    forall({0, columns},
           [=](std::size_t column) { delegates::fetch_and_add(words[row * columns + column], 1 + row); });
  });
  for (std::size_t i = 0; i < words.size(); ++i) EXPECT_EQ(delegates::read(words[i]), 1 + i / columns);
  words.destroy();
}

TEST(async_forall, is_done_when_the_event_is) {
  auto words = containers::global_array<std::uint64_t>::create(777);
  delegates::completion_event all;
  for (std::uint64_t k = 1; k <= 3; ++k) {
    async_forall(all, {0, words.size()}, [=, event = all.ref()](std::size_t i) {
      delegates::async_increment(event, words[words.size() - 1 - i], k);
    });
    async_forall(all, words, [k](std::uint64_t& element) { element += 100 * k; });
  }
  all.wait();
  for (std::size_t i = 0; i < words.size(); ++i) EXPECT_EQ(delegates::read(words[i]), 606u);
  words.destroy();
}

TEST(forall, of_stealable_iterations_runs_each_once) {
  for (const std::size_t size : {0u, 1u, 7u, 5000u}) {
    auto words = containers::global_array<std::uint64_t>::create(size + 1);
    forall({0, size},
           [=](std::size_t i) {
             // The last iterations are the long ones.
             for (std::size_t k = 0; k * 1000 < i; ++k) tasks::yield();
             delegates::fetch_and_add(words[i], 1);
           },
           {.grain = 5, .stealable = true});
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(delegates::read(words[i]), 1u) << i << " of " << size;
    words.destroy();
  }
}

// A collection that is none of ours: a number per core.
struct number_per_core {
  containers::symmetric<std::uint64_t> numbers;
  template <class Body>
  void forall_here(const Body& body, loop_options = {}) const {
    body(numbers.here());
  }
};
static_assert(distributed<number_per_core>);
static_assert(distributed<containers::global_hash_map<int, int>> &&
              distributed<containers::global_vector<int>>);
static_assert(!distributed<index_range> && !distributed<std::span<int>>);

TEST(forall, goes_over_whatever_has_a_part_at_every_core) {
  const number_per_core own{containers::symmetric<std::uint64_t>::create(1u)};
  forall(own, [](std::uint64_t& number) { number += 1 + static_cast<std::uint64_t>(my_core()); });
  delegates::finish([&](delegates::event_ref event) {
    async_forall(event, own, [](std::uint64_t& number) { number *= 10; });
  });
  EXPECT_EQ(delegates::sum_of_all([own] { return own.numbers.here(); }),
            static_cast<std::uint64_t>(10 * (2 * cores() + cores() * (cores() - 1) / 2)));
  own.numbers.destroy();
}

TEST(forall, is_asynchronous_over_every_container) {
  const auto map = containers::global_hash_map<std::uint64_t, std::uint64_t>::create();
  const auto set = containers::global_hash_set<std::uint64_t>::create();
  const auto bag = containers::global_bag<std::uint64_t>::create();
  const auto vector = containers::global_vector<std::uint64_t>::create();
  forall({1, 101}, [=](std::size_t k) {
    map.insert(k, k);
    set.insert(k);
    bag.put(k);
    vector.push(k);
  });
  std::uint64_t totals[4] = {};
  const memory::global_address<std::uint64_t> total(my_core(), totals);
  delegates::finish([&](delegates::event_ref event) {
    async_forall(event, map, [=](const std::uint64_t&, std::uint64_t& value) {
      delegates::async_increment(event, total, value);
    });
    async_forall(event, set,
                 [=](const std::uint64_t& key) { delegates::async_increment(event, total + 1, key); });
    async_forall(event, bag,
                 [=](std::uint64_t& value) { delegates::async_increment(event, total + 2, value); });
    async_forall(event, vector,
                 [=](std::uint64_t& value) { delegates::async_increment(event, total + 3, value); });
  });
  for (const std::uint64_t sum : totals) EXPECT_EQ(sum, 5050u);
  map.destroy();
  set.destroy();
  bag.destroy();
  vector.destroy();
}

TEST(forall_here, goes_over_memory_that_is_not_distributed) {
  std::vector<int> numbers(1000);
  forall_here(std::span(numbers), [](std::size_t i, int& number) { number = static_cast<int>(i); });
  forall_here(500, std::span(numbers), [](std::size_t i, int& number) { number += static_cast<int>(i); });
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], static_cast<int>(2 * i + 500));
}

}  // namespace
}  // namespace orujo::internal::loops

// As a program of somebody else's finds them: by argument-dependent lookup.
namespace elsewhere {
void goes_over(orujo::internal::containers::global_array<int> array) {
  forall(array, [](int& element) { ++element; });
}
}  // namespace elsewhere

TEST(forall, is_found_by_its_argument) {
  const auto array = orujo::internal::containers::global_array<int>::create(10);
  elsewhere::goes_over(array);
  EXPECT_EQ(orujo::internal::delegates::read(array[9]), 1);
  array.destroy();
}
