// Exchanges sets of vertices between locales, as bits of a range that one of the two owns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "framework/exchange/bit_message.hpp"
#include "framework/exchange/peers.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/messages/messenger.hpp"

namespace orujo::internal::exchange {

// One core's part; made and used by one task per core. The words of a set are divided among the cores of the
// locale that sends it. In an exchange every core sends each peer of its locale one set, and then awaits
// those of the peers. Between two exchanges there is a collective over the job.
//
// Costs at most a bit per element of the range and peer, less where a list is shorter or both ends know which
// bits can be set at all (bit_message.hpp).
class range_exchange {
 public:
  // Called in a message handler for the words that have any bits set, ascending from each core; those of two
  // cores are different.
  using taker = std::function<void(locale_id from, std::size_t word, bit_word bits)>;
  // Returns the bits of a word that can be set in what that locale sends. Called before the taker, likewise.
  using bounds = std::function<bit_word(locale_id from, std::size_t word)>;
  static bit_word any_bits(locale_id, std::size_t) { return ~bit_word{0}; }

  // [task; suspends; collective over the job] Each peer has this locale as a peer. Every set has `words`
  // words.
  range_exchange(std::vector<locale_id> peers, std::size_t words, taker take,
                 const codec_options& options = codec_options_from_flags(), bounds possible = any_bits)
      : peers_(std::move(peers)),
        mine_(my_part_of_locale({0, words})),
        take_(std::move(take)),
        possible_(std::move(possible)),
        packer_(options, payload_bytes),
        expected_(elements_received(peers_, words)),
        ends_(collectives::all_gather(this)) {}
  // [task; suspends; collective over the job] The barrier ensures that no message arrives later.
  ~range_exchange() { collectives::barrier(); }
  range_exchange(const range_exchange&) = delete;

  const std::vector<locale_id>& peers() const { return peers_; }
  // The words of a set that this core sends.
  index_range my_words() const { return mine_; }
  void forget_bytes() { bytes_ = {}; }
  // Bytes that this core has sent since forget_bytes().
  const byte_counts& bytes() const { return bytes_; }

  // [task; may suspend] Sends this core's words of the set to a peer. `possible` has the bits that can be
  // set, the same as that peer's bounds return. If it is empty, any bit can be set.
  void send(locale_id to, std::span<const bit_word> bits, std::span<const bit_word> possible = {}) {
    send(std::span(&to, 1), bits, possible);
  }
  // [task; may suspend] The same set for all peers.
  void send_all(std::span<const bit_word> bits, std::span<const bit_word> possible = {}) {
    std::vector<locale_id> near, far;
    for (const locale_id l : peers_)
      (mates_.contain(shape().partner(my_core(), l)) ? near : far).push_back(l);
    if (!near.empty()) send(near, bits, possible);
    if (!far.empty()) send(far, bits, possible);
  }

  // [task; may suspend] Sends a set that is packed already, in place of send(). for_each_message(send) calls
  // send(const packed_bits&) for its messages, whose stretches are words of the range.
  template <class ForEachMessage>
  void send_packed(locale_id to, ForEachMessage for_each_message) {
    for_each_message([&](const packed_bits& packed) { send_message(std::span(&to, 1), packed); });
    messages::messenger::here().flush(shape().partner(my_core(), to));
  }

  // [task; suspends] Returns when this core has handled what it receives. Its locale's other cores have
  // theirs only after a barrier.
  void await() {
    while (arrived_ < expected_)
      tasks::scheduler::here()->suspend(waiting_, "vertices of the locale's peers");
    arrived_ -= expected_;
  }

 private:
  struct unpack {
    range_exchange* there;
    locale_id from;
    bit_stretch what;
    void operator()(std::span<const std::byte> payload) const { there->receive(from, what, payload); }
  };

 public:
  // The longest payload of a message.
  static constexpr std::size_t payload_bytes = messages::messenger::max_payload_bytes(sizeof(unpack));

 private:
  // All receivers are on this node, or none is.
  void send(std::span<const locale_id> to, std::span<const bit_word> bits,
            std::span<const bit_word> possible) {
    const bool near = mates_.contain(shape().partner(my_core(), to.front()));
    packer_.pack(bits, possible, near, [&](packed_bits packed) {
      packed.what.first += static_cast<std::uint32_t>(mine_.first);
      send_message(to, packed);
    });
    for (const locale_id l : to) messages::messenger::here().flush(shape().partner(my_core(), l));
  }

  void send_message(std::span<const locale_id> to, const packed_bits& packed) {
    for (const locale_id l : to) {
      const core_id core = shape().partner(my_core(), l);
      bytes_ += packed.bytes;
      count_bits(packed.bytes);
      messages::messenger::here().send_with_payload(core, unpack{ends_[core], my_locale(), packed.what},
                                                    packed.payload);
    }
  }

  void receive(locale_id from, const bit_stretch& what, std::span<const std::byte> payload) {
    unpacked_bits(what, payload, places_)
        .for_each_word([&](std::size_t w) { return possible_(from, w); },
                       [&](std::size_t w, bit_word bits) { take_(from, w, bits); });
    arrived_ += what.words;
    tasks::scheduler::here()->wake_all(waiting_);
  }

  const std::vector<locale_id> peers_;
  const index_range mine_;
  const taker take_;
  const bounds possible_;
  bit_packer packer_;
  const node_mates mates_;
  const std::uint64_t expected_;  // words in every exchange
  std::uint64_t arrived_ = 0;
  tasks::wait_queue waiting_;
  std::vector<std::uint32_t> places_;
  byte_counts bytes_;
  const by_core<range_exchange*> ends_;  // last, when all are ready to receive
};

}  // namespace orujo::internal::exchange
