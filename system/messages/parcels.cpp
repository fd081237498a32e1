#include "system/messages/parcels.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "system/messages/messenger.hpp"
#include "system/observe/metrics.hpp"

namespace orujo::messages {
namespace {

const observe::counter parcels_sent("parcels.sent", "parcels sent to other locales");
const observe::counter blocks_handed_on("blocks.handed_on",
                                        "blocks of other locales that passed through here");
const observe::counter parcel_bytes_sent("parcels.bytes", "bytes in the parcels sent to other locales");

std::uint64_t now_ns() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

constexpr int receive_buffers = 8;  // posted at the transport at any time

void end_transfer(transport::parcel& done) {
  auto& ended = static_cast<transfer&>(done);
  ended.of->end(ended);
}

}  // namespace

std::uint64_t most_parcel_bytes(std::uint64_t locales, const parcel_options& options) {
  if (locales == 1) return 0;
  const auto sent = (locales - 1) * static_cast<std::uint64_t>(options.parcels_in_flight);
  return (sent + receive_buffers) * options.parcel_bytes;
}

parcels::parcels(transport::transport& link, const job_shape& shape, const parcel_options& options)
    : link_(link),
      shape_(shape),
      options_{std::max(options.parcel_bytes, block_bytes), std::max(options.parcels_in_flight, 1),
               options.flush_age_ns, options.routing},
      outgoing_(static_cast<std::size_t>(shape.locales())) {
  for (locale_id to = 0; to < shape.locales(); ++to) {
    next_hops_.push_back(next_hop(options.routing, link.locale(), to, shape.locales()));
  }
  if (shape.locales() == 1) return;
  for (int k = 0; k < receive_buffers; ++k) link_.provide(*take_buffer());
}

parcels::~parcels() = default;

void parcels::submit(block* b, bool urgent) {
  outgoing& out = way_to(shape_.locale_of(b->destination));
  out.submitted.push(b);
  if (urgent) out.urgent.store(true, std::memory_order_release);
}

bool parcels::progress(bool idle) {
  if (outgoing_.size() == 1) return false;
  if (locked_.load(std::memory_order_relaxed) || locked_.exchange(true, std::memory_order_acquire))
    return false;
  bool any = start_transfers();
  any |= send_all(idle);
  any |= link_.poll(*this);
  locked_.store(false, std::memory_order_release);
  return any;
}

bool parcels::send_all(bool idle) {
  bool any = false;
  for (locale_id hop = 0; hop < static_cast<locale_id>(outgoing_.size()); ++hop) {
    while (pack(hop, idle)) any = true;
  }
  return any;
}

void parcels::take_submitted(outgoing& out) {
  block* fresh = out.submitted.take_all();
  if (!fresh) return;
  if (!out.first) out.since_ns = now_ns();
  (out.first ? out.last->next : out.first) = fresh;
  for (; fresh; fresh = fresh->next) {
    out.bytes += fresh->wire_bytes();
    out.last = fresh;
  }
}

// Fills and sends one parcel; false when none is due or too many are under way.
bool parcels::pack(locale_id hop, bool idle) {
  outgoing& out = outgoing_[static_cast<std::size_t>(hop)];
  const bool blocked = out.in_flight.load(std::memory_order_relaxed) >= options_.parcels_in_flight;
  if (blocked || (!out.first && out.submitted.empty())) return false;
  const bool urgent = out.urgent.exchange(false, std::memory_order_acquire);
  take_submitted(out);
  const flush_state state{.filled_bytes = out.bytes,
                          .needed_bytes = block_bytes,
                          .capacity_bytes = options_.parcel_bytes,
                          .age_ns = out.first ? now_ns() - out.since_ns : 0,
                          .core_is_idle = idle,
                          .requested = urgent};
  if (decide_flush(state, options_.flush_age_ns) == flush_reason::none) return false;
  buffer* filled = take_buffer();
  filled->bytes = 0;
  while (out.first && filled->bytes + out.first->wire_bytes() <= filled->capacity) {
    block* b = out.first;
    out.first = b->next;
    std::memcpy(filled->data + filled->bytes, b, sizeof(block) + b->bytes);
    filled->bytes += static_cast<std::uint32_t>(b->wire_bytes());
    send_home(b);
  }
  out.bytes -= filled->bytes;
  if (out.first && urgent) out.urgent.store(true, std::memory_order_relaxed);
  filled->peer = hop;
  out.in_flight.fetch_add(1, std::memory_order_relaxed);
  parcels_sent.add();
  parcel_bytes_sent.add(filled->bytes);
  link_.send(*filled);
  return true;
}

// A block that has been packed, to where it was made: by a core of this locale, or in a received parcel.
void parcels::send_home(block* b) {
  if (shape_.locale_of(b->source) == link_.locale()) {
    messenger::send_home(b);
  } else {
    block_done(b->home);
  }
}

bool parcels::start_transfers() {
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

parcels::buffer* parcels::take_buffer() {
  if (free_.empty()) {
    for (buffer* back = returned_.take_all(); back; back = back->next) free_.push_back(back);
  }
  if (free_.empty()) {
    auto fresh = std::make_unique<buffer>();
    fresh->storage = std::make_unique_for_overwrite<std::byte[]>(options_.parcel_bytes);
    fresh->data = fresh->storage.get();
    fresh->capacity = static_cast<std::uint32_t>(options_.parcel_bytes);
    free_.push_back(fresh.get());
    buffers_.push_back(std::move(fresh));
  }
  buffer* taken = free_.back();
  free_.pop_back();
  return taken;
}

void parcels::sent(transport::parcel& done) {
  if (done.transfer_number != 0) return end_transfer(done);
  auto& sent_buffer = static_cast<buffer&>(done);
  outgoing_[static_cast<std::size_t>(done.peer)].in_flight.fetch_sub(1, std::memory_order_relaxed);
  free_.push_back(&sent_buffer);
}

void parcels::received(transport::parcel& full) {
  if (full.transfer_number != 0) return end_transfer(full);
  auto& arrived = static_cast<buffer&>(full);
  std::uint32_t blocks = 0;
  for (std::uint32_t at = 0; at < arrived.bytes; ++blocks) {
    at += static_cast<std::uint32_t>(reinterpret_cast<block*>(arrived.data + at)->wire_bytes());
  }
  arrived.blocks_left.store(blocks, std::memory_order_relaxed);
  const locale_id here = link_.locale();
  const core_id first = shape_.first_core_of(here);
  for (std::uint32_t at = 0; blocks > 0; --blocks) {
    auto* b = reinterpret_cast<block*>(arrived.data + at);
    at += static_cast<std::uint32_t>(b->wire_bytes());
    b->home = &arrived;
    if (shape_.locale_of(b->destination) != here) {
      blocks_handed_on.add();
      submit(b, true);
    } else {
      cores_[static_cast<std::size_t>(b->destination - first)]->deliver(b);  // may be gone at once
    }
  }
  link_.provide(*take_buffer());
}

void parcels::block_done(void* home) {
  auto* of = static_cast<buffer*>(home);
  if (of->blocks_left.fetch_sub(1, std::memory_order_acq_rel) == 1) returned_.push(of);
}

void parcels::close() {
  if (outgoing_.size() == 1) return;
  const auto waits = [](const outgoing& out) { return out.first || !out.submitted.empty(); };
  while (!new_transfers_.empty() || std::any_of(outgoing_.begin(), outgoing_.end(), waits)) progress(true);
  // Others may still need what passes through here.
  link_.close(*this, [this] { send_all(true); });
}

}  // namespace orujo::messages
