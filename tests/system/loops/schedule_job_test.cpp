// Loops that a locale's cores share, within a job.
#include "system/loops/schedule.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "system/containers/global_array.hpp"
#include "system/delegates/delegate.hpp"

namespace orujo::internal::loops {
namespace {

// Chunks of 1, 2, 3, ... iterations; from the second execution on balanced.
struct growing_chunks {
  std::size_t inspect(std::size_t first, std::size_t) const { return first + 1 + first % 7; }
};

std::vector<schedule> all_schedules() {
  return {schedule::fixed(),
          schedule::fixed(7),
          schedule::round_robin(7),
          schedule::dynamic(7),
          schedule::guided(3),
          schedule::stealing(7),
          schedule::profiled(7),
          schedule::user_defined(growing_chunks{}, {.steal = false}),
          schedule::user_defined(growing_chunks{}, {.steal = true, .profile = true})};
}

// Checks that it gets whole chunks, in order; counts the iterations and mistakes in shared memory.
class aware_body {
 public:
  aware_body(std::vector<std::atomic<int>>& runs, std::atomic<int>& mistakes)
      : runs_(runs), mistakes_(mistakes) {}
  void start_chunk(std::size_t first, std::size_t number) {
    expect(!inside_);
    inside_ = true;
    begun_ = at_ = first;
    number_ = number;
  }
  void body(std::size_t i) {
    expect(inside_ && i == at_++);
    ++runs_[i];
  }
  void finish_chunk(std::size_t last, std::size_t number) {
    expect(inside_ && last == at_ && last > begun_ && number == number_);
    inside_ = false;
  }

