// The cost of collectives between many locales: counts of messages and bytes, on the loopback transport.
#include "system/collectives/rounds.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/runtime/runtime.hpp"
#include "tests/at_home.hpp"
#include "tests/sanitized.hpp"

namespace orujo::internal::collectives {
namespace {

// Combines texts of one letter per member by the plan, round by round.
std::vector<std::string> combine_by_plan(int members) {
  std::vector<std::string> value(static_cast<std::size_t>(members));
  for (int k = 0; k < members; ++k) value[static_cast<std::size_t>(k)] = std::to_string(k) + ' ';
  const auto at = [&value](int member) -> std::string& { return value[static_cast<std::size_t>(member)]; };
  const int grouped = reduction_plan(members, 0).grouped();
  for (int k = 0; k < members; ++k) {
    if (reduction_plan(members, k).hands_over()) at(k - 1) += at(k);
  }
  for (int stride = 1; stride < grouped; stride *= joining_groups(stride, grouped, 0).groups) {
    const std::vector<std::string> before = value;
    for (int k = 0; k < members; ++k) {
      const reduction_plan plan(members, k);
      if (plan.hands_over()) continue;
      EXPECT_EQ(plan.member_at(plan.place()), k);
      const joining_groups round(stride, grouped, plan.place());
      at(k).clear();
      for (int g = 0; g < round.groups; ++g)
        at(k) += before[static_cast<std::size_t>(plan.member_at(round.place_in(g, plan.place())))];
    }
  }
  for (int k = 0; k < members; ++k) {
    if (reduction_plan(members, k).hands_over()) at(k) = at(k - 1);
  }
  return value;
}

TEST(reduction_plan, combines_all_members_in_their_order) {
  std::string all;
  for (int members = 1; members <= 300; ++members) {
    all += std::to_string(members - 1) + ' ';
    for (const std::string& of_member : combine_by_plan(members)) ASSERT_EQ(of_member, all) << members;
  }
}

TEST(rounds, reach_four_times_as_many_members_each) {
  const std::array<std::array<int, 2>, 8> known = {
      {{1, 0}, {2, 1}, {4, 1}, {5, 2}, {16, 2}, {17, 3}, {64, 3}, {65, 4}}};
  for (const auto [members, rounds] : known) EXPECT_EQ(rounds_to_reach(members), rounds) << members;
}

struct sent {
  std::uint64_t messages = 0, bytes = 0;
};
// [task] Number of messages and bytes from this core to other locales so far.
sent sent_so_far() {
  sent sum;
  for (const messages::block_traffic& to : messages::messenger::here().traffic()) {
    sum.messages += to.messages_sent;
    sum.bytes += to.bytes_sent;
  }
  return sum;
}

// The most that a core sends in `collective`, in a job of `locales` x 1.
sent most_sent(int locales, void (*collective)()) {
  sent most;
  runtime::job_options options;
  options.cores = 1;
  options.messenger.blocks_in_flight = 2;  // and small parcels: 256 locales share the memory of one machine
  options.parcels.parcel_bytes = 16 << 10;
  options.steal = false;  // nobody asks for work meanwhile
  const exit_status ended = runtime::run_loopback(locales, options, [&most, collective] {
    loops::on_all_cores([to = at_home(most), collective] {
      barrier();  // what began the tasks has left
      const sent before = sent_so_far();
      collective();
      const sent after = sent_so_far();
      const auto larger = [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); };
      const std::array<std::uint64_t, 2> of_all =
          all_reduce(std::array{after.messages - before.messages, after.bytes - before.bytes}, larger);
      if (my_core() == 0) *to = {of_all[0], of_all[1]};
    });
    return status();
  });
  EXPECT_EQ(ended, exit_status::ok);
  return most;
}

TEST(collectives_of_many_locales, take_three_messages_per_round) {
  for (const int locales : {4, 16, 64}) {
    SCOPED_TRACE(locales);
    const auto rounds = static_cast<std::uint64_t>(rounds_to_reach(locales));
    EXPECT_EQ(most_sent(locales, [] { barrier(); }).messages, 3 * rounds);
    EXPECT_EQ(most_sent(locales, [] { all_reduce(1); }).messages, 3 * rounds);
    EXPECT_EQ(most_sent(locales, [] { all_gather(std::uint64_t{1}); }).messages, 3 * rounds);
  }
  if (!sanitized) {
    EXPECT_EQ(most_sent(256, [] { all_reduce(1); }).messages, 3u * 4);
  }
  // Two for those who have one more at their side.
  EXPECT_EQ(most_sent(20, [] { all_reduce(1); }).messages, 3 * 2 + 1);
}

TEST(collectives_of_many_locales, gather_and_sum_what_there_is_once) {
  constexpr std::uint64_t header = 16 + 40;  // of a run, and of a message with payload, at most
  for (const int locales : {16, 64}) {
    SCOPED_TRACE(locales);
    const auto all = static_cast<std::uint64_t>(locales) * 8;
    const auto rounds = static_cast<std::uint64_t>(rounds_to_reach(locales));
    EXPECT_LE(most_sent(locales, [] { all_gather(std::uint64_t{1}); }).bytes, all + 3 * rounds * header);
    EXPECT_LE(most_sent(locales,
                        [] {
                          by_core<std::uint64_t> for_each(cores());
                          std::iota(for_each.begin(), for_each.end(), 1);
                          const std::uint64_t sum = collective::here().sum_for_me(for_each);
                          const auto me = static_cast<std::uint64_t>(my_core());
                          EXPECT_EQ(sum, (me + 1) * static_cast<std::uint64_t>(cores()));
                        })
                  .bytes,
              all + 3 * rounds * header);
  }
}

}  // namespace
}  // namespace orujo::internal::collectives
