// The carrier of parcels between locales: the interface that MPI and the in-process loopback implement.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "system/node/alarms.hpp"
#include "system/node/board.hpp"
#include "system/node/pulse.hpp"
#include "system/node/work_table.hpp"

namespace orujo::internal::transport {

// A buffer that travels in one piece. Its owner keeps the storage alive until the transport gives it back.
struct parcel {
  std::byte* data = nullptr;
  std::uint32_t capacity = 0;
  std::uint32_t bytes = 0;  // filled
  int peer = -1;            // destination of a sent parcel, source of a received one
  // If not 0, the parcel is a transfer. Bytes sent under this number go into the memory that the receiver
  // provides for that peer and number, and both name the same size. Transfers have no order with other
  // parcels, and either side may start first. The size is at most 2^31 - 1 bytes. A pair of locales uses a
  // number for one transfer at a time.
  std::uint32_t transfer_number = 0;
};

// The receiver of a poll's reports. The polling thread calls it, from inside poll() or close().
class listener {
 public:
  virtual void sent(parcel& done) = 0;      // the buffer may be reused
  virtual void received(parcel& full) = 0;  // bytes and peer are set; the buffer is the listener's again

 protected:
  ~listener() = default;
};

// The locales of this node, and what they share. There is no board, and no count of work, if each locale is
// alone on its node, or those of a node are not consecutive.
struct meeting_place {
  node::board on_node;              // for collectives; its members are the locales in their order
  std::vector<int> first_of_nodes;  // locale of each node
  node::work_tables work;           // of the node's cores
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
  // Provides an empty buffer of the job's parcel capacity for receiving; more buffers let more parcels arrive
  // at a time. For a transfer it is the target of its `capacity` bytes, and peer is set.
  virtual void provide(parcel& empty) = 0;
  // Makes progress and reports what happened; true if anything did.
  virtual bool poll(listener& to) = 0;

  // Collective, blocking, before the cores start. Creates the wake-up flags and the pulses of this locale's
  // cores. A parcel to this locale wakes one of the sleeping cores, but a parcel from another node does not.
  virtual node::alarms make_alarms(int cores) = 0;
  // Call it once, after make_alarms(). Either all locales have a board or none.
  virtual meeting_place take_board() { return {}; }
  // By locale; null if the locale is on another node that sends no pulse here.
  virtual std::vector<node::pulse*> pulses() = 0;
  // Sends this node's pulse to other nodes and receives theirs, without waiting, if this locale speaks for
  // its node.
  virtual void exchange_pulses(const node::pulse& of_node) = 0;
  // The longest sleep of a core between polls, if it has waited for `waited`; any thread.
  virtual std::chrono::nanoseconds longest_sleep(std::chrono::nanoseconds waited) const = 0;

  // Collective, blocking, after make_alarms() and before the cores start. The approximate round-trip time to
  // the farthest node, the same at every locale, and 0 if all are on one node.
  virtual std::chrono::nanoseconds round_trip() { return {}; }

  // Collective, blocking, before the cores start. Every locale's value, in locale order.
  virtual std::vector<std::uint64_t> all_gather(std::uint64_t mine) = 0;
  // Collective, blocking. Disconnects once all locales have called it. Until then it delivers arrivals and
  // calls `meanwhile`, which may send parcels; nothing else is sent. Transfers that only one
  // side has started are dropped without a report.
  virtual void close(listener& to, const std::function<void()>& meanwhile) = 0;
};

}  // namespace orujo::internal::transport
