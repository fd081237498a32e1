#include "system/transport/loopback.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "system/base/random.hpp"
#include "tests/system/transport/loopback_job.hpp"

namespace orujo::internal::transport {
namespace {

using namespace test_loopback;

TEST(loopback, knows_who_is_who) {
  const job j(3);
  for (int l = 0; l < 3; ++l) {
    const transport& link = *j.links[static_cast<std::size_t>(l)];
    EXPECT_EQ(link.locale(), l);
    EXPECT_EQ(link.locales(), 3);
  }
}

// All ends driven from this thread: random locales send to random ones (themselves too), provide and poll.
void send_at_random(int locales, std::uint64_t chaos_seed, std::uint64_t seed) {
  random_stream random(seed);
  job j(locales, chaos_seed);
  const auto any = [&] { return random.below(static_cast<std::uint64_t>(locales)); };
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> sequence;
  std::vector<std::uint64_t> sent_to(static_cast<std::size_t>(locales));
  for (int step = 0; step < 3000; ++step) {
    const std::uint64_t from = any(), to = any();
    switch (random.below(3)) {
      case 0:
        j.posts[from]->send(static_cast<int>(to), sequence[{from, to}]++,
                            random.below(buffer_bytes - sizeof(content) + 1));
        ++sent_to[to];
        break;
      case 1:
        j.posts[from]->provide();
        break;
      default:
        j.posts[from]->poll();
    }
  }
  for (std::size_t l = 0; l < j.posts.size(); ++l) {
    post& p = *j.posts[l];
    p.provides_again = true;
    p.provide();
    // A parcel is delayed by less than 8 polls.
    for (std::uint64_t polls = 0; polls < 10 * sent_to[l] + 10; ++polls) p.poll();
    EXPECT_EQ(p.arrived(), sent_to[l]) << "at locale " << l;
    EXPECT_EQ(p.sends_not_reported(), 0u);
    EXPECT_FALSE(p.poll());
  }
}

TEST(loopback, brings_every_parcel_once_and_in_order) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    send_at_random(static_cast<int>(1 + seed % 4), 0, seed);
  }
}

TEST(loopback, brings_every_parcel_once_and_in_order_under_chaos) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed and chaos seed " << seed);
    send_at_random(static_cast<int>(1 + seed % 4), seed, seed);
  }
}

TEST(loopback, lets_parcels_wait_for_a_buffer) {
  job j(2);
  for (std::uint64_t k = 0; k < 10; ++k) j.posts[0]->send(1, k, 0);
  EXPECT_EQ(j.posts[0]->sends_not_reported(), 10u);
  EXPECT_TRUE(j.posts[0]->poll());
  EXPECT_EQ(j.posts[0]->sends_not_reported(), 0u);
  EXPECT_FALSE(j.posts[1]->poll());
  EXPECT_EQ(j.posts[1]->arrived(), 0u);
  for (std::uint64_t k = 1; k <= 10; ++k) {
    j.posts[1]->provide();
    EXPECT_TRUE(j.posts[1]->poll());
    EXPECT_EQ(j.posts[1]->arrived(), k);
  }
  j.posts[1]->provide();
  EXPECT_FALSE(j.posts[1]->poll());
}

TEST(loopback, without_chaos_brings_parcels_at_the_next_poll) {
  job j(3);
  for (int from = 0; from < 3; ++from) j.posts[static_cast<std::size_t>(from)]->send(1, 0, 0);
  for (int k = 0; k < 3; ++k) j.posts[1]->provide();
  j.posts[1]->poll();
  EXPECT_EQ(j.posts[1]->arrived(), 3u);
}

// The order in which parcels of two senders, sent alternately, arrive at a third locale.
std::vector<int> arrival_order(std::uint64_t chaos_seed) {
  struct recorder final : listener {
    void sent(parcel&) override {}
    void received(parcel& full) override { order.push_back(full.peer); }
    std::vector<int> order;
  } at;
  auto links = make_loopback(3, {chaos_seed});
  std::deque<buffer> buffers(40);
  for (std::size_t k = 0; k < 20; ++k) {
    buffers[k].peer = 2;
    buffers[k].bytes = 8;
    links[k % 2]->send(buffers[k]);
    links[2]->provide(buffers[20 + k]);
  }
  for (int polls = 0; polls < 400; ++polls) links[2]->poll(at);
  return at.order;
}

TEST(loopback, reorders_between_pairs_by_the_chaos_seed) {
  EXPECT_NE(arrival_order(1), arrival_order(2));
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_EQ(arrival_order(seed).size(), 20u) << "seed " << seed;
    EXPECT_EQ(arrival_order(seed), arrival_order(seed)) << "seed " << seed;
  }
}

TEST(loopback, has_a_board_with_odd_seeds) {
  for (std::uint64_t chaos_seed = 0; chaos_seed < 4; ++chaos_seed) {
    for (const int locales : {1, 3}) {
      auto links = make_loopback(locales, {chaos_seed});
      std::vector<std::thread> threads;
      std::atomic<int> last{0};
      for (auto& link : links) {
        threads.emplace_back([&] {
          link->make_alarms(1);
          meeting_place place = link->take_board();
          EXPECT_EQ(static_cast<bool>(place.on_node), chaos_seed % 2 != 0 && locales > 1);
          if (!place.on_node) return;
          EXPECT_EQ(place.first_of_nodes, std::vector<int>{0});
          EXPECT_EQ(place.on_node.members(), locales);
          EXPECT_EQ(place.on_node.me(), link->locale());
          place.on_node.bring({});
          last += place.on_node.arrive() ? 1 : 0;
        });
      }
      for (std::thread& t : threads) t.join();
      EXPECT_EQ(last.load(), chaos_seed % 2 != 0 && locales > 1 ? 1 : 0);
    }
  }
}

// Every locale on a thread of its own: gathers, sends to all, and closes while much is under way.
void gather_send_and_close(int locales, std::uint64_t chaos_seed) {
  constexpr std::uint64_t parcels_each = 200;
  job j(locales, chaos_seed);
  std::vector<std::thread> threads;
  for (int l = 0; l < locales; ++l) {
    threads.emplace_back([&, l] {
      transport& link = *j.links[static_cast<std::size_t>(l)];
      post& p = *j.posts[static_cast<std::size_t>(l)];
      for (std::uint64_t round = 0; round < 20; ++round) {
        const std::vector<std::uint64_t> all = link.all_gather(1000 * round + static_cast<std::uint64_t>(l));
        ASSERT_EQ(all.size(), static_cast<std::size_t>(locales));
        for (std::size_t k = 0; k < all.size(); ++k) ASSERT_EQ(all[k], 1000 * round + k);
      }
      p.provides_again = true;
      p.provide();
      for (std::uint64_t k = 0; k < parcels_each; ++k) {
        for (int to = 0; to < locales; ++to) p.send(to, k, k % 100);
        if (k % 3 == 0) p.poll();
      }
      link.close(p, [] {});
    });
  }
  for (std::thread& t : threads) t.join();
  for (const auto& p : j.posts) {
    EXPECT_EQ(p->arrived(), parcels_each * static_cast<std::uint64_t>(locales));
    EXPECT_EQ(p->sends_not_reported(), 0u);
  }
}

TEST(loopback, gathers_from_all_and_closes_when_everything_has_arrived) {
  for (int locales = 1; locales <= 4; ++locales) gather_send_and_close(locales, 0);
}

TEST(loopback, gathers_from_all_and_closes_under_chaos) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(testing::Message() << "chaos seed " << seed);
    gather_send_and_close(3, seed);
  }
}

}  // namespace
}  // namespace orujo::internal::transport
