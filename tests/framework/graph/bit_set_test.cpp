#include "framework/graph/bit_set.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal::graph {
namespace {

std::vector<std::size_t> visited(const bit_set& f, std::size_t first_word, std::size_t last_word) {
  std::vector<std::size_t> all;
  f.for_each(first_word, last_word, [&](std::size_t index) { all.push_back(index); });
  return all;
}

// The members of the words [first, last).
std::vector<std::size_t> expected(const std::set<std::size_t>& model, std::size_t first, std::size_t last) {
  return {model.lower_bound(first * bit_set::word_bits), model.lower_bound(last * bit_set::word_bits)};
}

void expect_same(const bit_set& f, std::size_t indices, const std::set<std::size_t>& model) {
  for (std::size_t i = 0; i < indices; ++i) {
    ASSERT_EQ(f.test(i), model.contains(i)) << i;
    ASSERT_EQ(f.shared_test(i), model.contains(i)) << i;
  }
  ASSERT_EQ(visited(f, 0, f.size_in_words()), std::vector<std::size_t>(model.begin(), model.end()));
  for (std::size_t first = 0; first <= f.size_in_words(); ++first) {
    for (std::size_t last = first; last <= f.size_in_words(); ++last) {
      ASSERT_EQ(visited(f, first, last), expected(model, first, last)) << "words " << first << " to " << last;
    }
  }
}

TEST(bit_set, agrees_with_a_set) {
  for (const std::size_t indices : {0u, 1u, 2u, 63u, 64u, 65u, 128u, 1000u}) {
    for (const std::uint64_t of_16 : {0u, 1u, 8u, 15u, 16u}) {
      SCOPED_TRACE(testing::Message() << indices << " indices, " << of_16 << " of 16 set");
      bit_set f(indices);
      std::set<std::size_t> model;
      random_stream random(indices * 17 + of_16);
      for (std::size_t i = 0; i < indices; ++i) {
        if (random.below(16) >= of_16) continue;
        if (i % 2 == 0) {
          f.set(i);
        } else {
          EXPECT_TRUE(f.shared_set(i)) << i;
        }
        EXPECT_FALSE(f.shared_set(i)) << i;
        model.insert(i);
      }
      expect_same(f, indices, model);
      for (std::size_t i = 0; i < indices; i += 3) {
        i % 2 == 0 ? f.reset(i) : f.shared_reset(i);
        model.erase(i);
      }
      expect_same(f, indices, model);
    }
  }
}

TEST(bit_set, visits_members_between_any_two_indices) {
  const std::size_t indices = 200;
  bit_set f(indices);
  std::set<std::size_t> model;
  random_stream random(3);
  for (std::size_t i = 0; i < indices; ++i) {
    if (random.below(3) > 0) continue;
    f.set(i);
    model.insert(i);
  }
  for (std::size_t first = 0; first <= indices; ++first) {
    for (std::size_t last = first; last <= indices; ++last) {
      std::vector<std::size_t> found;
      f.for_each_between(first, last, [&](std::size_t index) { found.push_back(index); });
      ASSERT_EQ(found, (std::vector<std::size_t>{model.lower_bound(first), model.lower_bound(last)}))
          << first << " to " << last;
    }
  }
}

TEST(bit_set, clears_whole_words_only) {
  bit_set f(200);
  for (std::size_t i = 0; i < 200; ++i) f.set(i);
  f.clear(1, 2);
  EXPECT_EQ(visited(f, 0, f.size_in_words()).size(), 136u);
  EXPECT_TRUE(f.test(63) && !f.test(64) && !f.test(127) && f.test(128));
}

TEST(bit_set, visits_members_beyond_long_gaps) {
  bit_set f(100'000);
  const std::vector<std::size_t> members{0, 63, 64, 50'000, 99'999};
  for (const std::size_t i : members) f.set(i);
  EXPECT_EQ(visited(f, 0, f.size_in_words()), members);
}

TEST(bit_set, merges_a_word_and_tells_what_was_new) {
  bit_set f(128);
  f.set(65);
  EXPECT_EQ(f.shared_merge(1, 0b1110), 0b1100u);
  EXPECT_EQ(f.shared_merge(1, 0b1110), 0u);
  EXPECT_EQ(f.shared_word(1), 0b1110u);
  EXPECT_EQ(f.shared_word(0), 0u);
}

// Every index is added by two threads, and exactly one of them learns that it was new.
TEST(bit_set, may_be_set_by_many_threads) {
  constexpr std::size_t indices = 1000;
  bit_set f(indices);
  std::atomic<std::size_t> added{0};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::size_t mine = 0;
      for (std::size_t i = t % 2; i < indices; i += 2) mine += f.shared_set(i) ? 1 : 0;
      added += mine;
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(added, indices);
  EXPECT_EQ(visited(f, 0, f.size_in_words()).size(), indices);
}

}  // namespace
}  // namespace orujo::internal::graph
