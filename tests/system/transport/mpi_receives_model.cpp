// Parcels that come by lanes and by MPI, in every order of both: each locale's are reported once and as it
// sent them, and who sleeps is woken.
#include "system/transport/mpi_receives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "system/node/alarms.hpp"
#include "tests/model/interleavings.hpp"
#include "tests/model/mpi.hpp"

namespace orujo::internal::transport {
namespace {

constexpr std::size_t lane_room = 256, largest = 200;  // three entries in a lane, each of a line
constexpr int buffers = 5;                             // three of them at MPI
using plan = std::vector<std::size_t>;                 // bytes of each parcel that one locale sends

struct ways {
  int lanes = 0, mpi = 0;  // parcels
};

struct locales {
  explicit locales(std::size_t senders) : receives(static_cast<int>(senders) + 1), lanes(senders) {
    model::begin_messages();
    for (std::size_t k = 0; k < senders; ++k) {
      node::lane::clear(lanes[k].data());
      receives.hear(static_cast<int>(k) + 1, node::lane(lanes[k].data(), lane_room));
    }
    for (std::size_t k = 0; k < buffers; ++k) {
      parcels[k].data = bytes[k].data();
      parcels[k].capacity = largest;
      receives.post(MPI_COMM_NULL, parcels[k], requests);
    }
  }
  static void others(request_kind, parcel&, const MPI_Status&) {
    model::expect(false, "there are receives only");
  }
  node::alarms bells() { return {beds.data(), 1}; }

  // Sends as `mpi_transport::send` does.
  void send_all(std::size_t sender, const plan& sizes, bool rings) {
    ways& of_it = went[sender];
    node::lane to(lanes[sender].data(), lane_room);
    std::array<std::byte, largest> content{};
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      content[0] = static_cast<std::byte>(k);
      if (to.put({content.data(), sizes[k]}, static_cast<std::uint32_t>(k))) {
        ++of_it.lanes;
      } else {
        ++of_it.mpi;
        model::others_may_go();
        model::send_message(static_cast<int>(sender) + 1, static_cast<int>(k), {content.data(), sizes[k]},
                            sizes[k] > lane_room / 2);
      }
      if (rings) bells().ring_one_after_stores();
    }
  }
  // False where there is nothing.
  bool take(const std::vector<plan>& plans) {
    parcel* const full = receives.poll(requests, others);
    if (!full) return false;
    const auto sender = static_cast<std::size_t>(full->peer) - 1;
    const std::size_t number = next[sender]++;
    model::expect(full->data[0] == static_cast<std::byte>(number), "out of order, or twice");
    model::expect(full->bytes == plans[sender].at(number), "another size");
    receives.post(MPI_COMM_NULL, *full, requests);
    ++taken;
    return true;
  }
  void take_all(const std::vector<plan>& plans, bool sleeps) {
    std::size_t wanted = 0;
    for (const plan& p : plans) wanted += p.size();
    while (taken < wanted) {
      if (take(plans)) continue;
      if (!sleeps) {
        model::let_others_run();
      } else {
        bells().sleep(0, model::for_ever, [&] { return take(plans); });
      }
    }
  }

  mpi_receives receives;
  request_set requests;
  struct alignas(node::lane::line) of_lane : std::array<std::byte, node::lane::bytes_for(lane_room)> {};
  std::vector<of_lane> lanes;
  std::array<parcel, buffers> parcels;
  std::array<std::array<std::byte, largest>, buffers> bytes{};
  alignas(node::alarms::bytes_per_core) std::array<std::byte, node::alarms::bytes_for(1)> beds{};
  std::array<ways, 2> went{};  // by sender
  std::array<std::size_t, 2> next{};
  std::size_t taken = 0;
};

// Without sleep, a thread for each long parcel lets it in.
model::outcome explore_receives(const model::limits& bounds, const std::vector<plan>& plans, bool sleeps,
                                std::size_t long_ones, ways& went) {
  return model::explore(bounds, [&, sleeps, long_ones](model::run& r) {
    locales& all = r.make<locales>(plans.size());
    for (std::size_t k = 0; k < plans.size(); ++k)
      r.thread([&all, &plans, sleeps, k] { all.send_all(k, plans[k], sleeps); });
    r.thread([&all, &plans, sleeps] { all.take_all(plans, sleeps); });
    for (std::size_t k = 0; k < long_ones; ++k) {
      r.thread([k] {
        do model::let_others_run();
        while (!model::let_in(k));
      });
    }
    r.finally([&all, &went] {
      for (const ways& w : all.went) {
        went.lanes += w.lanes;
        went.mpi += w.mpi;
      }
    });
  });
}

void explore_receives_of_one_and_of_two(bool sleeps, const plan& one, const model::limits& bounds,
                                        const std::vector<plan>& two) {
  const auto long_ones = [&](const plan& of) {
    return sleeps ? 0 : std::count_if(of.begin(), of.end(), [](auto size) { return size > lane_room / 2; });
  };
  ways went;
  const model::outcome found =
      explore_receives(bounds, {one}, sleeps, static_cast<std::size_t>(long_ones(one)), went);
  EXPECT_EQ(found.failure, "");
  EXPECT_TRUE(found.exhausted);
  EXPECT_GT(found.runs, 1'000u);
  const auto of_two = static_cast<std::size_t>(long_ones(two[0]) + long_ones(two[1]));
  EXPECT_EQ(explore_receives({.random_runs = 2'000}, two, sleeps, of_two, went).failure, "");
  EXPECT_TRUE(went.lanes > 0 && went.mpi > 0);
}

TEST(mpi_receives_model, reports_in_order_what_comes_by_two_ways) {
  explore_receives_of_one_and_of_two(false, {8, 200, 9, 8, 200, 8}, {.preemptions = 1, .stale_values = 1},
                                     {{8, 200, 9, 8, 8, 8, 8}, {200, 8, 8, 8, 8, 200, 8}});
}

// Where MPI passes on at once what it gets. (Else a core that sleeps looks again in time.)
TEST(mpi_receives_model, wakes_who_sleeps_for_either_way) {
  explore_receives_of_one_and_of_two(true, {8, 100, 8, 8, 100, 8}, {},
                                     {{8, 100, 9, 8, 8, 8, 8}, {100, 8, 8, 8, 8, 100, 8}});
}

TEST(mpi_receives_death, refuses_what_cannot_be_in_a_lane) {
  for (const std::uint32_t size : {static_cast<std::uint32_t>(largest) + 1, 0xfffffff0u}) {
    locales all(1);
    node::lane(all.lanes[0].data(), lane_room).put(std::array<std::byte, 8>{}, 0);
    std::memcpy(all.lanes[0].data() + node::lane::line, &size, sizeof size);
    EXPECT_EXIT(all.receives.poll(all.requests, locales::others), testing::ExitedWithCode(70),
                "FATAL: a parcel from locale 1 is damaged: its lane has one of [0-9]+ bytes");
  }
}

}  // namespace
}  // namespace orujo::internal::transport
