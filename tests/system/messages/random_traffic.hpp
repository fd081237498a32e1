// Random traffic of numbered messages, each of them checked where it arrives.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <ostream>
#include <span>
#include <vector>

#include "system/base/identity.hpp"
#include "system/base/random.hpp"
#include "system/containers/symmetric.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::messages {

struct traffic_options {
  std::uint64_t operations = 0;  // messages of the whole job, at least
  bool aggregated = true;        // false: every message is flushed at once
  std::uint64_t seed = 1;
};

struct traffic_report {
  std::uint64_t sent = 0;
  std::uint64_t missing = 0;     // when the event said that all is done
  std::uint64_t twice = 0;       // arrived, though they had before
  std::uint64_t disordered = 0;  // before or after their turn
  std::uint64_t damaged = 0;     // wrong bytes, or at the wrong core
  bool clean() const { return missing + twice + disordered + damaged == 0; }
  traffic_report& operator+=(const traffic_report& r) {
    sent += r.sent, missing += r.missing, twice += r.twice;
    disordered += r.disordered, damaged += r.damaged;
    return *this;
  }
  friend std::ostream& operator<<(std::ostream& out, const traffic_report& r) {
    return out << "of " << r.sent << " messages " << r.missing << " missing, " << r.twice << " twice, "
               << r.disordered << " out of order, " << r.damaged << " damaged";
  }
};

// Messages of one stream to one core are numbered from 0 and must arrive in that order. A core has a stream
// for each of its sending tasks, and one for all of its handlers. They cannot share one, because a task may
// suspend between numbering and sending, and messages of others overtake it then.
struct message_tag {
  std::uint32_t sequence;
  std::uint16_t source, destination;
  std::uint8_t stream;
};
inline constexpr std::uint8_t sending_tasks = 2, streams = sending_tasks + 1;

// One core's sent and received messages. The messages refer to it by a handle.
class traffic_at_core {
 public:
  using handle = containers::symmetric<traffic_at_core>;

  explicit traffic_at_core(int cores)
      : sent_(static_cast<std::size_t>(cores) * streams), seen_(static_cast<std::size_t>(cores) * streams) {}

  message_tag number(std::uint8_t stream, core_id to) {
    ++counts_.sent;
    return {sent_[place(to, stream)]++, static_cast<std::uint16_t>(my_core()), static_cast<std::uint16_t>(to),
            stream};
  }

  void arrive(const message_tag& tag) {
    if (tag.destination != my_core() || tag.stream >= streams || tag.source >= cores()) {
      ++counts_.damaged;
      return;
    }
    arrivals& from = seen_[place(tag.source, tag.stream)];
    if (tag.sequence >= from.once.size()) from.once.resize(2 * std::size_t{tag.sequence} + 64);
    counts_.twice += from.once[tag.sequence];
    if (!from.once[tag.sequence]) ++arrived_;
    from.once[tag.sequence] = true;
    counts_.disordered += tag.sequence != from.next;
    from.next = tag.sequence + 1;
  }
  void arrive(const message_tag& tag, std::span<const std::byte> filling) {
    for (std::byte b : filling) counts_.damaged += b != filling_of(tag);
    arrive(tag);
  }
  static std::byte filling_of(const message_tag& tag) {
    return static_cast<std::byte>(tag.sequence * 7 + tag.source);
  }

  // `missing` is right once the reports of all cores are added up.
  traffic_report report() const {
    traffic_report r = counts_;
    r.missing = r.sent - arrived_;
    return r;
  }

 private:
  static std::size_t place(int core, std::uint8_t stream) {
    return static_cast<std::size_t>(core) * streams + stream;
  }
  struct arrivals {
    std::uint32_t next = 0;
    std::vector<bool> once;
  };
  std::vector<std::uint32_t> sent_;  // by destination and stream
  std::vector<arrivals> seen_;       // by source and stream
  std::uint64_t arrived_ = 0;
  traffic_report counts_;
};

namespace detail {

struct sender {
  traffic_at_core::handle all;
  delegates::event_ref event;
  bool aggregated;

  static core_id any_core(random_stream& random) {
    return static_cast<core_id>(random.below(static_cast<std::uint64_t>(cores())));
  }

  // [task or handler] One numbered message of a random size to a random core. Up to `relays` generations of
  // further ones are sent by those that arrive, from their handlers.
  void send(std::uint8_t stream, random_stream& random, int relays) const {
    const core_id to = any_core(random);
    const message_tag tag = all.here().number(stream, to);
    const std::uint64_t kind = random.below(16);
    if (kind < 8) {
      delegates::async_call(event, to, [all = all, tag] { all.here().arrive(tag); });
    } else if (kind < 11) {
      std::array<std::byte, 96> wide;
      wide.fill(traffic_at_core::filling_of(tag));
      delegates::async_call(event, to, [all = all, tag, wide] { all.here().arrive(tag, wide); });
    } else if (kind < 14) {
      delegates::async_call(event, to, [self = *this, tag, relays, seed = random()] {
        self.all.here().arrive(tag);
        random_stream further(seed);
        const std::uint64_t children = relays > 0 ? further.below(4) : 0;
        for (std::uint64_t k = 0; k < children; ++k) self.send(sending_tasks, further, relays - 1);
      });
    } else {
      send_payload(tag, to, kind == 14 ? random.below(200) : random.below(most_payload + 1));
    }
    if (!aggregated) messenger::here().flush(to);
  }

  static constexpr std::size_t most_payload =
      messenger::max_payload_bytes(sizeof(message_tag) + sizeof(traffic_at_core::handle));

  void send_payload(const message_tag& tag, core_id to, std::uint64_t bytes) const {
    std::array<std::byte, most_payload> payload;
    std::fill_n(payload.begin(), bytes, traffic_at_core::filling_of(tag));
    delegates::async_call(
        event, to, [all = all, tag](std::span<const std::byte> filling) { all.here().arrive(tag, filling); },
        std::span(payload).first(bytes));
  }
};

}  // namespace detail

// [task; suspends] Every core's tasks send to all cores, and so do the handlers of some of the messages.
// Waits for the event that all of it belongs to, then counts.
inline traffic_report run_traffic(const traffic_options& options) {
  const auto all = traffic_at_core::handle::create(cores());
  delegates::completion_event done;
  const std::uint64_t each = options.operations / static_cast<std::uint64_t>(cores() * sending_tasks) + 1;
  for (core_id c = 0; c < cores(); ++c) {
    for (std::uint8_t stream = 0; stream < sending_tasks; ++stream) {
      const detail::sender out{all, done.ref(), options.aggregated};
      const std::uint64_t seed = mix64(options.seed) + static_cast<std::uint64_t>(c) * sending_tasks + stream;
      delegates::async_spawn(done, c, [=] {
        random_stream random(seed);
        for (std::uint64_t k = 0; k < each; ++k) out.send(stream, random, 3);
      });
    }
  }
  done.wait();
  const traffic_report sum = delegates::sum_of_all([=] { return all.here().report(); });
  all.destroy();
  return sum;
}

}  // namespace orujo::internal::messages
