// Flow control between cores, in every order of their turns: whole cores with their tasks, messages, post
// offices and beds, whose turns of the scheduler's loop are in one piece. They sleep without an end, so
// credit that is lost, or a word that is not given, leaves them asleep for ever.
#include "system/messages/credits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

#include "system/base/identity.hpp"
#include "system/messages/messenger.hpp"
#include "system/observe/metrics.hpp"
#include "system/tasks/scheduler.hpp"
#include "tests/model/interleavings.hpp"

namespace orujo::messages {
namespace {

constexpr std::uint32_t bound = 2;
constexpr int messages_per_block = 4;

// What is on its way between the locales of a run, and where their cores sleep.
struct ways {
  explicit ways(std::size_t locales) : locales(locales), coming(locales * locales), bells(locales) {}
  std::deque<std::vector<std::byte>>& way(int from, int to) {
    return coming[static_cast<std::size_t>(from) * locales + static_cast<std::size_t>(to)];
  }
  std::size_t locales;
  std::vector<std::deque<std::vector<std::byte>>> coming;
  std::vector<machine::alarms> bells;
};

class way_end final : public transport::transport {
 public:
  using parcel = orujo::transport::parcel;
  way_end(ways& all, int locale) : all_(all), locale_(locale) {}

  int locale() const override { return locale_; }
  int locales() const override { return static_cast<int>(all_.locales); }
  void send(parcel& full) override {
    all_.way(locale_, full.peer).emplace_back(full.data, full.data + full.bytes);
    sent_.push_back(&full);
    all_.bells[static_cast<std::size_t>(full.peer)].ring_one();
  }
  void provide(parcel& empty) override { empty_.push_back(&empty); }
  bool poll(orujo::transport::listener& to) override {
    const auto sent = std::exchange(sent_, {});
    for (parcel* done : sent) to.sent(*done);
    bool any = !sent.empty();
    for (int from = 0; from < locales(); ++from) {
      auto& way = all_.way(from, locale_);
      for (; !way.empty() && !empty_.empty(); any = true) {
        parcel& full = *empty_.back();
        empty_.pop_back();
        std::memcpy(full.data, way.front().data(), way.front().size());
        full.bytes = static_cast<std::uint32_t>(way.front().size());
        full.peer = from;
        way.pop_front();
        to.received(full);
      }
    }
    return any;
  }

  machine::alarms make_alarms(int) override { return all_.bells[static_cast<std::size_t>(locale_)]; }
  std::vector<machine::pulse*> pulses() override { return {}; }
  void exchange_pulses(const machine::pulse&) override {}
  std::chrono::nanoseconds longest_sleep(std::chrono::nanoseconds) const override { return model::for_ever; }
  std::vector<std::uint64_t> all_gather(std::uint64_t mine) override { return {mine}; }
  void close(orujo::transport::listener&, const std::function<void()>&) override {}

 private:
  ways& all_;
  const int locale_;
  std::vector<parcel*> sent_, empty_;
};

// One core, whose turns others may come between.
class turns final : public tasks::poller {
 public:
  turns(messenger& mine, tasks::scheduler& loop, const bool& done) : mine_(mine), loop_(loop), done_(done) {}
  bool poll() override {
    model::others_may_go();
    if (done_) loop_.stop();
    return mine_.poll();
  }
  // At once to bed: what the scheduler does before that takes time and nothing else.
  bool idle() override {
    if (!mine_.idle() && !done_) mine_.sleep(model::for_ever, {});
    return true;
  }

 private:
  messenger& mine_;
  tasks::scheduler& loop_;
  const bool& done_;
};

struct small_locale {
  small_locale(ways& all, int number, const job_shape& shape)
      : beds(machine::alarms::bytes_for(shape.cores_of(number)) / sizeof(bed)),
        link(all, number),
        post(link, shape,
             {.parcel_bytes = block_bytes, .parcels_in_flight = 1, .flush_age_ns = ~std::uint64_t{0}}) {
    all.bells[static_cast<std::size_t>(number)] = {reinterpret_cast<std::byte*>(beds.data()),
                                                   shape.cores_of(number)};
  }
  struct alignas(machine::alarms::bytes_per_core) bed {
    std::byte bytes[machine::alarms::bytes_per_core]{};
  };
  std::vector<bed> beds;
  way_end link;
  parcels post;
};

struct small_core {
  small_core(core_id me, small_locale& home, const job_shape& shape, machine::alarms bells, const bool& done)
      : mine(me, shape, home.post, loop, bells,
             {.flush_age_ns = ~std::uint64_t{0}, .blocks_in_flight = bound}),
        polls(mine, loop, done) {}
  tasks::scheduler loop{{.stack_bytes = 64 << 10}};
  messenger mine;
  turns polls;
  std::array<std::byte, 4096> values{};
};

struct small_job {
  explicit small_job(const std::vector<int>& cores_of) : shape(cores_of), all_ways(cores_of.size()) {
    for (int l = 0; l < shape.locales(); ++l) {
      locales.push_back(std::make_unique<small_locale>(all_ways, l, shape));
      std::vector<messenger*> mates;
      for (core_id c = shape.first_core_of(l); c < shape.first_core_of(l) + shape.cores_of(l); ++c) {
        cores.push_back(std::make_unique<small_core>(c, *locales.back(), shape,
                                                     all_ways.bells[static_cast<std::size_t>(l)], done));
        mates.push_back(&cores.back()->mine);
      }
      for (messenger* m : mates) m->connect(mates);
      locales.back()->post.connect(mates);
    }
  }
  // A thread for each core, with these tasks first.
  void run_in(model::run& r, const std::vector<std::function<void()>>& tasks) {
    for (std::size_t k = 0; k < cores.size(); ++k) {
      small_core& core = *cores[k];
      if (tasks[k]) core.loop.spawn({tasks[k], "a task"});
      r.thread([&core] { core.loop.run(core.polls); },
               [this, &core] {
                 set_identity(core.mine.core(), shape);
                 core.mine.bind_to_this_thread();
                 core.loop.bind_to_this_thread();
                 observe::detail::values_here = core.values.data();
               });
    }
  }
  messenger& of(core_id core) { return cores[static_cast<std::size_t>(core)]->mine; }
  void end() {
    done = true;
    for (core_id c = 0; c < shape.cores(); ++c) of(c).ring();
  }

  const job_shape shape;
  bool done = false;
  ways all_ways;
  std::vector<std::unique_ptr<small_locale>> locales;
  std::vector<std::unique_ptr<small_core>> cores;
};

// Four fill a block.
struct large {
  std::byte bytes[3900]{};
};

// The most messages that were under way over all runs, and how often a task waited.
struct extent {
  int most = 0;
  std::uint64_t waits = 0;
};

constexpr model::limits turns_of(int preemptions, std::uint64_t random_runs = 0) {
  return {.preemptions = preemptions,
          .stale_values = 0,
          .random_runs = random_runs,
          .most_steps = 100'000,
          .in_turns = true};
}

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
    // Those that the bound allows, so many beyond it until core 1 asks core 0 to hold, and what that one has
    // sent by then.
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
}  // namespace orujo::messages
