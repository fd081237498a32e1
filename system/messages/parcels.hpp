// A locale's post office: packs the blocks of all its cores into parcels for other locales, unpacks theirs,
// and hands on those that are only passing through.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "system/base/aligned_bytes.hpp"
#include "system/base/shape.hpp"
#include "system/base/ticks.hpp"
#include "system/messages/block.hpp"
#include "system/messages/block_cost.hpp"
#include "system/messages/flush_policy.hpp"
#include "system/messages/mailbox.hpp"
#include "system/messages/routing.hpp"
#include "system/messages/traffic.hpp"
#include "system/messages/transfers.hpp"
#include "system/transport/transport.hpp"

namespace orujo::messages {

class messenger;

struct parcel_options {
  std::size_t parcel_bytes = 64 << 10;
  int parcels_in_flight = 4;  // per next hop; blocks wait, and gather, while so many are under way
  std::uint64_t flush_age_ns = 50'000;
  messages::routing routing = routing::direct;
};

// About what a locale's parcels take when all that may be under way is.
std::uint64_t most_parcel_bytes(std::uint64_t locales, const parcel_options& options);

// Shared by the cores of a locale. Whoever gets the lock does the work of all; nobody waits for it.
class parcels final : private transport::listener {
 public:
  parcels(transport::transport& link, const job_shape& shape, const parcel_options& options);
  ~parcels();

  // Before the cores start: where blocks for this locale's cores go, by core within the locale.
  void connect(std::vector<messenger*> cores) { cores_ = std::move(cores); }

  // Any core. The block goes home once it is packed. Urgent: it does not wait for company. `by_hop` is the
  // core's own, where it counts.
  void submit(block* b, bool urgent, std::span<block_traffic> by_hop);
  // Any core. Tells t->of when the transport has done with it.
  void submit(transfer* t) { new_transfers_.push(t); }
  // Any core. Receives what it can and sends what is due, or all there is if the caller has nothing else to
  // do; true if anything happened. Returns at once when another core is at it.
  bool progress(bool idle) { return look_after(idle) == outcome::something; }
  // [a core that is about to sleep] True if it may: it has been through all itself, and there was nothing.
  // While another core is at it, that one may be past what this core has brought, and not come here again for
  // long.
  bool may_sleep();
  // Any core; a hint. True while as many parcels as may be are under way there.
  bool is_blocked(locale_id to) const {
    const outgoing& out = way_to(to);
    return out.in_flight.load(std::memory_order_relaxed) >= options_.parcels_in_flight;
  }
  // Any core: what a block with little in it costs on its way to another locale, at both ends together.
  double block_ns() const { return cost_.ns(); }
  // Any core: how long one that has waited so long may sleep.
  std::chrono::nanoseconds longest_sleep(std::chrono::nanoseconds waited) const {
    return link_.longest_sleep(waited);
  }
  // Any core: the last block of a received parcel has been handled.
  void block_done(void* home);
  // Any thread: runs f(transport) while no core is at work there; false if one is.
  template <class F>
  bool try_alone(const F& f) {
    if (locked_.exchange(true, std::memory_order_acquire)) return false;
    f(link_);
    locked_.store(false, std::memory_order_release);
    return true;
  }
  // Any core: what this locale has exchanged with others.
  post_traffic traffic() const;
  // Any core; false when another core is at work here: then nothing is reset. Not what is packed.
  bool try_reset_traffic();
  // After all cores have stopped, by one thread, collective over the locales.
  void close();

 private:
  struct buffer : transport::parcel {
    buffer* next = nullptr;
    std::atomic<std::uint32_t> blocks_left{0};
    base::aligned_bytes storage;
  };
  // What goes to one next hop.
  struct outgoing {
    mailbox<block> submitted;
    std::atomic<bool> urgent{false};  // set after submitting
    std::atomic<int> in_flight{0};    // parcels
    // Taken from submitted, not yet packed, oldest first.
    block* first = nullptr;
    block* last = nullptr;
    bool in_a_hurry = false;  // there are urgent ones among them
    std::size_t bytes = 0;
    std::uint64_t since_ns = 0;  // when they were first found not to be due; 0: not yet
    parcel_traffic_of<tally> traffic;
    // Of the whole job, modulo 2^32: joins them in a trace.
    std::uint32_t parcels_sent = 0, parcels_received = 0;
  };

  enum class outcome { nothing, something, others_are_at_it };

  outcome look_after(bool idle);
  outgoing& of(locale_id peer) { return outgoing_[static_cast<std::size_t>(peer)]; }
  outgoing& way_to(locale_id to) { return of(next_hops_[static_cast<std::size_t>(to)]); }
  const outgoing& way_to(locale_id to) const { return const_cast<parcels*>(this)->way_to(to); }
  void push(block* b, bool urgent);
  void hand_on(block* b);
  void take_submitted(outgoing& out);
  bool is_due(outgoing& out, bool idle);
  bool pack(locale_id hop, bool idle);
  bool send_all(bool idle);
  void send(buffer& full, std::uint64_t now);
  void post_receives();
  bool start_transfers();
  bool poll();
  void receive(buffer& full);
  std::uint64_t flow(locale_id from, locale_id to, std::uint32_t number) const;
  void send_home(block* b);
  buffer* take_buffer();
  void sent(transport::parcel& done) override;
  void received(transport::parcel& full) override;

  transport::transport& link_;
  const job_shape& shape_;
  const parcel_options options_;
  std::vector<messenger*> cores_;
  std::vector<locale_id> next_hops_;  // by locale
  std::vector<outgoing> outgoing_;    // by next hop
  transport_time_of<tally> transport_time_;
  std::uint32_t poll_phase_ = 0;
  std::atomic<bool> locked_{false};
  const double ns_per_tick_ = base::ns_per_tick();
  block_cost cost_;
  mailbox<buffer> returned_;  // received parcels whose blocks are all handled
  mailbox<transfer> new_transfers_;
  // The rest is touched under the lock only.
  std::vector<std::unique_ptr<buffer>> buffers_;
  std::vector<buffer*> free_;
  int receives_missing_ = 0;                                // of the buffers that the transport should have
  std::uint64_t blocks_received_ = 0, bytes_received_ = 0;  // by the poll that goes on
};

}  // namespace orujo::messages
