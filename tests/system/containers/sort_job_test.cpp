#include "system/containers/sort.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "system/base/random.hpp"

namespace orujo::internal::containers {
namespace {

using word = std::uint64_t;

struct kind {
  const char* name;
  word (*at)(std::size_t i, std::size_t n);
};
constexpr kind kinds[] = {
    {"uniform", [](std::size_t i, std::size_t) { return mix64(i); }},
    {"all equal", [](std::size_t, std::size_t) { return word{7}; }},
    {"three values", [](std::size_t i, std::size_t) { return mix64(i) % 3; }},
    {"sorted", [](std::size_t i, std::size_t) { return word{i}; }},
    {"reversed", [](std::size_t i, std::size_t n) { return word{n - i}; }},
    {"sorted but for the ends", [](std::size_t i, std::size_t n) { return i == 0       ? n
                                                                          : i + 1 == n ? 0
                                                                                       : i; }},
    {"skewed", [](std::size_t i, std::size_t) { return mix64(i) >> mix64(~i) % 64; }},
    {"one core's are the smallest", [](std::size_t i, std::size_t n) { return i < n / 2 ? n + i : i % 100; }},
};

void expect_sorted(std::size_t n, const kind& k) {
  std::vector<word> model(n), found(n);
  for (std::size_t i = 0; i < n; ++i) model[i] = k.at(i, n);
  const auto array = global_array<word>::create(n);
  array.put(0, model);
  sort(array);
  std::sort(model.begin(), model.end());
  array.get(0, found);
  EXPECT_EQ(found, model) << n << " " << k.name;
  array.destroy();
}

TEST(sort, does_as_the_standard_sort) {
  for (const kind& k : kinds) expect_sorted(20'011, k);
}

// Blocks of one element, and cores without any.
TEST(sort, sorts_arrays_of_a_few_elements) {
  const auto everyone = static_cast<std::size_t>(cores());
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, everyone, everyone + 1, 3 * everyone - 1}) {
    for (std::size_t k = 0; k < 3; ++k) expect_sorted(n, kinds[k]);
  }
}

// Elements beside their keys, which an order of the user's own compares; equal ones may end up in any order.
struct record {
  std::int32_t key = 0, number = 0;
};
TEST(sort, takes_an_order_of_the_users_and_loses_nothing) {
  for (const std::int32_t keys : {1, 10, 1 << 20}) {
    constexpr std::size_t n = 5003;
    const auto array = global_array<record>::create(n);
    loops::forall(array, [=](std::size_t i, record& r) {
      r = {static_cast<std::int32_t>(mix64(i) % static_cast<word>(keys)), static_cast<std::int32_t>(i)};
    });
    sort(array, [](const record& a, const record& b) { return a.key > b.key; });
    std::vector<record> found(n);
    array.get(0, found);
    std::vector<bool> seen(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto number = static_cast<std::size_t>(found[i].number);
      ASSERT_LT(number, n);
      EXPECT_FALSE(seen[number]) << "twice: " << number;
      seen[number] = true;
      EXPECT_EQ(static_cast<word>(found[i].key), mix64(number) % static_cast<word>(keys));
      EXPECT_GE(found[i == 0 ? 0 : i - 1].key, found[i].key) << "at " << i;
    }
    array.destroy();
  }
}

TEST(sort, several_tasks_may_sort_arrays_of_their_own) {
  constexpr std::size_t sorters = 4, n = 2000;
  tasks::join_counter missing(sorters);
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < sorters; ++k) {
    tasks::spawn([&, k] {
      const auto array = global_array<word>::create(n + k);
      loops::forall(array, [k](std::size_t i, word& w) { w = mix64(i) % (10 * k + 1); });
      sort(array);
      std::vector<word> found(n + k);
      array.get(0, found);
      wrong += !std::is_sorted(found.begin(), found.end());
      array.destroy();
      missing.complete();
    });
  }
  missing.wait();
  EXPECT_EQ(wrong, 0u);
}

TEST(merge_runs, merges_any_number_of_runs) {
  for (std::size_t runs = 1; runs <= 9; ++runs) {
    std::vector<word> from, model;
    std::vector<std::size_t> ends;
    for (std::size_t k = 0; k < runs; ++k) {
      for (std::size_t i = 0; i < 10 * k + 1; ++i) from.push_back(1000 * i + k);
      ends.push_back(from.size());
    }
    model = from;
    std::sort(model.begin(), model.end());
    std::vector<word> into(from.size());
    detail::merge_runs(std::span(from), std::span(into), ends, std::less<>());
    EXPECT_EQ(into, model) << runs << " runs";
  }
}

}  // namespace
}  // namespace orujo::internal::containers
