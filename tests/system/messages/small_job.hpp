// Whole cores with their tasks, messages, post offices and sleeps, for model tests. The ways between locales
// are queues. Sleeps have no limit, so a lost message, or a missing report, leaves them asleep.
#pragma once

#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "system/base/identity.hpp"
#include "system/messages/messenger.hpp"
#include "system/tasks/scheduler.hpp"
#include "tests/model/interleavings.hpp"

namespace orujo::internal::messages {

inline constexpr std::uint32_t bound = 2;
inline constexpr int messages_per_block = 4;  // large ones

// Parcels under way between the locales of a run, and the wake-up flags of their cores.
struct ways {
  explicit ways(std::size_t locales) : locales(locales), coming(locales * locales), bells(locales) {}
  std::deque<std::vector<std::byte>>& way(int from, int to) {
    return coming[static_cast<std::size_t>(from) * locales + static_cast<std::size_t>(to)];
  }
  std::size_t locales;
  std::vector<std::deque<std::vector<std::byte>>> coming;
  std::vector<node::alarms> bells;
};

class way_end final : public transport::transport {
 public:
  using parcel = orujo::internal::transport::parcel;
  way_end(ways& all, int locale) : all_(all), locale_(locale) {}

  int locale() const override { return locale_; }
  int locales() const override { return static_cast<int>(all_.locales); }
  void send(parcel& full) override {
    all_.way(locale_, full.peer).emplace_back(full.data, full.data + full.bytes);
    sent_.push_back(&full);
    all_.bells[static_cast<std::size_t>(full.peer)].ring_one();
  }
  void provide(parcel& empty) override { empty_.push_back(&empty); }
  bool poll(orujo::internal::transport::listener& to) override {
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

  node::alarms make_alarms(int) override { return all_.bells[static_cast<std::size_t>(locale_)]; }
  std::vector<node::pulse*> pulses() override { return {}; }
  void exchange_pulses(const node::pulse&) override {}
  std::chrono::nanoseconds longest_sleep(std::chrono::nanoseconds) const override { return model::for_ever; }
  std::vector<std::uint64_t> all_gather(std::uint64_t mine) override { return {mine}; }
  void close(orujo::internal::transport::listener&, const std::function<void()>&) override {}

 private:
  ways& all_;
  const int locale_;
  std::vector<parcel*> sent_, empty_;
};

// One core, whose turns others may come between.
class turns final : public tasks::poller {
 public:
  explicit turns(messenger& mine) : mine_(mine) {}
  bool poll() override {
    model::others_may_go();
    return mine_.poll();
  }
  // At once to bed: what the scheduler does before that takes time and nothing else.
  bool idle() override {
    if (!mine_.idle()) mine_.sleep(model::for_ever, {});
    return true;
  }

 private:
  messenger& mine_;
};

struct small_locale {
  small_locale(ways& all, int number, const job_shape& shape)
      : beds(node::alarms::bytes_for(shape.cores_of(number)) / sizeof(bed)),
        link(all, number),
        post(link, shape,
             {.parcel_bytes = block_bytes, .parcels_in_flight = 1, .flush_age_ns = ~std::uint64_t{0}}) {
    all.bells[static_cast<std::size_t>(number)] = {reinterpret_cast<std::byte*>(beds.data()),
                                                   shape.cores_of(number)};
  }
  struct alignas(node::alarms::bytes_per_core) bed {
    std::byte bytes[node::alarms::bytes_per_core]{};
  };
  std::vector<bed> beds;
  way_end link;
  post_office post;
};

struct small_core {
  small_core(core_id me, small_locale& home, const job_shape& shape, node::alarms bells)
      : mine(me, shape, home.post, loop, bells,
             {.flush_age_ns = ~std::uint64_t{0}, .blocks_in_flight = bound}),
        polls(mine),
        identity(base::identity_of(me, shape)) {
    identity.owned = &made;
    identity.add(mine);
    identity.add(loop);
  }
  tasks::scheduler loop{{.stack_bytes = 64 << 10}};
  messenger mine;
  turns polls;
  base::owned_parts made;
  base::thread_identity identity;
};

struct small_job {
  explicit small_job(const std::vector<int>& cores_of) : shape(cores_of), all_ways(cores_of.size()) {
    for (int l = 0; l < shape.locales(); ++l) {
      locales.push_back(std::make_unique<small_locale>(all_ways, l, shape));
      std::vector<messenger*> mates;
      std::vector<inbox*> inboxes;
      for (core_id c = shape.first_core_of(l); c < shape.first_core_of(l) + shape.cores_of(l); ++c) {
        cores.push_back(std::make_unique<small_core>(c, *locales.back(), shape,
                                                     all_ways.bells[static_cast<std::size_t>(l)]));
        mates.push_back(&cores.back()->mine);
        inboxes.push_back(&cores.back()->mine.arrivals());
      }
      for (messenger* m : mates) m->connect(mates);
      locales.back()->post.connect(inboxes);
    }
  }
  // A thread for each core, with these tasks first. `enter(core)`: what the core keeps by its thread besides.
  void run_in(model::run& r, const std::vector<std::function<void()>>& tasks,
              const std::function<void(core_id)>& enter = {}) {
    for (std::size_t k = 0; k < cores.size(); ++k) {
      small_core& core = *cores[k];
      if (k < tasks.size() && tasks[k]) core.loop.spawn({tasks[k], "a task"});
      r.thread([&core] { core.loop.run(core.polls); },
               [this, &core, enter] {
                 base::detail::this_thread.identity = core.identity;
                 if (enter) enter(core.mine.core());
               });
    }
  }
  messenger& of(core_id core) { return cores[static_cast<std::size_t>(core)]->mine; }
  // Any thread.
  void end() {
    for (auto& core : cores) core->mine.do_errand([&loop = core->loop] { loop.stop(); });
  }

  const job_shape shape;
  ways all_ways;
  std::vector<std::unique_ptr<small_locale>> locales;
  std::vector<std::unique_ptr<small_core>> cores;
};

// Four fill a block.
struct large {
  std::byte bytes[3900]{};
};

// Cores go on in one piece but for their turns of the loop.
constexpr model::limits turns_of(int preemptions, std::uint64_t random_runs = 0) {
  return {.preemptions = preemptions,
          .stale_values = 0,
          .random_runs = random_runs,
          .most_steps = 100'000,
          .in_turns = true};
}

}  // namespace orujo::internal::messages
