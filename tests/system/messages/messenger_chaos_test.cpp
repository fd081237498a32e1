// Messages under chaos, each seed a job of its own on the loopback transport; and how jobs end that send what
// they may not.
#include "system/messages/messenger.hpp"

#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "system/base/sanitizers.hpp"
#include "system/runtime/runtime.hpp"
#include "tests/system/messages/random_traffic.hpp"
#include "tests/system/runtime/one_job.hpp"

namespace orujo::internal::messages {
namespace {

constexpr std::uint64_t seeds = 20;
#if defined(ORUJO_THREAD_SANITIZER) || defined(ORUJO_ADDRESS_SANITIZER)
constexpr std::uint64_t operations_of_all = 50'000;
#else
constexpr std::uint64_t operations_of_all = 1'000'000;
#endif

// Locales and cores of each: 1 to 16 in all.
constexpr std::array<std::pair<int, int>, 10> splits{
    {{1, 1}, {1, 2}, {2, 1}, {3, 1}, {2, 2}, {5, 1}, {3, 2}, {1, 8}, {8, 1}, {4, 4}}};

// Everything that decides when blocks and parcels leave, drawn by the seed, small values among it.
runtime::job_options random_options(std::uint64_t seed) {
  random_stream random(seed);
  const auto pick = [&](auto... values) {
    const std::array all{values...};
    return all[random.below(all.size())];
  };
  runtime::job_options options;
  options.chaos_seed = seed;
  options.messenger.blocks_in_flight = pick(2u, 3u, 8u, 64u);
  options.messenger.flush_age_ns = pick(0u, 1'000u, 50'000u, 1'000'000u);
  options.parcels.parcel_bytes = pick(4096u, 10'000u, 64u << 10);
  options.parcels.parcels_in_flight = pick(1, 2, 4);
  options.parcels.flush_age_ns = options.messenger.flush_age_ns;
  options.messenger.most_flush_age_ns = pick(0u, 2'000'000u);
  return options;
}

TEST(messenger, delivers_every_message_once_and_in_order_whatever_the_chaos) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const auto [locales, cores] = splits[seed % splits.size()];
    SCOPED_TRACE(testing::Message() << "chaos seed " << seed << ", " << locales << " x " << cores);
    runtime::job_options options = random_options(seed);
    options.cores = cores;
    const bool aggregated = seed / splits.size() % 2 == 0;
    traffic_report report;
    const exit_status ended = runtime::run_loopback(locales, options, [&] {
      report = run_traffic({operations_of_all / seeds, aggregated, seed});
      return status();
    });
    ASSERT_EQ(ended, exit_status::ok);
    ASSERT_TRUE(report.clean()) << report;
    ASSERT_GE(report.sent, operations_of_all / seeds);
  }
}

TEST(messenger_death, refuses_a_payload_that_fits_no_block) {
  const auto send_much = [] {
    const std::array<std::byte, max_message_bytes> payload{};
    messenger::here().send_with_payload(
        1, [](std::span<const std::byte>) {}, payload);
    return status();
  };
  EXPECT_EXIT(runtime::end_as_job(send_much), testing::ExitedWithCode(78),
              "\\[locale 0 core 0\\] FATAL: .*a message larger than a block: send it in pieces");
}

TEST(messenger_death, refuses_to_wait_in_a_handler_whatever_for) {
  const auto wait_there = [] {
    delegates::completion_event all;
    delegates::async_call(all, 1, [] {
      delegates::completion_event never;
      never.wait();
    });
    all.wait();
    return status();
  };
  EXPECT_EXIT(runtime::end_as_job(wait_there), testing::ExitedWithCode(78),
              "\\[locale 1 core 1\\] FATAL: .*a message handler may not block");
}

}  // namespace
}  // namespace orujo::internal::messages
