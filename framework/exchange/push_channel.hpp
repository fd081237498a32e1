// Brings what vertices or mirrors are told to the cores of their locale, one by one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "framework/exchange/bit_message.hpp"
#include "framework/exchange/counted_reduction.hpp"
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
//
// With finish() a round takes one reduction, that is one latency, so a peer may push for the next round while
// this core still waits for others' pushes of this one. What comes so early is kept, and handed to the sink
// when this core calls open(): at most what is pushed in a round.
template <class Sink, class Value, class Note = no_value>
class push_channel {
 public:
  // [task; suspends; collective over the job] The sink may have pushes at once.
  explicit push_channel(Sink& sink, const codec_options& options = codec_options_from_flags())
      : options_(options),
        sink_(sink),
        ends_(loops::all_gather(this)),
        sent_to_(ends_.size()),
        waiting_(ends_.size()) {}
  push_channel(const push_channel&) = delete;

  // [task] For messages from now on.
  void set_codec(const codec_options& options) { options_ = options; }
  // [task] Of all pushes until the next note; the ones before have been flushed.
  void set_note(const Note& note) { note_ = note; }

  // [task; may suspend] To a core of the locale that has the vertex or the mirror, by its local index there.
  void push(core_id to, const pushed<Value>& one) {
    std::vector<pushed<Value>>& pushes = waiting_[static_cast<std::size_t>(to)];
    pushes.push_back(one);
    ++sent_;
    if (pushes.size() == batch) send(to);
  }

  // [task; may suspend] Sends the rest.
  void flush() {
    for (core_id c = 0; c < static_cast<core_id>(waiting_.size()); ++c) {
      if (!waiting_[static_cast<std::size_t>(c)].empty()) send(c);
      messages::messenger::here().flush(c);
    }
  }
  // [task; may suspend] The same, but for leaving it to the next flush to see that it goes at once.
  void hand_over_rest() {
    for (core_id c = 0; c < static_cast<core_id>(waiting_.size()); ++c) {
      if (!waiting_[static_cast<std::size_t>(c)].empty()) send(c);
    }
  }

  // [task; suspends; collective over the job] Sends the rest, and waits for what comes to the calling core;
  // by the same reduction `mine` of all cores combined, which is returned. Anybody may push again at once:
  // what comes of that is kept until open().
  //
  // One reduction tells every core how many come to it. To reduce a sum until there is nothing on its way
  // takes two, as what was sent last arrives while the first one is under way.
  template <class T, class Combine>
  T finish(const T& mine, Combine combine) {
    open();
    flush();
    T all = mine;
    await(reduce_with_counts(all, combine, sent_to_));
    round_ = 1 - round_;
    open_ = false;
    return all;
  }
  // [task] After finish(): the sink may have pushes of the next round from now on, some at once.
  void open() {
    if (std::exchange(open_, true)) return;
    for (const early& e : early_) hand_over(e.head, e.note, e.payload);
    early_.clear();
  }

  void forget_bytes() { bytes_ = {}; }
  // What this core has sent since, against ids of 64 bits.
  const byte_counts& bytes() const { return bytes_; }

  // Pushes.
  std::uint64_t sent() const { return sent_; }
  std::uint64_t received() const { return received_; }

 private:
  struct unpack {
    push_channel* there;
    push_head head;
    std::uint32_t round;
    [[no_unique_address]] Note note;

    void operator()(std::span<const std::byte> payload) const {
      if (there->open_ && round == there->round_) return there->hand_over(head, note, payload);
      there->early_.push_back({head, note, {payload.begin(), payload.end()}});
    }
  };
  // A message of the next round.
  struct early {
    push_head head;
    [[no_unique_address]] Note note;
    std::vector<std::byte> payload;
  };
  static constexpr std::size_t batch =
      messages::messenger::max_payload_bytes(sizeof(unpack)) / sizeof(pushed<Value>);
  static_assert(std::is_trivially_copyable_v<pushed<Value>> && batch > 0,
                "what is told is plain and smaller than a block");

  void send(core_id to) {
    std::vector<pushed<Value>>& pushes = waiting_[static_cast<std::size_t>(to)];
    sent_to_[static_cast<std::size_t>(to)] += pushes.size();
    const push_head head =
        encode_pushes(options_, mates_.contain(to), std::span<const pushed<Value>>(pushes), sent_room_);
    const auto payload = head.targets_bytes == push_head::plain ? std::as_bytes(std::span(pushes))
                                                                : std::span(sent_room_.payload);
    bytes_ += {pushes.size() * raw_push_bytes<Value>, payload.size()};
    messages::messenger::here().send_with_payload(
        to, unpack{ends_[static_cast<std::size_t>(to)], head, round_, note_}, payload);
    pushes.clear();
  }

  void hand_over(const push_head& head, [[maybe_unused]] const Note& note,
                 std::span<const std::byte> payload) {
    const std::span<const pushed<Value>> pushes = decode_pushes(head, payload, received_room_);
    if constexpr (std::is_empty_v<Note>) {
      sink_.receive(pushes);
    } else {
      sink_.receive(note, pushes);
    }
    received_ += pushes.size();
    tasks::scheduler::here()->wake_all(arrivals_);
  }

  // `more` are on their way to this core, or have come, since the last round.
  void await(std::uint64_t more) {
    expected_ += more;
    std::fill(sent_to_.begin(), sent_to_.end(), 0);
    while (received_ < expected_) tasks::scheduler::here()->suspend(arrivals_, "pushes of other locales");
  }

  codec_options options_;
  Sink& sink_;
  const node_mates mates_;
  [[no_unique_address]] Note note_{};
  push_buffers<Value> sent_room_, received_room_;
  byte_counts bytes_;
  // Before ends_: a peer that has them may push at once.
  tasks::wait_queue arrivals_;
  std::uint64_t sent_ = 0, received_ = 0, expected_ = 0;
  std::uint32_t round_ = 0;  // of finish(), modulo 2
  bool open_ = true;         // whether pushes of this round are handed over
  std::vector<early> early_;
  const std::vector<push_channel*> ends_;            // by core
  std::vector<std::uint64_t> sent_to_;               // by core, since the last finish()
  std::vector<std::vector<pushed<Value>>> waiting_;  // by core
};

}  // namespace orujo::exchange
