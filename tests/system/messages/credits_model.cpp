// Flow control between cores, in every order of their turns. These are whole cores with their tasks,
// messages, post offices and sleeps, whose turns of the scheduler's loop are in one piece. Sleeps have no
// limit, so lost credit, or a missing report of it, leaves them asleep.
#include "system/messages/credits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "tests/model/interleavings.hpp"
#include "tests/system/messages/small_job.hpp"

namespace orujo::internal::messages {
namespace {

// The most messages that were under way over all runs, and how often a task waited.
struct extent {
  int most = 0;
  std::uint64_t waits = 0;
};

// A task of core 0 sends to core 1, whose handlers send on to core 2:  0 --> 1 --> 2
model::outcome explore_relay(const model::limits& bounds, const std::vector<int>& cores_of, int count,
                             extent& first, extent& second) {
  struct relay : small_job {
    using small_job::small_job;
    int sent = 0, relayed = 0, arrived = 0;
  };
  return model::explore(bounds, [&](model::run& r) {
    relay& all = r.make<relay>(cores_of);
    const auto send = [&all, &first, &second, count] {
      for (int k = 0; k < count; ++k) {
        all.of(0).send(1, [&all, &second, count, k, filler = large{}] {
          model::expect(k == all.relayed++, "a message to be relayed out of order, or twice");
          all.of(1).send(2, [&all, count, k, filler] {
            model::expect(k == all.arrived++, "a message out of order, or twice");
            if (all.arrived == count) all.end();
          });
          second.most = std::max(second.most, all.relayed - all.arrived);
        });
        first.most = std::max(first.most, ++all.sent - all.relayed);
      }
    };
    all.run_in(r, {send, {}, {}});
    r.finally([&all, &first, count] {
      model::expect(all.arrived == count, "a message is lost");
      first.waits += all.of(0).suspended_sends();
    });
  });
}

TEST(credits_model, bound_what_tasks_send_and_what_handlers_send_on) {
  for (const auto& cores_of : {std::vector<int>{1, 1, 1}, {3}, {2, 1}}) {
    extent first, second;
    const model::outcome found = explore_relay(turns_of(0), cores_of, 24, first, second);
    EXPECT_EQ(found.failure, "");
    EXPECT_TRUE(found.exhausted);
    EXPECT_GT(found.runs, 100u);
    EXPECT_EQ(explore_relay(turns_of(0, 80), cores_of, 80, first, second).failure, "");
    EXPECT_GT(first.waits, 0u);
    EXPECT_LE(first.most, static_cast<int>(bound) * messages_per_block);
    // The blocks are those that the bound allows, those beyond it until core 1 asks core 0 to hold, and those
    // that core 0 has sent by then.
    EXPECT_LE(second.most, static_cast<int>(bound + (bound + 1) + bound) * messages_per_block);
  }
}

// Tasks of two cores send to each other, and handlers answer as largely.
TEST(credits_model, end_a_flood_of_answers_among_cores_that_hold_each_other) {
  struct exchange : small_job {
    using small_job::small_job;
    std::array<int, 2> asked{}, answered{};
  };
  constexpr int count = 24;
  for (const auto& cores_of : {std::vector<int>{1, 1}, std::vector<int>{2}}) {
    std::uint64_t waits = 0;
    const model::outcome found = model::explore(turns_of(1), [&](model::run& r) {
      exchange& all = r.make<exchange>(cores_of);
      const auto ask = [&all](core_id me) {
        const core_id other = 1 - me;
        for (int k = 0; k < count; ++k) {
          all.of(me).send(other, [&all, me, other, k, filler = large{}] {
            model::expect(k == all.asked[static_cast<std::size_t>(me)]++,
                          "a question out of order, or twice");
            all.of(other).send(me, [&all, me, k, filler] {
              model::expect(k == all.answered[static_cast<std::size_t>(me)]++,
                            "an answer out of order, or twice");
              if (all.answered == std::array{count, count}) all.end();
            });
          });
        }
      };
      all.run_in(r, {[ask] { ask(0); }, [ask] { ask(1); }});
      r.finally([&all, &waits] {
        model::expect(all.answered == std::array{count, count}, "an answer is lost");
        waits += all.of(0).suspended_sends() + all.of(1).suspended_sends();
      });
    });
    EXPECT_EQ(found.failure, "");
    EXPECT_TRUE(found.exhausted);
    EXPECT_GT(waits, 0u);
    EXPECT_GT(found.runs, 20u);
  }
}

}  // namespace
}  // namespace orujo::internal::messages
