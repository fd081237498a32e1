#include "system/messages/post_office.hpp"

#include <glog/logging.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "system/base/ticks.hpp"
#include "system/messages/wire.hpp"
#include "system/observe/metrics.hpp"
#include "system/observe/trace.hpp"

namespace orujo::internal::messages {
namespace {

const observe::counter parcels_sent("parcels.sent", "parcels sent to other locales");
const observe::counter parcel_bytes_sent("parcels.bytes", "bytes in the parcels sent to other locales");

using observe::trace_flow;
using observe::trace_shape;
constexpr observe::trace_kind parcel_out{"parcel", trace_shape::span, "bytes", "to locale", trace_flow::out};
constexpr observe::trace_kind parcel_in{"parcel", trace_shape::span, "bytes", "from locale", trace_flow::in};

constexpr int receive_buffers = 8;  // posted at the transport at any time

void end_transfer(transport::parcel& done) { static_cast<transfer&>(done).end(); }

}  // namespace

std::uint64_t most_parcel_bytes(std::uint64_t locales, const parcel_options& options) {
  if (locales == 1) return 0;
  const auto sent = (locales - 1) * static_cast<std::uint64_t>(options.parcels_in_flight);
  return (sent + receive_buffers) * options.parcel_bytes;
}

post_office::post_office(transport::transport& link, const job_shape& shape, const parcel_options& options)
    : link_(link),
      shape_(shape),
      options_{std::max(options.parcel_bytes, block_bytes), std::max(options.parcels_in_flight, 1),
               options.flush_age_ns},
      outgoing_(shape.locales()) {
  if (shape.locales() == 1) return;
  receives_missing_ = receive_buffers;
  post_receives();
}

post_office::~post_office() = default;

void post_office::submit(block* b, bool urgent, by_locale<block_traffic>& counters) {
  const locale_id to = shape_.locale_of(b->destination);
  block_traffic& counted = counters[to];
  ++counted.posted;
  counted.posted_ticks += base::ticks();
  outgoing& out = of(to);
  out.submitted.push(b);
  if (urgent) out.urgent.store(true, std::memory_order_release);
}

post_office::outcome post_office::look_after(bool idle) {
  if (outgoing_.size() == 1) return outcome::nothing;
  if (locked_.load(std::memory_order_relaxed) || locked_.exchange(true, std::memory_order_acquire))
    return outcome::others_are_at_it;
  bool any = start_transfers();
  any |= send_all(idle);
  post_receives();
  any |= poll();
  locked_.store(false, std::memory_order_release);
  return any ? outcome::something : outcome::nothing;
}

bool post_office::may_sleep() {
  const outcome found = look_after(true);
  if (found == outcome::others_are_at_it) sched_yield();  // it may want this CPU
  return found == outcome::nothing;
}

bool post_office::send_all(bool idle) {
  bool any = false;
  for (locale_id to = 0; to < static_cast<locale_id>(outgoing_.size()); ++to) {
    while (pack(to, idle)) any = true;
  }
  return any;
}

void post_office::take_submitted(outgoing& out) {
  block* fresh = out.submitted.take_all();
  if (!fresh) return;
  (out.first ? out.last->next : out.first) = fresh;
  for (; fresh; fresh = fresh->next) {
    out.bytes += fresh->wire_bytes();
    out.last = fresh;
  }
}

// Returns whether a parcel leaves for this locale.
bool post_office::is_due(outgoing& out, bool idle) {
  const bool blocked = out.in_flight.load(std::memory_order_relaxed) >= options_.parcels_in_flight;
  if (blocked || (!out.first && out.submitted.empty())) return false;
  out.in_a_hurry |= out.urgent.exchange(false, std::memory_order_acquire);
  take_submitted(out);
  flush_state state{.filled_bytes = out.bytes,
                    .needed_bytes = block_bytes,
                    .capacity_bytes = options_.parcel_bytes,
                    .core_is_idle = idle,
                    .requested = out.in_a_hurry};
  if (decide_flush(state, options_.flush_age_ns) == flush_reason::none) {
    const std::uint64_t now = base::now_ns();
    if (out.since_ns == 0) out.since_ns = now;
    state.age_ns = now - out.since_ns;
    if (decide_flush(state, options_.flush_age_ns) == flush_reason::none) return false;
  }
  return out.first != nullptr;
}

// Fills and sends one parcel; returns false if none is due or too many are under way.
bool post_office::pack(locale_id to, bool idle) {
  outgoing& out = of(to);
  if (!is_due(out, idle)) return false;
  buffer* filled = take_buffer();
  filled->bytes = 0;
  std::uint64_t blocks = 0;
  const std::uint64_t now = base::ticks();
  while (out.first && filled->bytes + out.first->wire_bytes() <= filled->capacity) {
    block* b = out.first;
    out.first = b->next;
    std::memcpy(filled->data + filled->bytes, b, sizeof(block) + b->bytes);
    filled->bytes += static_cast<std::uint32_t>(b->wire_bytes());
    b->home->give_back(b);
    ++blocks;
  }
  out.bytes -= filled->bytes;
  out.since_ns = 0;
  out.in_a_hurry &= out.first != nullptr;
  filled->peer = to;
  out.in_flight.fetch_add(1, std::memory_order_relaxed);
  out.traffic.packed.add(blocks);
  out.traffic.packed_ticks.add(blocks * now);
  const std::uint64_t bytes = filled->bytes;
  send(*filled, now);
  cost_.sent(blocks, bytes, static_cast<double>(base::ticks() - now) * ns_per_tick_);
  return true;
}

void post_office::send(buffer& full, std::uint64_t now) {
  parcels_sent.add();
  parcel_bytes_sent.add(full.bytes);
  outgoing& to = of(full.peer);
  to.traffic.parcels_sent.add(1);
  to.traffic.bytes_sent.add(full.bytes);
  link_.send(full);
  const std::uint64_t end = base::ticks();
  transport_time_.sends.add(1);
  transport_time_.send_ticks.add(end - now);
  const std::uint32_t number = to.parcels_sent++;
  if (observe::tracing()) [[unlikely]] {
    observe::record_span("parcel sent", parcel_out, now, end, full.bytes,
                         static_cast<std::uint64_t>(full.peer), flow(link_.locale(), full.peer, number));
  }
}

// The same at both ends. It stays below 2^53, which JSON readers keep, for up to 1448 locales.
std::uint64_t post_office::flow(locale_id from, locale_id to, std::uint32_t number) const {
  const auto pair = static_cast<std::uint64_t>(from) * outgoing_.size() + static_cast<std::uint64_t>(to);
  return pair << 32 | number;
}

bool post_office::poll() {
  // One poll in eight is timed, spread by the golden ratio so that it is in step with nothing else.
  poll_phase_ += 0x9e3779b9;
  const bool timed = poll_phase_ < 1u << 29;
  const std::uint64_t start = timed ? base::ticks() : 0;
  blocks_received_ = bytes_received_ = 0;
  const bool any = link_.poll(*this);
  auto& polls = any ? transport_time_.busy : transport_time_.empty;
  polls.all.add(1);
  if (timed) {
    polls.timed.add(1);
    const std::uint64_t took = base::ticks() - start;
    polls.ticks.add(took);
    cost_.received(blocks_received_, bytes_received_, static_cast<double>(took) * ns_per_tick_);
  }
  return any;
}

// Not called as soon as a parcel arrives, because its messages are handled first.
void post_office::post_receives() {
  for (; receives_missing_ > 0; --receives_missing_) link_.provide(*take_buffer());
}

bool post_office::start_transfers() {
  if (new_transfers_.empty()) return false;
  transfer* next = nullptr;
  for (transfer* t = new_transfers_.take_all(); t; t = next) {
    next = t->next;
    if (t->receives) {
      link_.provide(*t);
    } else {
      link_.send(*t);
    }
  }
  return true;
}

post_office::buffer* post_office::take_buffer() {
  if (free_.empty()) {
    for (buffer* back = returned_.take_all(); back; back = back->next) free_.push_back(back);
  }
  if (free_.empty()) {
    auto fresh = std::make_unique<buffer>(*this);
    fresh->storage = base::make_aligned_bytes(options_.parcel_bytes);
    fresh->data = fresh->storage.get();
    fresh->capacity = static_cast<std::uint32_t>(options_.parcel_bytes);
    free_.push_back(fresh.get());
    buffers_.push_back(std::move(fresh));
  }
  buffer* taken = free_.back();
  free_.pop_back();
  return taken;
}

void post_office::sent(transport::parcel& done) {
  if (done.transfer_number != 0) return end_transfer(done);
  auto& sent_buffer = static_cast<buffer&>(done);
  outgoing_[done.peer].in_flight.fetch_sub(1, std::memory_order_relaxed);
  free_.push_back(&sent_buffer);
}

void post_office::received(transport::parcel& full) {
  if (full.transfer_number != 0) return end_transfer(full);
  outgoing& peer = of(full.peer);
  peer.traffic.parcels_received.add(1);
  peer.traffic.bytes_received.add(full.bytes);
  const std::uint32_t number = peer.parcels_received++;
  if (!observe::tracing()) [[likely]]
    return receive(static_cast<buffer&>(full));
  const auto from = full.peer;
  const std::uint64_t bytes = full.bytes, start = base::ticks();
  receive(static_cast<buffer&>(full));  // it may already be in use again
  observe::record_span("parcel received", parcel_in, start, base::ticks(), bytes,
                       static_cast<std::uint64_t>(from), flow(from, link_.locale(), number));
}

void post_office::receive(buffer& arrived) {
  const locale_id here = link_.locale();
  auto [blocks, fault] = look_into({arrived.data, arrived.bytes}, arrived.peer, here, shape_);
  if (fault) [[unlikely]]
    fail_for_damage("a parcel", fault, arrived.peer);
  blocks_received_ += blocks;
  bytes_received_ += arrived.bytes;
  arrived.blocks_left.store(blocks, std::memory_order_relaxed);
  const core_id first = shape_.first_core_of(here);
  for (std::uint32_t at = 0; blocks > 0; --blocks) {
    auto* b = reinterpret_cast<block*>(arrived.data + at);
    at += static_cast<std::uint32_t>(b->wire_bytes());
    b->home = &arrived;
    cores_[b->destination - first]->deliver(b);  // may be gone at once
  }
  ++receives_missing_;
}

post_traffic post_office::traffic() const {
  post_traffic all;
  for (const outgoing& to : outgoing_) {
    const auto& t = to.traffic;
    all.peers.push_back({t.parcels_sent.value(), t.bytes_sent.value(), t.parcels_received.value(),
                         t.bytes_received.value(), t.packed.value(), t.packed_ticks.value()});
  }
  const auto& t = transport_time_;
  const auto polls = [](const auto& p) {
    return transport_time::polls{p.all.value(), p.timed.value(), p.ticks.value()};
  };
  all.transport = {t.sends.value(), t.send_ticks.value(), polls(t.busy), polls(t.empty)};
  all.now = base::ticks();
  all.ns_per_tick = base::ns_per_tick();
  all.parcel_bytes = options_.parcel_bytes;
  return all;
}

bool post_office::try_reset_traffic() {
  if (locked_.exchange(true, std::memory_order_acquire)) return false;
  for (outgoing& to : outgoing_) {
    auto& t = to.traffic;
    for (tally* n : {&t.parcels_sent, &t.bytes_sent, &t.parcels_received, &t.bytes_received}) n->reset();
  }
  auto& t = transport_time_;
  for (tally* n : {&t.sends, &t.send_ticks, &t.busy.all, &t.busy.timed, &t.busy.ticks, &t.empty.all,
                   &t.empty.timed, &t.empty.ticks}) {
    n->reset();
  }
  locked_.store(false, std::memory_order_release);
  return true;
}

void post_office::close() {
  if (outgoing_.size() == 1) return;
  const auto waits = [](const outgoing& out) { return out.first || !out.submitted.empty(); };
  while (!new_transfers_.empty() || std::any_of(outgoing_.begin(), outgoing_.end(), waits)) progress(true);
  link_.close(*this, [this] {
    send_all(true);
    post_receives();
  });
}

}  // namespace orujo::internal::messages
