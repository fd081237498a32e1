// Tests that need a job of a certain shape, on the loopback transport: routes over other locales, and floods.
#include "system/messages/messenger.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <vector>

#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/delegate.hpp"
#include "system/loops/forall.hpp"
#include "system/report/merged_metrics.hpp"
#include "system/runtime/runtime.hpp"

namespace orujo::internal::messages {
namespace {

// The state of a job of cores in one process. next[to][from] is the next number that core `to` expects from
// core `from`.
struct numbered {
  explicit numbered(int cores) : next(cores, std::vector<std::uint32_t>(cores)) {}
  std::vector<std::vector<std::uint32_t>> next;
  std::atomic<int> mistakes{0};
};

// Every core sends `count` numbered messages to every core, flushing now and then, and the handlers of some
// send one on to the next core.
void send_numbered(numbered& log, std::uint32_t count, std::atomic<int>& sent_on) {
  delegates::completion_event all;
  loops::on_all_cores([&log, &sent_on, count, event = all.ref()] {
    const core_id me = my_core();
    for (std::uint32_t k = 0; k < count; ++k) {
      for (core_id d = 0; d < cores(); ++d) {
        const core_id to = (me + d) % cores();
        delegates::async_call(event, to, [&log, &sent_on, me, k, event] {
          std::uint32_t& next = log.next[static_cast<std::size_t>(my_core())][static_cast<std::size_t>(me)];
          if (next++ != k) ++log.mistakes;
          if (k % 8 != 0) return;
          delegates::async_call(event, (my_core() + 1) % cores(), [&sent_on] { ++sent_on; });
        });
      }
      if (k % 16 == 0) messenger::here().flush_all();
    }
  });
  all.wait();
}

void expect_all_in_order(int locales, int cores_each, std::uint64_t chaos_seed) {
  SCOPED_TRACE(testing::Message() << locales << " x " << cores_each << ", chaos seed " << chaos_seed);
  runtime::job_options options;
  options.cores = cores_each;
  options.chaos_seed = chaos_seed;
  constexpr std::uint32_t count = 40;
  numbered log(locales * cores_each);
  std::atomic<int> sent_on{0};
  const exit_status ended = runtime::run_loopback(locales, options, [&] {
    send_numbered(log, count, sent_on);
    return status();
  });
  ASSERT_EQ(ended, exit_status::ok);
  EXPECT_EQ(log.mistakes, 0);
  EXPECT_EQ(sent_on, static_cast<int>(log.next.size() * log.next.size() * count / 8));
  for (const auto& at_core : log.next) {
    EXPECT_EQ(std::count(at_core.begin(), at_core.end(), count), static_cast<long>(at_core.size()));
  }
}

TEST(messenger, delivers_in_order_and_once_between_many_locales) {
  for (int locales : {2, 4, 9, 10}) {
    for (std::uint64_t seed : {0, 1, 2}) expect_all_in_order(locales, 1 + locales % 2, seed);
  }
  expect_all_in_order(64, 1, 0);
}

// Core 0 sends to core 1, whose handlers forward to core 2, which is slow:  0 --> 1 --> 2
// No task of core 1 could wait. Only its request to hold bounds the backlog there.
void expect_a_bounded_backlog(int locales, int cores_each) {
  runtime::job_options options;
  options.cores = cores_each;
  options.messenger.blocks_in_flight = 4;
  struct large {
    std::byte bytes[1000];  // some 15 to a block
  };
  static constexpr int count = 4'000, floods = 40, most_expected = 300;  // 195 seen
  std::atomic<int> forwarded{0}, arrived{0};
  int sent = 0, backlog = 0;
  std::uint64_t holds = 0;
  const auto flood = [&] {
    delegates::completion_event all;
    for (int k = 0; k < count; ++k) {
      delegates::async_call(all, 1, [&, event = all.ref(), filler = large{}] {
        backlog = std::max(backlog, ++forwarded - arrived);
        delegates::async_call(event, 2, [&arrived, filler] {
          const auto start = std::chrono::steady_clock::now();
          const std::chrono::milliseconds slow(arrived++ % count == 0 ? 20 : 0);
          while (std::chrono::steady_clock::now() - start < slow) sched_yield();
        });
      });
    }
    all.wait();
    holds = report::merged_metrics().count_of("messages.holds");
  };
  const exit_status ended = runtime::run_loopback(locales, options, [&] {
    // A sender that never waits is rare, so there are some floods. Should core 2 keep up all the same, more.
    for (int k = 0; k < floods || (holds == 0 && k < 2 * floods); ++k, sent += count) flood();
    return status();
  });
  ASSERT_EQ(ended, exit_status::ok);
  EXPECT_EQ(arrived, sent);
  EXPECT_LT(backlog, most_expected);
  EXPECT_GT(holds, 0u);
}

TEST(messenger, asks_senders_to_hold_when_its_handlers_have_sent_too_much_to_others) {
  expect_a_bounded_backlog(3, 1);  // over the transport
  expect_a_bounded_backlog(1, 3);  // within a locale
}

// All cores ask all others for more than they send: the cores hold each other, and yet all of it ends.
TEST(messenger, ends_a_flood_of_large_replies_among_cores_that_hold_each_other) {
  runtime::job_options options;
  options.cores = 2;
  options.messenger.blocks_in_flight = 2;
  constexpr int count = 2'000;
  std::atomic<int> replies{0};
  const exit_status ended = runtime::run_loopback(2, options, [&] {
    delegates::completion_event all;
    loops::on_all_cores([&replies, event = all.ref()] {
      for (int k = 0; k < count; ++k) {
        for (core_id to = 0; to < cores(); ++to) {
          delegates::async_call(event, to, [&replies, event, back = my_core()] {
            struct {
              std::byte bytes[2000];
            } filler{};
            delegates::async_call(event, back, [&replies, filler] { ++replies; });
          });
        }
      }
    });
    all.wait();
    return status();
  });
  ASSERT_EQ(ended, exit_status::ok);
  EXPECT_EQ(replies, 4 * 4 * count);
}

}  // namespace
}  // namespace orujo::internal::messages
