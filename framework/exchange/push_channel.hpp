// Brings what vertices are told at one locale to the cores that own them: the way from mirrors to owners.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "framework/exchange/bit_message.hpp"
#include "framework/exchange/peers.hpp"
#include "framework/exchange/push_message.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/base/identity.hpp"
#include "system/loops/collectives.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::exchange {

// One core's part; made and used by one task per core. At the destination the pushes are handed, in a message
// handler, to
//   sink.receive(note, std::span<const pushed<Value>>)
// where the note is the sender's, or without one to sink.receive(std::span<const pushed<Value>>). A sink
// whose constructor makes the channel makes it last: peers may push as soon as they have theirs.
//
// A push costs 4 bytes and its value's at most, between nodes mostly less (push_message.hpp). There are no
// acknowledgements. Either all call finish(), or all flush(), and everything has arrived when the sums of
// sent() and of received() over all cores agree. Until then nobody may go away.
template <class Sink, class Value, class Note = no_value>
class push_channel {
 public:
  // [task; suspends; collective over the job]
  explicit push_channel(Sink& sink, const codec_options& options = codec_options_from_flags())
      : options_(options),
        ends_(loops::all_gather(end{this, &sink})),
        sent_to_(ends_.size()),
        waiting_(ends_.size()) {}
  push_channel(const push_channel&) = delete;

  // [task] Of all pushes until the next note; the ones before have been flushed.
  void set_note(const Note& note) { note_ = note; }

  // [task; may suspend] To another locale's vertex.
  void push(const graph::owned_place& to, const Value& value) { push(to.owner, {to.local, value}); }
  // [task; may suspend] Of a locale's cores another one than the owner will do, if the sink knows.
  void push(core_id to, const pushed<Value>& one) {
    std::vector<pushed<Value>>& pushes = waiting_[static_cast<std::size_t>(to)];
    pushes.push_back(one);
    if (pushes.size() == batch) send(to);
  }

  // [task; may suspend] Sends the rest.
  void flush() {
    for (core_id c = 0; c < static_cast<core_id>(waiting_.size()); ++c) {
      if (!waiting_[static_cast<std::size_t>(c)].empty()) send(c);
      messages::messenger::here().flush(c);
    }
  }

  // [task; suspends; collective over the job] Sends the rest, and waits until all has arrived at the calling
  // core's locale. Before anybody pushes again, all meet in some other collective of the job.
  //
  // One reduction tells every core how many come to it. To reduce a sum until there is nothing on its way
  // takes two, as what was sent last arrives while the first one is under way.
  void finish() {
    flush();
    expected_ += loops::collective::here().sum_for_me(sent_to_);
    std::fill(sent_to_.begin(), sent_to_.end(), 0);
    while (received_ < expected_) tasks::scheduler::here()->suspend(arrivals_, "pushes of other locales");
    loops::barrier(loops::group::locale);
  }

  void forget_bytes() { bytes_ = {}; }
  // What this core has sent since, against ids of 64 bits.
  const byte_counts& bytes() const { return bytes_; }

  // Pushes.
  std::uint64_t sent() const { return sent_; }
  std::uint64_t received() const { return received_; }

 private:
  struct end {
    push_channel* channel;
    Sink* sink;
  };
  struct unpack {
    end to;
    push_head head;
    [[no_unique_address]] Note note;

    void operator()(std::span<const std::byte> payload) const {
      const std::span<const pushed<Value>> pushes = decode_pushes(head, payload, to.channel->received_room_);
      if constexpr (std::is_empty_v<Note>) {
        to.sink->receive(pushes);
      } else {
        to.sink->receive(note, pushes);
      }
      to.channel->received_ += pushes.size();
      tasks::scheduler::here()->wake_all(to.channel->arrivals_);
    }
  };
  static constexpr std::size_t batch =
      messages::messenger::max_payload_bytes(sizeof(unpack)) / sizeof(pushed<Value>);
  static_assert(std::is_trivially_copyable_v<pushed<Value>> && batch > 0,
                "what is told is plain and smaller than a block");

  void send(core_id to) {
    std::vector<pushed<Value>>& pushes = waiting_[static_cast<std::size_t>(to)];
    sent_ += pushes.size();
    sent_to_[static_cast<std::size_t>(to)] += pushes.size();
    const push_head head = encode_pushes(options_, mates_.contain(to), std::span(pushes), sent_room_);
    const auto payload = head.targets_bytes == push_head::plain ? std::as_bytes(std::span(pushes))
                                                                : std::span(sent_room_.payload);
    bytes_ += {pushes.size() * raw_push_bytes<Value>, payload.size()};
    messages::messenger::here().send_with_payload(
        to, unpack{ends_[static_cast<std::size_t>(to)], head, note_}, payload);
    pushes.clear();
  }

  const codec_options options_;
  const node_mates mates_;
  [[no_unique_address]] Note note_{};
  push_buffers<Value> sent_room_, received_room_;
  byte_counts bytes_;
  tasks::wait_queue arrivals_;  // before ends_: a peer that has them may push at once
  std::uint64_t sent_ = 0, received_ = 0, expected_ = 0;
  const std::vector<end> ends_;                      // by core
  std::vector<std::uint64_t> sent_to_;               // by core, since the last finish()
  std::vector<std::vector<pushed<Value>>> waiting_;  // by core
};

}  // namespace orujo::exchange
