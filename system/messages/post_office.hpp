// A locale's post office: packs the blocks of all its cores into parcels for other locales, and unpacks
// theirs.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "system/base/aligned_bytes.hpp"
#include "system/base/shape.hpp"
#include "system/base/ticks.hpp"
#include "system/messages/block.hpp"
#include "system/messages/block_cost.hpp"
#include "system/messages/flush_policy.hpp"
#include "system/messages/inbox.hpp"
#include "system/messages/mailbox.hpp"
#include "system/messages/traffic.hpp"
#include "system/messages/transfer.hpp"
#include "system/transport/transport.hpp"

namespace orujo::internal::messages {

struct parcel_options {
  std::size_t parcel_bytes = 64 << 10;
  int parcels_in_flight = 4;  // per locale; while this many are under way, blocks wait and gather
  std::uint64_t flush_age_ns = 50'000;
};

// Approximate size of a locale's parcels when the limit is under way.
std::uint64_t most_parcel_bytes(std::uint64_t locales, const parcel_options& options);

// Shared by the cores of a locale. The core that gets the lock does the work of all, and none waits for the
// lock.
class post_office final : private transport::listener {
 public:
  post_office(transport::transport& link, const job_shape& shape, const parcel_options& options);
  ~post_office();

  // Before the cores start: the inboxes of this locale's cores, by core within the locale.
  void connect(std::vector<inbox*> cores) { cores_ = std::move(cores); }

  // Any core. The block returns home once it is packed. An urgent one is not aggregated. `counters`
  // are the core's.
  void submit(block* b, bool urgent, by_locale<block_traffic>& counters);
  // Any core. Reports to t->of when the transport has finished with it.
  void submit(transfer* t) { new_transfers_.push(t); }
  // Any core. Receives what has arrived, and sends what is due, or everything if the caller is idle. Returns
  // true if anything happened. Returns at once if another core is at work here.
  bool progress(bool idle) { return look_after(idle) == outcome::something; }
  // [a core that is about to sleep] Returns true if it may: it has done all the work itself, and there was
  // none. Another core at work here may already have passed this core's blocks, and not return for a long
  // time.
  bool may_sleep();
  // Any core; a hint. True while the limit of parcels is under way there.
  bool is_blocked(locale_id to) const {
    const outgoing& out = outgoing_[to];
    return out.in_flight.load(std::memory_order_relaxed) >= options_.parcels_in_flight;
  }
  // Any core: the cost of a nearly empty block on its way to another locale, at both ends together.
  double block_ns() const { return cost_.ns(); }
  // Any core: the longest sleep of a core that has waited for `waited`.
  std::chrono::nanoseconds longest_sleep(std::chrono::nanoseconds waited) const {
    return link_.longest_sleep(waited);
  }
  // Any thread: runs f(transport) while no core is at work there, or returns false if one is.
  template <class F>
  bool try_alone(const F& f) {
    if (locked_.exchange(true, std::memory_order_acquire)) return false;
    f(link_);
    locked_.store(false, std::memory_order_release);
    return true;
  }
  // Any core: this locale's traffic with others.
  post_traffic traffic() const;
  // Any core. Resets all counts but the packed ones. Returns false, without effect, if another core is at
  // work here.
  bool try_reset_traffic();
  // After all cores have stopped, by one thread, collective over the locales.
  void close();

 private:
  struct buffer final : transport::parcel, block_home {
    explicit buffer(post_office& of) : post(of) {}
    void give_back(block*) override {
      if (blocks_left.fetch_sub(1, std::memory_order_acq_rel) == 1) post.returned_.push(this);
    }
    post_office& post;
    buffer* next = nullptr;
    std::atomic<std::uint32_t> blocks_left{0};
    base::aligned_bytes storage;
  };
  // The blocks and parcels for one locale.
  struct outgoing {
    mailbox<block> submitted;
    std::atomic<bool> urgent{false};  // set after submitting
    std::atomic<int> in_flight{0};    // parcels
    // Taken from submitted, not yet packed, oldest first.
    block* first = nullptr;
    block* last = nullptr;
    bool in_a_hurry = false;  // some of these are urgent
    std::size_t bytes = 0;
    std::uint64_t since_ns = 0;  // when a check first found them not due; 0: not yet
    parcel_traffic_of<tally> traffic;
    // Numbers of parcels, over the whole job and modulo 2^32, which join their events in a trace.
    std::uint32_t parcels_sent = 0, parcels_received = 0;
  };

  enum class outcome { nothing, something, others_are_at_it };

  outcome look_after(bool idle);
  outgoing& of(locale_id peer) { return outgoing_[peer]; }
  void take_submitted(outgoing& out);
  bool is_due(outgoing& out, bool idle);
  bool pack(locale_id to, bool idle);
  bool send_all(bool idle);
  void send(buffer& full, std::uint64_t now);
  void post_receives();
  bool start_transfers();
  bool poll();
  void receive(buffer& full);
  std::uint64_t flow(locale_id from, locale_id to, std::uint32_t number) const;
  buffer* take_buffer();
  void sent(transport::parcel& done) override;
  void received(transport::parcel& full) override;

  transport::transport& link_;
  const job_shape& shape_;
  const parcel_options options_;
  by_core<inbox*> cores_;
  by_locale<outgoing> outgoing_;
  transport_time_of<tally> transport_time_;
  std::uint32_t poll_phase_ = 0;
  std::atomic<bool> locked_{false};
  const double ns_per_tick_ = base::ns_per_tick();
  block_cost cost_;
  mailbox<buffer> returned_;  // received parcels whose blocks are all handled
  mailbox<transfer> new_transfers_;
  // The lock protects the rest.
  std::vector<std::unique_ptr<buffer>> buffers_;
  std::vector<buffer*> free_;
  int receives_missing_ = 0;  // missing from the buffers that the transport should have
  std::uint64_t blocks_received_ = 0, bytes_received_ = 0;  // by the current poll
};

}  // namespace orujo::internal::messages
