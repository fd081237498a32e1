// Public tasks between cores of one locale, in every order of their atomic operations, and between locales,
// in every order of their cores' turns. Sleeps have no limit, so a core that should help and is not woken
// sleeps endlessly.
#include "system/delegates/stealing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "system/base/identity.hpp"
#include "tests/model/interleavings.hpp"
#include "tests/system/messages/small_job.hpp"

namespace orujo::internal::delegates {
namespace {

using messages::small_job;
using messages::turns_of;

struct sharing_job : small_job {
  explicit sharing_job(const std::vector<int>& cores_of, bool rings = true, bool steals = true)
      : small_job(cores_of), runs(static_cast<std::size_t>(shape.cores())) {
    for (core_id c = 0; c < shape.cores(); ++c) {
      sharers.push_back(std::make_unique<public_tasks>(c, shape, steals, 0));
      cores[static_cast<std::size_t>(c)]->loop.refill_from(*sharers.back());
    }
    for (int l = 0; l < shape.locales(); ++l) {
      std::vector<public_tasks*> mates;
      const core_id first = shape.first_core_of(l);
      for (core_id c = first; c < first + shape.cores_of(l); ++c) mates.push_back(&sharing(c));
      const node::alarms bells = rings ? all_ways.bells[static_cast<std::size_t>(l)] : node::alarms();
      for (public_tasks* m : mates) m->connect(mates, bells);
    }
  }
  public_tasks& sharing(core_id core) { return *sharers[static_cast<std::size_t>(core)]; }

  // [core] Adds `count` tasks, each of which adds one more for each of `depth` generations.
  template <class Filler>
  void add(int count, int depth, const Filler& filler) {
    for (int k = 0; k < count; ++k) {
      made.push_back(0);
      public_tasks::here().add(public_task(
          [this, depth, filler, number = made.size() - 1] {
            ++made[number];
            ++runs[static_cast<std::size_t>(my_core())];
            if (depth > 0) add(1, depth - 1, filler);
          },
          "a public task"));
    }
  }
  bool all_ran_once() const {
    return std::all_of(made.begin(), made.end(), [](int times) { return times == 1; });
  }

  std::vector<std::unique_ptr<public_tasks>> sharers;
  std::vector<int> made;  // how often each has run
  std::vector<int> runs;  // by core
};

// Core 0 adds two tasks and computes until all others rest; they take both.
struct busy_core : sharing_job {
  using sharing_job::sharing_job;
  std::array<int, 2> ran{};  // by task; only its current owner accesses it

