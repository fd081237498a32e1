// Transfers by the loopback transport: both ends are memory of their own.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <thread>
#include <utility>
#include <vector>

#include "system/base/random.hpp"
#include "system/transport/loopback.hpp"
#include "tests/system/transport/loopback_job.hpp"

namespace orujo::internal::transport {
namespace {

using test_loopback::post;

// One end of a transfer, with a margin that nobody may touch.
struct transfer_end : parcel {
  static constexpr std::size_t margin = 16;
  std::vector<std::byte> storage;
  int reports = 0;
  transfer_end(std::uint64_t other, std::uint32_t number, std::uint64_t size, std::byte filling)
      : storage(size + 2 * margin, filling) {
    data = storage.data() + margin;
    capacity = bytes = static_cast<std::uint32_t>(size);
    peer = static_cast<int>(other);
    transfer_number = number;
  }
};

struct transfer_listener final : listener {
  void sent(parcel& done) override {
    auto& end = static_cast<transfer_end&>(done);
    ++end.reports;
    std::fill(end.storage.begin(), end.storage.end(), std::byte{0xee});  // nobody may still need it
  }
  void received(parcel& full) override { ++static_cast<transfer_end&>(full).reports; }
};

struct test_transfer {
  std::uint64_t from, to;
  transfer_end source, place;

  test_transfer(std::uint64_t source_locale, std::uint64_t destination, std::uint32_t number,
                std::uint64_t bytes)
      : from(source_locale),
        to(destination),
        source(to, number, bytes, std::byte{0xaa}),
        place(from, number, bytes, std::byte{0xbb}) {
    for (std::uint32_t k = 0; k < bytes; ++k) source.data[k] = content(k);
  }
  std::byte content(std::uint64_t k) const {
    return static_cast<std::byte>(k * 7 + k / 256 + place.transfer_number * 31 + from * 5 + to);
  }
  void expect_arrived() const {
    EXPECT_EQ(source.reports, 1);
    EXPECT_EQ(place.reports, 1);
    for (std::size_t k = 0; k < place.storage.size(); ++k) {
      const bool inside = k >= transfer_end::margin && k < transfer_end::margin + place.capacity;
      ASSERT_EQ(place.storage[k], inside ? content(k - transfer_end::margin) : std::byte{0xbb}) << k;
    }
  }
};

// Transfers between random pairs, numbered by pair. Their ends start in a random order with polls in between.
void transfer_at_random(int locales, std::uint64_t chaos_seed, std::uint64_t seed) {
  random_stream random(seed);
  auto links = make_loopback(locales, {chaos_seed});
  transfer_listener at;
  const auto any = [&] { return random.below(static_cast<std::uint64_t>(locales)); };
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> numbers;
  std::deque<test_transfer> all;
  std::vector<std::pair<test_transfer*, bool>> starts;
  for (int k = 0; k < 100; ++k) {
    const std::uint64_t from = any(), to = any(), bytes = random.below(1 + random.below(5000));
    all.emplace_back(from, to, ++numbers[{from, to}], bytes);
    starts.push_back({&all.back(), false});
    starts.push_back({&all.back(), true});
  }
  for (std::size_t k = starts.size(); k > 1; --k) std::swap(starts[k - 1], starts[random.below(k)]);
  for (const auto& [t, receives] : starts) {
    if (receives) {
      links[t->to]->provide(t->place);
    } else {
      links[t->from]->send(t->source);
    }
    for (std::uint64_t polls = random.below(4); polls > 0; --polls) links[any()]->poll(at);
  }
  // A transfer is delayed by less than 16 polls.
  for (int polls = 0; polls < 20; ++polls) {
    for (auto& link : links) link->poll(at);
  }
  for (const test_transfer& t : all) t.expect_arrived();
  for (auto& link : links) EXPECT_FALSE(link->poll(at));
}

TEST(loopback, brings_every_transfer_to_its_place) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    transfer_at_random(static_cast<int>(1 + seed % 4), 0, seed);
  }
}

TEST(loopback, brings_every_transfer_to_its_place_under_chaos) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed and chaos seed " << seed);
    transfer_at_random(static_cast<int>(1 + seed % 4), seed, seed);
  }
}

TEST(loopback, reports_a_transfer_when_it_has_both_ends) {
  auto links = make_loopback(2);
  transfer_listener at;
  test_transfer sent_first(0, 1, 1, 100), awaited_first(0, 1, 2, 100);
  links[0]->send(sent_first.source);
  links[1]->provide(awaited_first.place);
  EXPECT_FALSE(links[0]->poll(at));
  EXPECT_FALSE(links[1]->poll(at));
  links[1]->provide(sent_first.place);
  links[0]->send(awaited_first.source);
  EXPECT_TRUE(links[1]->poll(at));
  EXPECT_TRUE(links[0]->poll(at));
  sent_first.expect_arrived();
  awaited_first.expect_arrived();
}

// Where a ring is missed, a locale sleeps for an hour.
TEST(loopback, rings_where_something_arrives) {
  auto links = make_loopback(2);
  std::deque<test_transfer> transfers;
  transfers.emplace_back(0, 1, 1, 1000);
  transfers.emplace_back(1, 0, 1, 1000);
  std::vector<std::thread> threads;
  for (std::size_t l = 0; l < 2; ++l) {
    threads.emplace_back([&, l] {
      const node::alarms alarms = links[l]->make_alarms(1);
      const auto wait_for = [&](const auto& arrived) {
        while (!arrived()) alarms.sleep(0, std::chrono::hours(1), arrived);
      };
      post mine(*links[l]);
      mine.provides_again = true;
      mine.provide();
      for (std::uint64_t k = 0; k < 1000; ++k) {
        mine.send(static_cast<int>(1 - l), k, 10);
        wait_for([&] { return mine.poll(), mine.arrived() > k; });
      }
      transfer_listener at;
      links[l]->send(transfers[l].source);
      links[l]->provide(transfers[1 - l].place);
      wait_for([&] {
        links[l]->poll(at);
        return transfers[l].source.reports > 0 && transfers[1 - l].place.reports > 0;
      });
    });
  }
  for (std::thread& t : threads) t.join();
  for (const test_transfer& t : transfers) t.expect_arrived();
}

// Half of the transfers have one end only: the others arrive all the same, and close() ends.
TEST(loopback, closes_when_some_transfers_will_never_have_both_ends) {
  for (std::uint64_t chaos_seed = 0; chaos_seed < 5; ++chaos_seed) {
    SCOPED_TRACE(testing::Message() << "chaos seed " << chaos_seed);
    constexpr std::uint64_t locales = 3;
    auto links = make_loopback(locales, {chaos_seed});
    std::deque<test_transfer> all;
    for (std::uint32_t k = 0; k < 40; ++k) all.emplace_back(k % locales, k / 7 % locales, k + 1, 50 * k);
    std::vector<std::thread> threads;
    for (std::uint64_t l = 0; l < locales; ++l) {
      threads.emplace_back([&, l] {
        transfer_listener at;
        for (test_transfer& t : all) {
          if (t.from == l && t.source.transfer_number % 4 != 1) links[l]->send(t.source);
          if (t.to == l && t.source.transfer_number % 4 != 3) links[l]->provide(t.place);
        }
        links[l]->close(at, [] {});
      });
    }
    for (std::thread& t : threads) t.join();
    for (const test_transfer& t : all) {
      if (t.source.transfer_number % 2 == 0) {
        t.expect_arrived();
      } else {
        EXPECT_EQ(t.place.reports, 0);
      }
    }
  }
}

}  // namespace
}  // namespace orujo::internal::transport
