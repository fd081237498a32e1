#include "system/delegates/bulk_transfers.hpp"

#include <cstring>

#include "system/messages/transfers.hpp"

namespace orujo::internal::delegates::detail {
namespace {

using memory::byte_range;
using memory::strip;
using messages::chosen_by;
using messages::transfers;

// Pieces of small blocks are gathered and scattered in a buffer of the transfer.
bool goes_through_staging(const byte_range& range, const strip& piece) {
  return !range.is_consecutive(piece) && range.block_bytes() < min_transfer_bytes;
}

// The two ends of a put. The number is free when both are over and the owner's end has reported.
void put_consecutive(std::uint32_t number, tasks::join_counter& missing, const strip& place,
                     const std::byte* from) {
  missing.add(2);
  messenger::here().large().send(shape().locale_of(place.core), number, {from, place.bytes},
                                 [counter = &missing] { counter->complete(); });
  messenger::here().send(place.core, [place, number, me = my_core(), counter = &missing] {
    messenger::here().large().receive(shape().locale_of(me), number, {place.at, place.bytes},
                                      [number, me, counter] {
                                        messenger::here().send(me, [number, counter] {
                                          messenger::here().large().give_back(number);
                                          counter->complete();
                                        });
                                        messenger::here().flush(me);
                                      });
  });
  messenger::here().flush(place.core);
}

// Receives at `into`, then calls arrived().
template <class F>
void get_consecutive(std::uint32_t number, tasks::join_counter& missing, const strip& place, std::byte* into,
                     const F& arrived) {
  missing.add();
  messenger::here().large().receive(shape().locale_of(place.core), number, {into, place.bytes},
                                    [number, arrived, counter = &missing] {
                                      arrived();
                                      messenger::here().large().give_back(number);
                                      counter->complete();
                                    });
  messenger::here().send(place.core, [at = place.at, bytes = place.bytes, number, to = my_locale()] {
    messenger::here().large().send(to, number, {at, bytes}, [] {});
  });
  messenger::here().flush(place.core);
}

// Calls f(part, position) for each part of a piece that is consecutive in the range.
template <class F>
void for_each_consecutive(const byte_range& range, const strip& piece, const F& f) {
  strip part = piece;
  range.for_each_block(piece, [&](std::uint64_t position, std::uint64_t n) {
    part.bytes = n;
    f(part, position);
    part.at += n;
    part.offset += n;
  });
}

}  // namespace

void scatter_piece(const byte_range& range, const strip& piece, const std::byte* bytes, std::byte* memory) {
  range.for_each_block(piece, [&](std::uint64_t position, std::uint64_t n) {
    std::memcpy(memory + position, bytes, n);
    bytes += n;
  });
}

void gather_piece(const byte_range& range, const strip& piece, const std::byte* memory, std::byte* bytes) {
  range.for_each_block(piece, [&](std::uint64_t position, std::uint64_t n) {
    std::memcpy(bytes, memory + position, n);
    bytes += n;
  });
}

std::size_t transfer_step(const byte_range& range, const strip& whole) {
  return goes_through_staging(range, whole) ? transfers::staging_bytes : transfers::most_bytes;
}

void put_by_transfer(tasks::join_counter& missing, const byte_range& to, const strip& piece,
                     const std::byte* from) {
  transfers& large = messenger::here().large();
  if (goes_through_staging(to, piece)) {
    const std::uint32_t number = large.take_number(chosen_by::sender);
    std::byte* const staging = large.staging(number);
    gather_piece(to, piece, from, staging);
    return put_consecutive(number, missing, piece, staging);
  }
  for_each_consecutive(to, piece, [&](const strip& part, std::uint64_t position) {
    put_consecutive(large.take_number(chosen_by::sender), missing, part, from + position);
  });
}

void get_by_transfer(tasks::join_counter& missing, const byte_range& from, const strip& piece,
                     std::byte* into) {
  transfers& large = messenger::here().large();
  if (goes_through_staging(from, piece)) {
    const std::uint32_t number = large.take_number(chosen_by::receiver);
    std::byte* const staging = large.staging(number);
    // `from` belongs to the caller, whose task waits.
    return get_consecutive(number, missing, piece, staging, [range = &from, piece, staging, into] {
      scatter_piece(*range, piece, staging, into);
    });
  }
  for_each_consecutive(from, piece, [&](const strip& part, std::uint64_t position) {
    get_consecutive(large.take_number(chosen_by::receiver), missing, part, into + position, [] {});
  });
}

}  // namespace orujo::internal::delegates::detail
