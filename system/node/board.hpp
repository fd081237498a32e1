// The place where the locales of a node meet in collectives. Each locale leaves its contribution in memory
// that all of them share, one combines them, and all read the result.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "system/node/alarms.hpp"

namespace orujo::internal::node {

// A member's view, which one thread at a time uses. All members take part in the same meetings, one after the
// other. Each meeting goes through these calls.
//
//   bring() -> arrive() -> one of them, when all have: brought_by() -> conclude() -> result(), brought_by()
//
// The one member that concludes is the last to arrive, or one that waits for `arrived`. With more members
// than CPUs, each member then needs its turn at a CPU once per meeting, which is the minimum.
//
//   | arrived (64 bytes) | concluded (8), bytes (8), result | of each member, two in turn: bytes (16),
//   content |
//
// Each member has two areas in turn, because others may still read the first when the member comes to the
// next meeting. It comes to the meeting after that when all have been to the next, so the first is free
// again. The result has been read when all have come again.
class board {
 public:
  static constexpr std::size_t room = 2048;  // of a contribution, and of the result
  static constexpr std::size_t bytes_for(int members) {
    return line + result_bytes + static_cast<std::size_t>(members) * 2 * place_bytes;
  }
  // Call it before any member's object is created. The other bytes are written before they are read.
  static void clear(std::byte* memory) { std::memset(memory, 0, 2 * line); }

  board() = default;
  // The memory begins at a cache line. `locales` are the wake-up flags of the members' locales, by member. A
  // member with empty flags is not woken.
  board(std::byte* memory, int me, std::vector<alarms> locales)
      : memory_(memory), me_(static_cast<std::size_t>(me)), locales_(std::move(locales)) {}

  explicit operator bool() const { return memory_ != nullptr; }
  int members() const { return static_cast<int>(locales_.size()); }
  int me() const { return static_cast<int>(me_); }

  // Begins this member's next meeting; at most `room` bytes.
  void bring(std::span<const std::byte> mine) {
    ++meeting_;
    std::byte* const place = place_of(me_);
    write_size(place, mine.size());
    copy(place + head_bytes, mine);
  }
  // Returns true for the last one, which may read all contributions.
  bool arrive() { return arrived().fetch_add(1, std::memory_order_seq_cst) + 1 == all_have_arrived(); }
  // Wakes a member that waits for all to arrive. The last member calls it.
  void ring(int member) const {
    if (const alarms& one = locales_[static_cast<std::size_t>(member)]) one.ring(0);
  }
  // The contribution of a member to this meeting.
  std::span<const std::byte> brought_by(int member) const {
    const std::byte* const place = place_of(static_cast<std::size_t>(member));
    return {place + head_bytes, size_at(place)};
  }
  // One member calls it, when all have arrived and it has read their contributions.
  void conclude(std::span<const std::byte> result) const {
    std::byte* const place = memory_ + line;
    write_size(place + sizeof(std::uint64_t), result.size());
    copy(place + head_bytes, result);
    // before the wake-up flags (alarms.hpp)
    concluded().exchange(meeting_, std::memory_order_seq_cst);
    for (int k = 0; k < members(); ++k) ring(k);
  }
  // Valid from the conclusion of this meeting until this member comes to the next.
  std::span<const std::byte> result() const {
    const std::byte* const place = memory_ + line;
    return {place + head_bytes, size_at(place + sizeof(std::uint64_t))};
  }

  // Counters that only grow, and their values when all members have arrived at this meeting, and when it is
  // concluded.
  std::atomic<std::uint64_t>& arrived() const {
    return *reinterpret_cast<std::atomic<std::uint64_t>*>(memory_);
  }
  std::uint64_t all_have_arrived() const { return meeting_ * locales_.size(); }
  std::atomic<std::uint64_t>& concluded() const {
    return *reinterpret_cast<std::atomic<std::uint64_t>*>(memory_ + line);
  }
  std::uint64_t is_concluded() const { return meeting_; }

 private:
  static constexpr std::size_t line = 64, head_bytes = 16;
  static constexpr std::size_t place_bytes = (head_bytes + room + line - 1) / line * line;
  static constexpr std::size_t result_bytes = place_bytes;
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free && sizeof(std::atomic<std::uint64_t>) == 8);

  std::byte* place_of(std::size_t member) const {
    return memory_ + line + result_bytes + (2 * member + meeting_ % 2) * place_bytes;
  }
  static void write_size(std::byte* at, std::uint64_t bytes) { std::memcpy(at, &bytes, sizeof(bytes)); }
  static std::size_t size_at(const std::byte* at) {
    std::uint64_t bytes;
    std::memcpy(&bytes, at, sizeof(bytes));
    return bytes;
  }
  static void copy(std::byte* to, std::span<const std::byte> from) {
    if (!from.empty()) std::memcpy(to, from.data(), from.size());
  }

  std::byte* memory_ = nullptr;
  std::size_t me_ = 0;
  std::vector<alarms> locales_;
  std::uint64_t meeting_ = 0;  // this member's last; the first is 1
};

}  // namespace orujo::internal::node
