#include "system/messages/messenger.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <chrono>
#include <numeric>

#include "system/base/identity.hpp"
#include "system/base/sanitizers.hpp"
#include "system/collectives/collectives.hpp"
#include "system/containers/symmetric.hpp"
#include "system/delegates/delegate.hpp"
#include "system/loops/forall.hpp"
#include "tests/system/messages/random_traffic.hpp"

namespace orujo::internal::messages {
namespace {

// Operations of a test, fewer where they are slow.
constexpr std::uint64_t many(std::uint64_t operations) {
#if defined(ORUJO_THREAD_SANITIZER) || defined(ORUJO_ADDRESS_SANITIZER)
  operations /= 20;
#endif
  return operations;
}

TEST(messenger, delivers_every_message_once_and_in_order) {
  for (const std::uint64_t operations : {std::uint64_t{1}, many(1'000'000)}) {
    const traffic_report report = run_traffic({.operations = operations});
    EXPECT_TRUE(report.clean()) << report;
    EXPECT_GE(report.sent, operations);
  }
}

TEST(messenger, delivers_every_message_once_and_in_order_without_aggregation) {
  const traffic_report report = run_traffic({.operations = many(30'000), .aggregated = false});
  EXPECT_TRUE(report.clean()) << report;
}

TEST(messenger, runs_messages_of_different_types_in_the_order_sent) {
  const core_id last = cores() - 1;
  const auto log = containers::symmetric<std::vector<int>>::create();
  delegates::completion_event all;
  std::vector<int> expected;
  for (int k = 0; k < 3000; ++k) {
    expected.push_back(k);
    switch (k % 3) {
      case 0:
        delegates::async_call(all, last, [=] { log.here().push_back(k); });
        break;
      case 1: {
        const double wide[3] = {0, static_cast<double>(k), 0};
        delegates::async_call(all, last, [=] { log.here().push_back(static_cast<int>(wide[1])); });
        break;
      }
      default: {
        const std::vector<int> payload(static_cast<std::size_t>(k % 200), k);
        delegates::async_call(
            all, last,
            [=](std::span<const std::byte> bytes) {
              log.here().push_back(bytes.size() == static_cast<std::size_t>(k % 200) * sizeof(int) ? k : -1);
            },
            std::as_bytes(std::span(payload)));
      }
    }
  }
  all.wait();
  const int right = delegates::call(last, [=] {
    int count = 0;
    const std::vector<int>& got = log.here();
    for (std::size_t k = 0; k < got.size(); ++k) count += got[k] == static_cast<int>(k) ? 1 : 0;
    return count;
  });
  EXPECT_EQ(right, static_cast<int>(expected.size()));
  log.destroy();
}

TEST(messenger, carries_payloads_up_to_the_largest_unchanged) {
  for (std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{8}, std::size_t{100},
                           messenger::max_payload_bytes(sizeof(std::uint64_t*))}) {
    std::vector<std::uint8_t> payload(size);
    std::iota(payload.begin(), payload.end(), std::uint8_t{3});
    for (core_id to = 0; to < cores(); ++to) {
      std::uint64_t sum = 0;
      tasks::join_counter reply(1);
      struct state {
        std::uint64_t* sum;
        tasks::join_counter* reply;
      } back{&sum, &reply};
      state* const at = &back;
      messenger::here().send_with_payload(
          to,
          [at](std::span<const std::byte> bytes) {
            std::uint64_t total = bytes.size();
            for (std::size_t k = 0; k < bytes.size(); ++k)
              total += static_cast<std::uint64_t>(bytes[k]) * (k + 1);
            messenger::here().send(0, [at, total] {
              *at->sum = total;
              at->reply->complete();
            });
          },
          std::as_bytes(std::span(payload)));
      reply.wait();
      std::uint64_t expected = size;
      for (std::size_t k = 0; k < size; ++k) expected += std::uint64_t{payload[k]} * (k + 1);
      EXPECT_EQ(sum, expected) << size << " bytes to core " << to;
    }
  }
}

TEST(messenger, keeps_the_blocks_in_flight_bounded_by_suspending_senders) {
  const core_id last = cores() - 1;
  const auto received = containers::symmetric<std::uint64_t>::create();
  delegates::completion_event all;
  struct large {
    char bytes[1000];
  } filler{};
  constexpr std::uint64_t count = 4000;  // 4 MB, much more than may be in flight
  const std::uint64_t before = messenger::here().suspended_sends();
  std::uint64_t sent = 0;
  // The receiver is made slow; should it keep up all the same, once more.
  for (int attempt = 0; attempt < 20 && messenger::here().suspended_sends() == before; ++attempt) {
    delegates::async_call(all, last, [] {
      const auto start = std::chrono::steady_clock::now();
      while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(20)) sched_yield();
    });
    for (std::uint64_t k = 0; k < count; ++k) {
      delegates::async_call(all, last,
                            [=] { received.here() += static_cast<std::uint64_t>(filler.bytes[0] + 1); });
    }
    sent += count;
    all.wait();
  }
  EXPECT_EQ(delegates::call(last, [=] { return received.here(); }), sent);
  // A core alone may run all of them at once.
  if (cores() > 1) {
    EXPECT_GT(messenger::here().suspended_sends(), before);
  }
  received.destroy();
}

}  // namespace
}  // namespace orujo::internal::messages
