// A locale's post office, in every order. Two cores send blocks to another locale, which returns every one,
// and work at the post office in turn. Sleeps have no limit, so a missed or delayed event leaves one of them
// asleep.
#include "system/messages/post_office.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "system/base/shape.hpp"
#include "system/messages/messenger.hpp"
#include "system/tasks/scheduler.hpp"
#include "tests/model/interleavings.hpp"

namespace orujo::internal::messages {
namespace {

constexpr core_id far_core = 2;  // of locale 1
constexpr int parcels_in_flight = 1, buffers_wanted = 8;

// The transport of locale 0. It returns a parcel with source and destination exchanged, which acknowledges
// itself.
class mirror final : public transport::transport {
 public:
  explicit mirror(node::alarms bells) : bells_(bells) {}

  int locale() const override { return 0; }
  int locales() const override { return 2; }

  void send(orujo::internal::transport::parcel& full) override {
    sent_.push_back(&full);
    model::expect(static_cast<int>(sent_.size()) <= parcels_in_flight, "more parcels under way than may be");
    std::vector<std::byte> back;
    for (std::uint32_t at = 0; at < full.bytes;) {
      auto* const b = reinterpret_cast<block*>(full.data + at);
      at += static_cast<std::uint32_t>(b->wire_bytes());
      if (b->bytes == 0) continue;  // only acknowledges
      const core_id from = std::exchange(b->source, b->destination);
      b->destination = from;
      b->acknowledged = ++seen_[static_cast<std::size_t>(from)];
      back.insert(back.end(), reinterpret_cast<std::byte*>(b), full.data + at);
    }
    if (back.empty()) return;
    coming_.push_back(std::move(back));
    bells_.ring_one();
  }
  void provide(orujo::internal::transport::parcel& empty) override {
    empty_.push_back(&empty);
    model::expect(empty_.size() <= buffers_wanted, "more buffers than are wanted");
  }
  bool poll(orujo::internal::transport::listener& to) override {
    const auto sent = std::exchange(sent_, {});
    for (auto* done : sent) to.sent(*done);
    bool any = !sent.empty();
    for (; !coming_.empty() && !empty_.empty(); any = true) {
      const std::vector<std::byte> next = std::move(coming_.front());
      coming_.erase(coming_.begin());
      auto* full = empty_.back();
      empty_.pop_back();
      std::memcpy(full->data, next.data(), next.size());
      full->bytes = static_cast<std::uint32_t>(next.size());
      full->peer = 1;
      to.received(*full);
    }
    return any;
  }
  bool is_at_rest() const { return sent_.empty() && coming_.empty() && empty_.size() == buffers_wanted; }

  node::alarms make_alarms(int) override { return bells_; }
  std::vector<node::pulse*> pulses() override { return {}; }
  void exchange_pulses(const node::pulse&) override {}
  std::chrono::nanoseconds longest_sleep(std::chrono::nanoseconds) const override { return model::for_ever; }
  std::vector<std::uint64_t> all_gather(std::uint64_t mine) override { return {mine, mine}; }
  void close(orujo::internal::transport::listener&, const std::function<void()>&) override {}

 private:
  const node::alarms bells_;
  std::vector<orujo::internal::transport::parcel*> sent_, empty_;
  std::vector<std::vector<std::byte>> coming_;
  std::array<std::uint32_t, 2> seen_{};
};

struct office {
  office() {
    for (std::size_t k = 0; k < 2; ++k) {
      cores[k] = std::make_unique<messenger>(static_cast<core_id>(k), shape, post, schedulers[k], bells,
                                             messenger_options{.blocks_in_flight = 2});
    }
    const std::array all{cores[0].get(), cores[1].get()};
    for (auto& c : cores) c->connect(all);
    post.connect({&cores[0]->arrivals(), &cores[1]->arrivals()});
  }
  // The thread-local state of a core.
  void enter(std::size_t core) {
    base::thread_identity me;
    me.owned = &made[core];
    base::detail::this_thread.identity = me;
  }

