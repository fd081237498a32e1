#include "framework/steps/shared_bins.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::steps {
namespace {

// A chain of entries, each of which pushes the next one.
struct link {
  std::uint64_t bin, step;
  std::uint32_t left;
};

struct worked_off {
  std::atomic<std::uint64_t> entries{0};
};

const auto as_they_are = [](std::vector<link>&) {};

// Each core begins two chains: a short one among bins that lie together, a long one in bins far apart. The
// core that goes on alone leaves the others' windows behind, again and again.
void push_chains(shared_bins<link>& all) {
  const auto me = static_cast<std::uint64_t>(my_core_of_locale());
  all.push(7 * me, {7 * me, 1, 20});
  all.push(100 + 50'000 * me, {100 + 50'000 * me, 3'000 + me, 40});
}
std::uint64_t entries_of_all_chains() { return static_cast<std::uint64_t>(my_locales_cores()) * (21 + 41); }

// Rounds, by work_off(bins, work).
template <class WorkOff>
int work_off_chains(WorkOff work_off) {
  const auto done = collectives::share_on_locale<worked_off>([] { return std::make_shared<worked_off>(); });
  shared_bins<link> all;
  int rounds = 0;
  for (int run = 1; run <= 2; ++run) {
    all.clear();
    push_chains(all);
    std::uint64_t last = 0;
    const auto work = [&](std::span<const link> found) {
      EXPECT_GE(all.current(), last);
      last = all.current();
      for (const link one : found) {
        ++done->entries;
        EXPECT_EQ(one.bin, all.current());
        if (one.left > 0) all.push(one.bin + one.step, {one.bin + one.step, one.step, one.left - 1});
      }
    };
    rounds = work_off(all, work);
    collectives::barrier(collectives::group::locale);
    EXPECT_EQ(done->entries, static_cast<std::uint64_t>(run) * entries_of_all_chains());
    collectives::barrier(collectives::group::locale);
  }
  return rounds;
}

TEST(shared_bins, are_worked_off_in_order_wherever_their_windows_are) {
  loops::on_all_cores([] {
    const int rounds = work_off_chains([](shared_bins<link>& all, const auto& work) {
      int count = 0;
      while (all.work_off_next(shared_bins<link>::none, as_they_are, work)) ++count;
      EXPECT_EQ(all.round(), shared_bins<link>::none);
      return count;
    });
    EXPECT_EQ(collectives::all_reduce(
                  rounds, [](int a, int b) { return std::max(a, b); }, collectives::group::locale),
              rounds);
    if (my_locales_cores() == 1) {
      EXPECT_EQ(rounds, 1);  // alone from the first bin on
    }
  });
}

TEST(shared_bins, are_worked_off_up_to_a_bin) {
  loops::on_all_cores([] {
    work_off_chains([](shared_bins<link>& all, const auto& work) {
      int count = 0;
      constexpr std::uint64_t at_once = 10'000;
      for (std::uint64_t from = 0; from < 1'000'000; from += at_once) {
        all.begin_at(from);
        for (; all.work_off_next_before(from + at_once, as_they_are, work); ++count)
          EXPECT_LT(all.current(), from + at_once);
      }
      return count;
    });
  });
}

// A core that may not go as far as others holds them back, or its bins would be passed over.
TEST(shared_bins, end_where_the_first_core_ends) {
  loops::on_all_cores([] {
    work_off_chains([](shared_bins<link>& all, const auto& work) {
      const auto me = static_cast<std::uint64_t>(my_core_of_locale());
      int count = 0;
      for (std::uint64_t from = 0; from < 1'000'000; from += 1'000) {
        all.begin_at(from);
        for (; all.work_off_next_before(from + 1'000 + me * 50'000, as_they_are, work); ++count)
          EXPECT_LT(all.current(), from + 1'000);
      }
      return count;
    });
  });
}

TEST(shared_bins, take_what_comes_late_with_the_present) {
  loops::on_all_cores([] {
    shared_bins<link> all;
    all.begin_at(1'000);
    all.push(3, {3, 0, 0});
    EXPECT_EQ(all.first_from(1'000), 1'000u);
    std::uint64_t found = 0;
    all.work_off_next(shared_bins<link>::none, as_they_are,
                      [&](std::span<const link> some) { found += some.size(); });
    EXPECT_EQ(collectives::all_reduce(found, std::plus<>(), collectives::group::locale),
              static_cast<std::uint64_t>(my_locales_cores()));
  });
}

}  // namespace
}  // namespace orujo::internal::steps
