// What carries parcels between locales: the interface that MPI and the in-process loopback implement.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "system/machine/alarms.hpp"
#include "system/machine/board.hpp"
#include "system/machine/pulse.hpp"

namespace orujo::transport {

// A buffer that travels in one piece. Whoever made it keeps the storage alive until the transport gives it
// back.
struct parcel {
  std::byte* data = nullptr;
  std::uint32_t capacity = 0;
  std::uint32_t bytes = 0;  // filled
  int peer = -1;            // destination of a sent parcel, source of a received one
  // Not 0: a transfer. What one locale sends another under this number goes into what the other provides for
  // that peer and number, both naming as many bytes; in any order with everything else, of any size up to
  // 2^31 - 1 bytes, whichever of the two comes first. A pair of locales uses a number for one transfer at a
  // time.
  std::uint32_t transfer_number = 0;
};

// Where a poll reports to. Called by the polling thread, from inside poll() or close().
class listener {
 public:
  virtual void sent(parcel& done) = 0;      // the buffer may be reused
  virtual void received(parcel& full) = 0;  // bytes and peer are set; the buffer is the listener's again

 protected:
  ~listener() = default;
};

// Where the locales of this node meet in collectives, as members in the order of locales; and the first
// locale of each node. There is no board where each is alone on its node, or those of a node are not
// consecutive.
struct meeting_place {
  machine::board on_node;
  std::vector<int> first_of_nodes;
};

// One locale's end. Parcels between one pair of locales arrive in the order sent; nothing is lost or doubled.
// Calls come from one thread at a time (any thread: callers hold a lock), except where said otherwise.
class transport {
 public:
  virtual ~transport() = default;

  virtual int locale() const = 0;   // any thread
  virtual int locales() const = 0;  // any thread

  // Starts sending to full.peer; returns at once.
  virtual void send(parcel& full) = 0;
  // Hands over an empty buffer of the job's parcel capacity for receiving. The more, the more may arrive at
  // once. For a transfer: where its `capacity` bytes go; peer is set.
  virtual void provide(parcel& empty) = 0;
  // Makes progress and reports what happened; true if anything did.
  virtual bool poll(listener& to) = 0;

  // Collective, blocking; before the cores start: where this locale's cores sleep. What is sent here rings
  // one of them, if any sleeps; but from other nodes nothing does. Makes the pulses, too.
  virtual machine::alarms make_alarms(int cores) = 0;
  // Once, after make_alarms(); at all locales alike there is one or not.
  virtual meeting_place take_board() { return {}; }
  // By locale; null where one on another node is not heard of.
  virtual std::vector<machine::pulse*> pulses() = 0;
  // Tells other nodes this one's pulse and takes theirs, without waiting; if this is their locale for it.
  virtual void exchange_pulses(const machine::pulse& of_node) = 0;
  // How long a core that has waited so long may sleep before it polls again; any thread.
  virtual std::chrono::nanoseconds longest_sleep(std::chrono::nanoseconds waited) const = 0;

  // Collective, blocking; after make_alarms(), before the cores start: what a word to the farthest node and
  // back takes, about; the same at every locale, 0 where all are on one node.
  virtual std::chrono::nanoseconds round_trip() { return {}; }

  // Collective, blocking; before the cores start: every locale's value in locale order.
  virtual std::vector<std::uint64_t> all_gather(std::uint64_t mine) = 0;
  // Collective, blocking; disconnects once all locales have called it. Until then it delivers what arrives
  // and calls `meanwhile`, which may send on what others still need; nothing else is sent any more. Transfers
  // that only one side has started are dropped: they are never reported.
  virtual void close(listener& to, const std::function<void()>& meanwhile) = 0;
};

}  // namespace orujo::transport
