#include "system/containers/global_disjoint_sets.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal::containers {
namespace {

using pair = std::array<std::uint64_t, 2>;
using pairs = std::vector<pair>;

// Labels by repeated passes over the pairs, which share nothing with a forest: the smallest mix64 of a set.
std::vector<std::uint64_t> expected(std::size_t size, const pairs& united) {
  std::vector<std::uint64_t> of(size);
  std::iota(of.begin(), of.end(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [a, b] : united) {
      if (of[a] == of[b]) continue;
      of[a] = of[b] = mix64(of[a]) < mix64(of[b]) ? of[a] : of[b];
      changed = true;
    }
  }
  return of;
}

// Every core unites its share of the pairs.
void unite_all(const global_disjoint_sets& sets, const pairs& wanted) {
  const auto all = global_array<pair>::create(wanted.size());
  all.put(0, wanted);
  delegates::completion_event done;
  loops::forall(all, [=, event = done.ref()](const pair& p) { sets.async_unite(event, p[0], p[1]); });
  done.wait();
  all.destroy();
}

void expect_sets(std::size_t size, const pairs& united) {
  const auto sets = global_disjoint_sets::create(size);
  unite_all(sets, united);
  const std::vector<std::uint64_t> right = expected(size, united);
  std::size_t roots = 0;
  for (std::size_t i = 0; i < size; ++i) roots += right[i] == i;
  EXPECT_EQ(sets.sets(), roots);
  for (std::size_t i = 0; i < size; i += 1 + size / 20) EXPECT_EQ(sets.find(i), right[i]) << i;
  EXPECT_EQ(sets.representatives().values(), right);
  EXPECT_EQ(sets.sets(), roots);
  for (std::size_t i = 0; i < size; i += 1 + size / 20) EXPECT_EQ(sets.find(i), right[i]) << i;
  sets.destroy();
}

TEST(global_disjoint_sets, are_single_numbers_at_first) {
  expect_sets(0, {});
  expect_sets(1, {{0, 0}});
  expect_sets(3, {});
}

TEST(global_disjoint_sets, random_pairs) {
  random_stream random(7);
  for (const std::size_t size : {10, 100, 1000}) {
    for (const std::size_t count : {size / 4, size / 2, 2 * size}) {
      pairs united;
      for (std::size_t k = 0; k < count; ++k) united.push_back({random.below(size), random.below(size)});
      expect_sets(size, united);
    }
  }
}

TEST(global_disjoint_sets, chains_stars_and_two_halves) {
  pairs chain, backwards, star, halves;
  for (std::uint64_t i = 0; i + 1 < 500; ++i) {
    chain.push_back({i, i + 1});
    backwards.push_back({499 - i, 498 - i});
    star.push_back({i + 1, 0});
    if (i + 2 < 500) halves.push_back({i, i + 2});
  }
  for (const pairs& united : {chain, backwards, star, halves}) expect_sets(500, united);
}

TEST(global_disjoint_sets, unite_again_after_representatives_were_asked_for) {
  const auto sets = global_disjoint_sets::create(100);
  pairs all;
  for (std::uint64_t i = 0; i < 99; ++i) {
    all.push_back({i, i + 1});
    if (i % 10 != 0) continue;
    unite_all(sets, all);
    EXPECT_EQ(sets.representatives().values(), expected(100, all));
  }
  sets.destroy();
}

}  // namespace
}  // namespace orujo::internal::containers
