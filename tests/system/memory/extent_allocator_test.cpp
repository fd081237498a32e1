#include "system/memory/extent_allocator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "system/base/fatal.hpp"
#include "system/base/random.hpp"
#include "tests/sanitized.hpp"

namespace orujo::internal::memory {
namespace {

TEST(extent_allocator, takes_the_smallest_extent_that_will_do) {
  //   | 100 free | x | 20 free | x | 50 free | x | rest free |
  extent_allocator a(1000);
  std::vector<std::uint64_t> at;
  for (std::uint64_t bytes : {100u, 1u, 20u, 1u, 50u, 1u}) at.push_back(*a.allocate(bytes, 1));
  for (int hole : {0, 2, 4}) a.release(at[static_cast<std::size_t>(hole)]);
  EXPECT_EQ(a.allocate(30, 1), at[4]);
  EXPECT_EQ(a.allocate(20, 1), at[2]);
  EXPECT_EQ(a.allocate(20, 1), at[4] + 30);
  EXPECT_EQ(a.allocate(60, 1), at[0]);
}

TEST(extent_allocator, merges_what_is_freed_with_both_neighbours) {
  extent_allocator a(90);
  const auto x = *a.allocate(30, 1), y = *a.allocate(30, 1), z = *a.allocate(30, 1);
  EXPECT_EQ(a.free_bytes(), 0u);
  EXPECT_EQ(a.largest_free(), 0u);
  a.release(x);
  a.release(z);
  EXPECT_EQ(a.largest_free(), 30u);
  a.release(y);
  EXPECT_EQ(a.largest_free(), 90u);
  EXPECT_EQ(a.allocate(90, 1), 0u);
}

TEST(extent_allocator, refuses_what_does_not_fit) {
  extent_allocator a(100), none(0);
  EXPECT_FALSE(none.allocate(1, 1));
  EXPECT_FALSE(a.allocate(101, 1));
  EXPECT_FALSE(a.allocate(~std::uint64_t{0}, 1));
  ASSERT_TRUE(a.allocate(1, 1));
  EXPECT_FALSE(a.allocate(37, 64)) << "64 + 37 > 100";
  EXPECT_EQ(a.allocate(36, 64), 64u);
}

TEST(extent_allocator_death, checks_what_is_released) {
  const auto twice = [] {
    base::install_fatal_handlers();
    extent_allocator a(100);
    const auto x = *a.allocate(10, 1);
    a.release(x);
    a.release(x);
  };
  EXPECT_EXIT(twice(), testing::ExitedWithCode(70), "nothing is allocated at offset 0");
}

// Every unit of the space, and whether it is taken.
class model {
 public:
  explicit model(std::size_t units) : taken_(units) {}
  void set(std::uint64_t first, std::uint64_t n, bool taken) {
    for (std::uint64_t k = first; k < first + n; ++k) {
      ASSERT_NE(taken_.at(k), taken) << "unit " << k;
      taken_[k] = taken;
    }
  }
  // The size of the smallest run of free units that holds n at an aligned place; 0 if none.
  std::uint64_t best_fit(std::uint64_t n, std::uint64_t alignment) const {
    std::uint64_t best = 0;
    for_each_free([&](std::uint64_t first, std::uint64_t size) {
      const std::uint64_t aligned = (first + alignment - 1) / alignment * alignment;
      if (aligned + n <= first + size && (best == 0 || size < best)) best = size;
    });
    return best;
  }
  std::uint64_t largest_free() const {
    std::uint64_t most = 0;
    for_each_free([&](std::uint64_t, std::uint64_t size) { most = std::max(most, size); });
    return most;
  }
  std::uint64_t run_around(std::uint64_t unit) const {
    std::uint64_t found = 0;
    for_each_free([&](std::uint64_t first, std::uint64_t size) {
      if (unit >= first && unit < first + size) found = size;
    });
    return found;
  }
  std::uint64_t free_units() const {
    return static_cast<std::uint64_t>(std::count(taken_.begin(), taken_.end(), false));
  }

 private:
  template <class F>
  void for_each_free(const F& f) const {
    for (std::uint64_t k = 0; k < taken_.size();) {
      std::uint64_t last = k;
      while (last < taken_.size() && !taken_[last]) ++last;
      if (last > k) f(k, last - k);
      k = last + 1;
    }
  }
  std::vector<bool> taken_;
};

TEST(extent_allocator, agrees_with_a_model_over_random_allocations) {
  constexpr std::uint64_t units = 2000;
  for (std::uint64_t seed = 0; seed < (sanitized ? 4 : 20); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    random_stream random(seed);
    extent_allocator tested(units);
    model expected(units);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> live;
    for (int step = 0; step < 600; ++step) {
      if (live.empty() || random.below(5) < 3) {
        const std::uint64_t n = 1 + random.below(random.below(4) ? 40 : 400);
        const std::uint64_t alignment = std::uint64_t{1} << random.below(7);
        const std::uint64_t fit = expected.best_fit(n, alignment);
        const auto offset = tested.allocate(n, alignment);
        ASSERT_EQ(offset.has_value(), fit != 0);
        if (!offset) continue;
        ASSERT_EQ(*offset % alignment, 0u);
        ASSERT_EQ(expected.run_around(*offset), fit) << "not the best fit";
        ASSERT_EQ(tested.size_at(*offset), n);
        expected.set(*offset, n, true);
        live.emplace_back(*offset, n);
      } else {
        const std::size_t k = random.below(live.size());
        tested.release(live[k].first);
        ASSERT_EQ(tested.size_at(live[k].first), 0u);
        expected.set(live[k].first, live[k].second, false);
        live.erase(live.begin() + static_cast<std::ptrdiff_t>(k));
      }
      ASSERT_EQ(tested.free_bytes(), expected.free_units());
      ASSERT_EQ(tested.largest_free(), expected.largest_free());
    }
  }
}

}  // namespace
}  // namespace orujo::internal::memory
