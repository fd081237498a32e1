#include "system/messages/transfers.hpp"

#include <glog/logging.h>

#include "system/messages/post_office.hpp"
#include "system/observe/metrics.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::messages {
namespace {

const observe::counter transfers_sent("transfers.sent", "large pieces sent to other locales, not in parcels");
const observe::counter transfer_bytes_sent("transfers.bytes", "bytes of these pieces");

// Numbers begin at 1; those of both sides of a pair of locales never meet.
constexpr std::uint32_t sides = 2;

std::size_t slot_of(std::uint32_t number) { return (number - 1) / sides % transfers::numbers_per_core; }

}  // namespace

transfers::transfers(inbox& mine, post_office& post) : mine_(mine), post_(post) {
  for (std::uint32_t slot = numbers_per_core; slot > 0; --slot) free_slots_.push_back(slot - 1);
}

std::uint32_t transfers::take_number(chosen_by side) {
  permits_.acquire();
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  const auto first = static_cast<std::uint32_t>(mine_.core_of_locale()) * numbers_per_core;
  return 1 + sides * (static_cast<std::uint32_t>(first) + slot) + static_cast<std::uint32_t>(side);
}

void transfers::give_back(std::uint32_t number) {
  free_slots_.push_back(static_cast<std::uint32_t>(slot_of(number)));
  permits_.release();
}

std::byte* transfers::staging(std::uint32_t number) {
  auto& memory = staging_[slot_of(number)];
  if (!memory) memory = std::make_unique_for_overwrite<std::byte[]>(staging_bytes);
  return memory.get();
}

transfer& transfers::prepare(locale_id peer, std::uint32_t number, std::span<std::byte> bytes,
                             bool receives) {
  CHECK_LE(bytes.size(), most_bytes) << "a piece too large for one transfer";
  if (free_.empty()) {
    all_.push_back(std::make_unique<transfer>());
    free_.push_back(all_.back().get());
  }
  transfer& t = *free_.back();
  free_.pop_back();
  t.data = bytes.data();
  t.capacity = t.bytes = static_cast<std::uint32_t>(bytes.size());
  t.peer = peer;
  t.transfer_number = number;
  t.started_by = &mine_;
  t.ended = &ended_;
  t.receives = receives;
  if (!receives) {
    transfers_sent.add();
    transfer_bytes_sent.add(bytes.size());
  }
  return t;
}

void transfers::submit(transfer& t) { post_.submit(&t); }

bool transfers::finish_ended() {
  tasks::scheduler::handler_scope in_handler(*tasks::scheduler::here());
  transfer* next = nullptr;
  for (transfer* t = ended_.take_all(); t; t = next) {
    next = t->next;
    t->run_closure(t->closure);
    free_.push_back(t);
  }
  return true;
}

}  // namespace orujo::internal::messages
