// Cores that sleep and senders, in every order. Only a wake-up ends a sleep here, so a missed wake-up leaves
// a thread asleep.
#include "system/node/alarms.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "system/messages/mailbox.hpp"
#include "tests/model/interleavings.hpp"

namespace orujo::internal::node {
namespace {

struct thing {
  thing* next = nullptr;
};
struct bed_and_box {
  alignas(alarms::bytes_per_core) std::array<std::byte, alarms::bytes_for(2)> memory{};
  messages::mailbox<thing> box;
  std::array<thing, 2> things;
  alarms bells() { return {memory.data(), 2}; }
};

// A core that waits for `wanted` things, as the scheduler's loop does.
void get(bed_and_box& all, int core, int wanted, bool looks_again) {
  while (wanted > 0) {
    for (thing* one = all.box.take_all(); one; one = one->next) --wanted;
    if (wanted <= 0) return;
    all.bells().sleep(core, std::chrono::hours(1), [&] { return looks_again && !all.box.empty(); });
  }
}

enum class bringers { one_by_one, two };

// To core 0, which is rung.
model::outcome explore_ring(bringers who, bool looks_again, const model::weakening& weaken = {}) {
  return model::explore(
      {.preemptions = 2},
      [=](model::run& r) {
        bed_and_box& all = r.make<bed_and_box>();
        const auto bring = [&all](std::size_t k) {
          all.box.push(&all.things[k]);
          all.bells().ring(0);
        };
        if (who == bringers::two) {
          for (std::size_t k : {0, 1}) r.thread([=] { bring(k); });
        } else {
          r.thread([=] {
            bring(0);
            bring(1);
          });
        }
        r.thread([&all, looks_again] { get(all, 0, 2, looks_again); });
      },
      weaken);
}

TEST(alarms_model, wake_whoever_sleeps_before_what_is_brought) {
  for (const bringers who : {bringers::one_by_one, bringers::two}) {
    const model::outcome found = explore_ring(who, true);
    EXPECT_EQ(found.failure, "");
    EXPECT_TRUE(found.exhausted);
    EXPECT_GT(found.runs, 100u);
  }
}

TEST(alarms_model, need_the_last_look_before_sleep) {
  EXPECT_NE(explore_ring(bringers::one_by_one, false).failure.find("threads sleep for ever"),
            std::string::npos);
}

// Both sides first write and then read: with less than one order for all, both may miss the other's write.
TEST(alarms_model, need_one_order_for_all) {
  const auto weaken = [](model::operation which) {
    return [which](const model::access& a) {
      return a.what == which && a.order == __ATOMIC_SEQ_CST ? __ATOMIC_RELAXED : a.order;
    };
  };
  for (const auto which : {model::operation::load, model::operation::store}) {
    EXPECT_NE(explore_ring(bringers::one_by_one, true, weaken(which)).failure.find("threads sleep for ever"),
              std::string::npos);
  }
}

// Two cores sleep, each for one thing. A sender of one thing wakes one of them.
TEST(alarms_model, wake_one_of_two_for_each_thing) {
  const model::outcome found = model::explore({}, [](model::run& r) {
    bed_and_box& all = r.make<bed_and_box>();
    r.thread([&all] {
      for (thing& one : all.things) {
        all.box.push(&one);
        all.bells().ring_one();
      }
    });
    for (int core : {0, 1}) {
      r.thread([&all, core] {
        for (;;) {
          thing* one = all.box.take_all();
          if (one) {
            if (one->next) {  // the other one's
              all.box.push(one->next);
              all.bells().ring_one();
            }
            return;
          }
          all.bells().sleep(core, std::chrono::hours(1), [&] { return !all.box.empty(); });
        }
      });
    }
  });
  EXPECT_EQ(found.failure, "");
  EXPECT_TRUE(found.exhausted);
}

}  // namespace
}  // namespace orujo::internal::node
