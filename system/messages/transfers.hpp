// Transfers: large pieces of memory that travel between locales outside of blocks. The transport accesses the
// sender's and the receiver's memory directly. There is no copy of ours, and no memory that grows with the
// size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

#include "system/base/shape.hpp"
#include "system/messages/inbox.hpp"
#include "system/messages/mailbox.hpp"
#include "system/messages/transfer.hpp"
#include "system/tasks/sync.hpp"

namespace orujo::internal::messages {

class post_office;

// The side of a transfer that chose its number; the other one learns it by a message.
enum class chosen_by : std::uint32_t { sender, receiver };

// One core's transfers; the messenger has it. Used by its own core only, except where said otherwise.
//
// Both sides name the transfer by a number that is taken at one of them, and given back there when both ends
// are over. The end of a send alone does not free it, because MPI may end a send before the receiver has
// matched it. The number of numbers limits what one core has under way. Sender and receiver may start in any
// order. If the receiver starts first, the transport need not buffer the data.
class transfers {
 public:
  static constexpr std::size_t numbers_per_core = 16;
  // The largest piece: short enough that a core that waits for one is not yet asleep when it ends.
  static constexpr std::size_t most_bytes = std::size_t{1} << 20;
  // Memory of a number, for pieces that are not consecutive at their source or target.
  static constexpr std::size_t staging_bytes = std::size_t{64} << 10;

  transfers(inbox& mine, post_office& post);
  transfers(const transfers&) = delete;

  // [task; suspends] while all numbers of this core are taken.
  std::uint32_t take_number(chosen_by side);
  // [task or handler]
  void give_back(std::uint32_t number);
  // staging_bytes bytes, for the time that the number is taken.
  std::byte* staging(std::uint32_t number);

  // [task or handler] Begins to send `from`, of at most most_bytes, to the place where locale `to` receives
  // the number. When the transport has finished with `from`, ended() runs here, in a handler.
  template <class F>
  void send(locale_id to, std::uint32_t number, std::span<const std::byte> from, const F& ended) {
    // The transport reads from a parcel that it sends.
    start(to, number, {const_cast<std::byte*>(from.data()), from.size()}, false, ended);
  }
  // [task or handler] Begins to receive, from locale `from`, exactly into.size() bytes. When they are here,
  // ended() runs in a handler.
  template <class F>
  void receive(locale_id from, std::uint32_t number, std::span<std::byte> into, const F& ended) {
    start(from, number, into, true, ended);
  }

  bool have_ended() const { return !ended_.empty(); }
  // Runs the closures of ended transfers, for the messenger's poll. Returns true if there were any.
  bool finish() { return have_ended() && finish_ended(); }

 private:
  template <class F>
  void start(locale_id peer, std::uint32_t number, std::span<std::byte> bytes, bool receives,
             const F& ended) {
    static_assert(std::is_trivially_copyable_v<F> && sizeof(F) <= transfer::closure_bytes && alignof(F) <= 8);
    transfer& t = prepare(peer, number, bytes, receives);
    new (t.closure) F(ended);
    t.run_closure = [](const std::byte* closure) { (*std::launder(reinterpret_cast<const F*>(closure)))(); };
    submit(t);
  }
  transfer& prepare(locale_id peer, std::uint32_t number, std::span<std::byte> bytes, bool receives);
  void submit(transfer& t);
  bool finish_ended();

  inbox& mine_;
  post_office& post_;
  tasks::semaphore permits_{numbers_per_core};
  std::vector<std::uint32_t> free_slots_;
  std::unique_ptr<std::byte[]> staging_[numbers_per_core];
  std::vector<std::unique_ptr<transfer>> all_;
  std::vector<transfer*> free_;
  mailbox<transfer> ended_;
};

}  // namespace orujo::internal::messages