  // Core k sends `blocks` blocks, and works until they are back and the other core's, too.
  void work(std::size_t k, int blocks) {
    messenger& mine = *cores[k];
    const int wanted = back[k] + blocks;
    for (int n = 0; n < blocks; ++n) {
      mine.send(far_core, [this, k, n] { arrive(k, n); });
      mine.flush(far_core);
    }
    run(k, [this, k, wanted] { return back[k] >= wanted; });
    const std::size_t other = 1 - k;
    cores[other]->do_errand([this, other] { other_is_done[other] = true; });
    run(k, [this, k] { return other_is_done[k]; });
  }
  template <class Done>
  void run(std::size_t k, Done done) {
    while (!done()) {
      if (!cores[k]->poll() && !cores[k]->idle()) cores[k]->sleep(model::for_ever, {});
    }
  }
  // [core k] Its n-th block is back.
  void arrive(std::size_t k, int n) {
    model::expect(n == next[k]++, "a block out of order, or twice");
    ++back[k];
  }

  const job_shape shape{std::vector<int>{2, 1}};
  alignas(node::alarms::bytes_per_core) std::array<std::byte, node::alarms::bytes_for(2)> beds{};
  const node::alarms bells{beds.data(), 2};
  mirror link{bells};
  post_office post{link,
                   shape,
                   {.parcel_bytes = block_bytes,
                    .parcels_in_flight = parcels_in_flight,
                    .flush_age_ns = ~std::uint64_t{0}}};
  std::array<tasks::scheduler, 2> schedulers{tasks::scheduler({}), tasks::scheduler({})};
  std::array<std::unique_ptr<messenger>, 2> cores;
  std::array<base::owned_parts, 2> made;
  // By core, its own.
  std::array<int, 2> back{}, next{};
  std::array<bool, 2> other_is_done{};
};

model::outcome explore_office(const model::limits& bounds, int blocks,
                              const std::function<model::weakening(const office&)>& weaken = {}) {
  static office* here = nullptr;
  return model::explore(
      bounds,
      [=](model::run& r) {
        office& all = r.make<office>();
        here = &all;
        for (std::size_t k : {0, 1})
          r.thread([&all, k, blocks] { all.work(k, blocks); }, [&all, k] { all.enter(k); });
        r.finally([&all, blocks] {
          for (auto& c : all.cores) {
            while (c->poll() || c->idle()) {
            }
          }
          model::expect(all.back == std::array{blocks, blocks}, "a block that did not come back once");
          model::expect(all.link.is_at_rest(), "a parcel is lost, or the transport lacks a buffer");
          model::expect(!all.post.is_blocked(1), "a parcel counts as under way for ever");
        });
      },
      [&](const model::access& a) { return weaken ? weaken(*here)(a) : a.order; });
}

TEST(parcels_model, bring_every_block_once_and_leave_no_core_asleep) {
  const model::outcome found = explore_office({.preemptions = 1, .stale_values = 0}, 1);
  EXPECT_EQ(found.failure, "");
  EXPECT_TRUE(found.exhausted) << found.runs;
  EXPECT_GT(found.runs, 100u);
  EXPECT_EQ(explore_office({.random_runs = 300}, 2).failure, "");
}

TEST(parcels_model, need_the_orders_of_their_lock) {
  const auto acquire = [](const office& all) {
    return model::without_acquire(&all.post, sizeof(post_office));
  };
  const auto release = [](const office& all) {
    return model::without_release(&all.post, sizeof(post_office));
  };
  EXPECT_NE(explore_office({.random_runs = 300}, 1, acquire).failure.find("a data race"), std::string::npos);
  EXPECT_NE(explore_office({.random_runs = 300}, 1, release).failure.find("a data race"), std::string::npos);
}

}  // namespace
}  // namespace orujo::internal::messages
