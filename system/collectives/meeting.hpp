// The place in memory where the cores of a locale meet in collectives.
//
// Each core shows its part and adds itself to a counter. One core, the *finisher*, waits for all, does the
// work of the collective for all parts, and sets a word that the other cores poll. A meeting therefore costs
// a core two cache lines that move, however many cores there are, and no message.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "system/base/aligned_bytes.hpp"
#include "system/base/by_core.hpp"
#include "system/node/alarms.hpp"

namespace orujo::internal::collectives {

// One core's part: its contribution, and the memory for its result.
struct collective_part {
  std::span<std::byte> in, out;
};

// Shared by the cores of a locale. All of them take part in the same meetings, one after the other. A core
// counts its meetings from 1 on, and passes the number of the current one.
class meeting {
 public:
  // The largest result of conclude().
  static constexpr std::size_t max_result = 2048;

  // `of_locale` has the wake-up flags of its cores; it may be empty if no core sleeps.
  meeting(int cores, node::alarms of_locale) : places_(cores), alarms_(of_locale) {}
  meeting(const meeting&) = delete;

  // Shows the part of a core. A small contribution is copied into the core's place, where the finisher reads
  // it together with the part. Returns true for the last core of this meeting.
  bool arrive(int number, std::uint64_t current, const collective_part& mine) {
    place& at = places_[number];
    at.part = mine;
    if (copies(mine.in.size())) {
      at.part.in = {at.small.data(), mine.in.size()};
      copy(at.part.in, mine.in);
    }
    return arrived_.fetch_add(1, std::memory_order_seq_cst) + 1 == all_have_arrived(current);
  }
  // True if arrive() copies contributions of this size. Nobody reads the core's own one then.
  static constexpr bool copies(std::size_t bytes) { return bytes <= sizeof(place::small); }
  // Wakes a core that waits for arrived(); the last core calls it.
  void ring(int number) const {
    if (alarms_) alarms_.ring(number);
  }

  // The finisher calls these between the last arrival and conclude().
  int size() const { return static_cast<int>(places_.size()); }
  const collective_part& part(int number) const { return places_[number].part; }

  // The finisher ends the meeting, with a result of at most max_result bytes. Nobody reads the parts
  // afterwards.
  void conclude(std::uint64_t current, std::span<const std::byte> result) {
    copy(room_for(result.size()), result);
    end_.concluded.exchange(current, std::memory_order_seq_cst);  // before the wake-up flags (alarms.hpp)
    for (int k = 0; k < size(); ++k) ring(k);
  }
  // After the meeting is concluded, until the calling core arrives at the next one.
  std::span<const std::byte> result(std::size_t bytes) { return room_for(bytes); }

  // Counters that only grow, and their values when all cores have arrived at a meeting, and when it is
  // concluded.
  const std::atomic<std::uint64_t>& arrived() const { return arrived_; }
  std::uint64_t all_have_arrived(std::uint64_t current) const { return current * places_.size(); }
  const std::atomic<std::uint64_t>& concluded() const { return end_.concluded; }

 private:
  static constexpr std::size_t line = base::cache_line_bytes;
  // A value of some words lies in the line of the part.
  struct alignas(2 * line) place {
    collective_part part;
    std::array<std::byte, 2 * line - sizeof(collective_part)> small;
  };
  // A small result lies in the line that cores poll.
  struct alignas(line) end {
    std::atomic<std::uint64_t> concluded{0};
    std::array<std::byte, line - sizeof(std::uint64_t)> small;
  };

  std::span<std::byte> room_for(std::size_t bytes) {
    return bytes <= end_.small.size() ? std::span(end_.small).first(bytes) : std::span(large_).first(bytes);
  }
  static void copy(std::span<std::byte> to, std::span<const std::byte> from) {
    if (!from.empty()) std::memcpy(to.data(), from.data(), from.size());
  }

  by_core<place> places_;
  const node::alarms alarms_;
  alignas(line) std::atomic<std::uint64_t> arrived_{0};
  end end_;
  std::array<std::byte, max_result> large_;
};

}  // namespace orujo::internal::collectives