 private:
  void expect(bool right) {
    if (!right) ++mistakes_;
  }
  std::vector<std::atomic<int>>& runs_;
  std::atomic<int>& mistakes_;
  bool inside_ = false;
  std::size_t begun_ = 0, at_ = 0, number_ = 0;
};

int count_others(const std::vector<std::atomic<int>>& runs, int expected) {
  int wrong = 0;
  for (const auto& r : runs) wrong += r == expected ? 0 : 1;
  return wrong;
}

TEST(forall_on_locale, runs_every_iteration_once_under_every_schedule) {
  for (const schedule& how : all_schedules()) {
    for (const std::size_t iterations : {0u, 1u, 10u, 1001u}) {
      std::vector<std::atomic<int>> runs(iterations);
      forall_on_locale(how, {0, iterations}, [&](std::size_t i) { ++runs[i]; });
      EXPECT_EQ(count_others(runs, 1), 0) << iterations;
    }
  }
}

TEST(forall_on_locale, runs_on_the_cores_of_the_locale_and_on_no_others) {
  std::vector<core_id> ran_on(static_cast<std::size_t>(my_locales_cores()), -1);
  forall_on_locale(schedule::fixed(), {0, ran_on.size()}, [&](std::size_t i) { ran_on[i] = my_core(); });
  for (std::size_t i = 0; i < ran_on.size(); ++i) EXPECT_EQ(ran_on[i], static_cast<core_id>(i));
}

TEST(forall_on_locale, reuses_a_loop) {
  for (const schedule& how : all_schedules()) {
    std::vector<std::atomic<int>> runs(500);
    std::atomic<int> mistakes{0};
    shared_loop loop({0, runs.size()}, my_locales_cores(), how);
    for (int execution = 1; execution <= 6; ++execution) {
      forall_on_locale(loop, aware_body(runs, mistakes));
      EXPECT_EQ(count_others(runs, execution), 0);
      if (execution == 3) loop.reset();
    }
    EXPECT_EQ(mistakes, 0);
  }
}

TEST(forall_on_locale, goes_on_while_a_core_is_busy_with_another_loop) {
  std::vector<std::atomic<int>> runs(300);
  tasks::join_counter both(2);
  for (int k = 0; k < 2; ++k) {
    tasks::spawn([&] {
      for (int execution = 0; execution < 5; ++execution)
        forall_on_locale(schedule::stealing(3), {0, runs.size()}, [&](std::size_t i) { ++runs[i]; });
      both.complete();
    });
  }
  both.wait();
  EXPECT_EQ(count_others(runs, 10), 0);
}

// Locales do this at the same time; how many mistakes each core saw comes back to core 0.
template <class F>
void expect_no_mistakes_anywhere(F f) {
  auto mistakes = containers::global_array<int>::create(static_cast<std::size_t>(cores()));
  on_all_cores([=] { mistakes.local()[0] = f(); });
  for (std::size_t c = 0; c < mistakes.size(); ++c)
    EXPECT_EQ(delegates::read(mistakes[c]), 0) << "core " << c;
  mistakes.destroy();
}

struct counts {
  explicit counts(std::size_t iterations) : runs(iterations) {}
  std::vector<std::atomic<int>> runs;
  std::atomic<int> mistakes{0};
};

TEST(collective_forall, shows_bodies_whole_chunks_under_every_schedule) {
  for (std::size_t k = 0; k < all_schedules().size(); ++k) {
    for (const std::size_t iterations : {0u, 3u, 1001u}) {
      expect_no_mistakes_anywhere([=] {
        const auto all =
            collectives::share_on_locale<counts>([&] { return std::make_shared<counts>(iterations); });
        collective_forall(all_schedules()[k], {0, iterations}, aware_body(all->runs, all->mistakes));
        return all->mistakes + count_others(all->runs, 1);
      });
    }
  }
}

TEST(collective_forall, reuses_a_loop_without_more_than_its_own_barrier) {
  for (std::size_t k = 0; k < all_schedules().size(); ++k) {
    expect_no_mistakes_anywhere([=] {
      const auto all = collectives::share_on_locale<counts>([&] { return std::make_shared<counts>(200); });
      const auto loop = collectives::share_on_locale<shared_loop>([&] {
        return std::make_shared<shared_loop>(index_range{0, 200}, my_locales_cores(), all_schedules()[k]);
      });
      for (int execution = 1; execution <= 20; ++execution)
        collective_forall(*loop, [&](std::size_t i) { ++all->runs[i]; });
      return count_others(all->runs, 20);
    });
  }
}

TEST(run_share, numbers_chunks_for_slots_under_every_schedule) {
  // The use of the pull engine: a slot per chunk, filled by the core that runs it, combined in the order of
  // chunks.
  for (std::size_t k = 0; k < all_schedules().size(); ++k) {
    expect_no_mistakes_anywhere([=] {
      const auto loop = collectives::share_on_locale<shared_loop>([&] {
        return std::make_shared<shared_loop>(index_range{5, 605}, my_locales_cores(), all_schedules()[k]);
      });
      loop->prepare();
      const auto slots = collectives::share_on_locale<std::vector<index_range>>(
          [&] { return std::make_shared<std::vector<index_range>>(loop->chunks()); });
      int mistakes = 0;
      for (int execution = 0; execution < 3; ++execution) {
        run_share(*loop, my_core_of_locale(), [&](const chunk& c) {
          (*slots)[c.number] = {c.first, c.last};
        });
        collectives::barrier(collectives::group::locale);
        std::size_t at = 5;
        for (const index_range& slot : *slots) mistakes += std::exchange(at, slot.last) == slot.first ? 0 : 1;
        mistakes += at == 605 ? 0 : 1;
        collectives::barrier(collectives::group::locale);
      }
      return mistakes;
    });
  }
}

TEST(run_share, lets_others_run_between_chunks) {
  std::size_t seen = 0;  // chunks; not at once after each where scheduling is shuffled
  bool done = false;
  tasks::join_counter watcher(1);
  std::size_t turns = 0;
  tasks::spawn([&] {
    while (!done) {
      turns += seen > 0 ? 1 : 0;
      tasks::yield();
    }
    watcher.complete();
  });
  shared_loop loop({0, 10'000}, 1, schedule::fixed(1));
  run_share(loop, 0, [&](std::size_t) { ++seen; });
  EXPECT_GT(turns, 0u);
  done = true;
  watcher.wait();
}

}  // namespace
}  // namespace orujo::internal::loops
