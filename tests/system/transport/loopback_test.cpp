#include "system/transport/loopback.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::transport {
namespace {

constexpr std::uint32_t buffer_bytes = 256;

// What a parcel of the tests carries, followed by `filling` bytes of the same number.
struct content {
  std::uint64_t sequence;
  std::uint64_t filling;
};

struct buffer : parcel {
  std::vector<std::byte> storage = std::vector<std::byte>(buffer_bytes);
  bool with_transport = false;
  buffer() {
    data = storage.data();
    capacity = buffer_bytes;
  }
};

// One locale's end and its buffers. Checks that the parcels of every sender arrive whole and in order.
class post final : public listener {
 public:
  explicit post(transport& link) : link_(link), next_from_(static_cast<std::size_t>(link.locales())) {}

  void send(int to, std::uint64_t sequence, std::uint64_t filling) {
    buffer& b = take();
    const content c{sequence, filling};
    std::memcpy(b.data, &c, sizeof(c));
    std::memset(b.data + sizeof(c), static_cast<int>(sequence & 0xff), filling);
    b.bytes = static_cast<std::uint32_t>(sizeof(c) + filling);
    b.peer = to;
    ++sends_;
    link_.send(b);
  }
  void provide() { link_.provide(take()); }
  bool poll() { return link_.poll(*this); }

  std::uint64_t arrived() const { return arrived_; }
  std::uint64_t sends_not_reported() const { return sends_; }
  // Hands every buffer back to the transport at once when it has been filled.
  bool provides_again = false;

 private:
  buffer& take() {
    if (free_.empty()) free_.push_back(all_.emplace_back(std::make_unique<buffer>()).get());
    buffer& b = *free_.back();
    free_.pop_back();
    EXPECT_FALSE(std::exchange(b.with_transport, true));
    return b;
  }
  void give_back(parcel& p) {
    buffer& b = static_cast<buffer&>(p);
    EXPECT_TRUE(std::exchange(b.with_transport, false));
    std::memset(b.data, 0xee, buffer_bytes);  // nobody may still need it
    free_.push_back(&b);
  }
  void sent(parcel& done) override {
    --sends_;
    give_back(done);
  }
  void received(parcel& full) override {
    content c;
    std::memcpy(&c, full.data, sizeof(c));
    ASSERT_LT(static_cast<std::size_t>(full.peer), next_from_.size());
    EXPECT_EQ(c.sequence, next_from_[static_cast<std::size_t>(full.peer)]++) << "from locale " << full.peer;
    EXPECT_EQ(full.bytes, sizeof(c) + c.filling);
    for (std::uint32_t k = sizeof(c); k < full.bytes; ++k) {
      ASSERT_EQ(full.data[k], static_cast<std::byte>(c.sequence & 0xff));
    }
    ++arrived_;
    give_back(full);
    if (provides_again) provide();
  }

  transport& link_;
  std::vector<std::uint64_t> next_from_;  // by sender
  std::vector<std::unique_ptr<buffer>> all_;
  std::vector<buffer*> free_;
  std::uint64_t arrived_ = 0;
  std::uint64_t sends_ = 0;  // not yet reported
};

struct job {
  explicit job(int locales, std::uint64_t chaos_seed = 0) : links(make_loopback(locales, {chaos_seed})) {
    for (auto& link : links) posts.push_back(std::make_unique<post>(*link));
  }
  std::vector<std::unique_ptr<transport>> links;
  std::vector<std::unique_ptr<post>> posts;
};

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
      const machine::alarms alarms = links[l]->make_alarms(1);
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
}  // namespace orujo::transport