  void add_and_compute() {
    for (std::size_t k = 0; k < ran.size(); ++k) {
      public_tasks::here().add(public_task([this, k] { ++ran[k]; }, "a public task"));
    }
    model::let_others_rest();
    model::expect(ran == std::array{1, 1}, "a core sleeps beside a task that nobody runs");
    end();
  }
};

model::outcome explore_busy_core(const model::limits& bounds, int cores, bool rings = true,
                                 const std::function<model::weakening(const busy_core&)>& weaken = {}) {
  static busy_core* here = nullptr;
  return model::explore(
      bounds,
      [=](model::run& r) {
        busy_core& all = r.make<busy_core>(std::vector{cores}, rings);
        here = &all;
        all.run_in(r, {[&all] { all.add_and_compute(); }},
                   [&all](core_id me) { base::set_part_here(&all.sharing(me)); });
      },
      [&](const model::access& a) { return weaken ? weaken(*here)(a) : a.order; });
}

TEST(stealing_model, leaves_no_task_beside_a_core_that_sleeps) {
  const model::outcome found = explore_busy_core({.preemptions = 1, .stale_values = 1}, 2);
  EXPECT_EQ(found.failure, "");
  EXPECT_TRUE(found.exhausted) << found.runs;
  EXPECT_GT(found.runs, 100u);
  for (int cores : {2, 3}) EXPECT_EQ(explore_busy_core({.random_runs = 500}, cores).failure, "");
}

TEST(stealing_model, needs_the_bell_and_the_orders_of_the_queue) {
  EXPECT_NE(explore_busy_core({.random_runs = 500}, 2, false).failure.find("that nobody runs"),
            std::string::npos);
  const auto acquire = [](const busy_core& all) {
    return model::without_acquire(all.sharers[0].get(), sizeof(public_tasks));
  };
  const auto release = [](const busy_core& all) {
    return model::without_release(all.sharers[0].get(), sizeof(public_tasks));
  };
  EXPECT_NE(explore_busy_core({.random_runs = 500}, 2, true, acquire).failure.find("a data race"),
            std::string::npos);
  EXPECT_NE(explore_busy_core({.random_runs = 500}, 2, true, release).failure.find("a data race"),
            std::string::npos);
}

// Core 0 gets tasks in rounds, each once all cores rest. By then each core without tasks has left a request,
// and gets some.
template <class Filler>
model::outcome explore_rounds(const model::limits& bounds, const std::vector<int>& cores_of, int rounds,
                              int count, int depth, const Filler& filler, bool steals = true) {
  return model::explore(bounds, [=](model::run& r) {
    sharing_job& all = r.make<sharing_job>(cores_of, true, steals);
    all.run_in(r, {}, [&all](core_id me) { base::set_part_here(&all.sharing(me)); });
    r.thread([=, &all] {
      for (int round = 0; round < rounds; ++round) {
        model::let_others_rest();
        model::expect(all.sharing(0).wants_to_share, "a core without work has left no word");
        const int at_home_before = all.runs[0];
        const std::size_t before = all.made.size();
        all.of(0).do_errand([=, &all] {
          all.cores[0]->loop.spawn({[=, &all] { all.add(count, depth, filler); }, "adds tasks"});
        });
        model::let_others_rest();
        model::expect(
            all.made.size() == before + static_cast<std::size_t>(count * (depth + 1)) && all.all_ran_once(),
            "a task that did not run once");
        model::expect(all.runs[0] - at_home_before < count * (depth + 1), "who left word was sent nothing");
      }
      all.end();
    });
  });
}

TEST(stealing_model, shares_between_locales_with_all_that_left_word) {
  const model::outcome found = explore_rounds(turns_of(0), {1, 1}, 1, 2, 0, std::array<char, 8>{});
  EXPECT_EQ(found.failure, "");
  EXPECT_TRUE(found.exhausted) << found.runs;
  EXPECT_GT(found.runs, 20u);
  for (const auto& cores_of : {std::vector{1, 1}, {1, 1, 1}, {2, 1}, {1, 2, 1}}) {
    EXPECT_EQ(explore_rounds(turns_of(0, 100), cores_of, 3, 5, 2, std::array<char, 64>{}).failure, "");
  }
}

// A core that is about to send its tasks may find that its mates have taken them in the meantime.
TEST(stealing_model, keeps_the_word_that_was_left_where_the_tasks_are_gone) {
  model::limits bounds = turns_of(0, 1500);
  bounds.at_exchanges = true;
  for (const auto& cores_of : {std::vector{2, 1}, {2, 2}}) {
    EXPECT_EQ(explore_rounds(bounds, cores_of, 3, 2, 0, std::array<char, 8>{}).failure, "");
  }
}

// The tasks are so many and large that their core has to wait while it sends them.
TEST(stealing_model, shares_while_tasks_wait_to_send) {
  EXPECT_EQ(explore_rounds(turns_of(0, 5), {1, 1, 1}, 3, 300, 0, std::array<char, 3000>{}).failure, "");
}

TEST(stealing_model, notices_that_nothing_is_shared) {
  EXPECT_NE(explore_rounds(turns_of(0), {1, 1}, 1, 4, 0, 0, false).failure.find("no word"),
            std::string::npos);
}

}  // namespace
}  // namespace orujo::internal::delegates
