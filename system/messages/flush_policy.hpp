// The moment at which a partly filled block, or parcel, leaves, decided by pure functions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace orujo::internal::messages {

enum class flush_reason { none, full, requested, idle, age };

struct flush_state {
  std::size_t filled_bytes = 0;  // of the block or parcel
  std::size_t needed_bytes = 0;  // of the message to append, or 0
  std::size_t capacity_bytes = 0;
  std::uint64_t age_ns = 0;  // since the first message or block was added
  bool core_is_idle = false;
  bool requested = false;
  bool way_is_blocked = false;  // it could not be sent now: the limit of parcels under way is reached
  bool credit_is_short = false;
};

// Idle cores send at once, because waiting would only add latency. Busy ones wait for a full block or the
// flush timeout. If credit is short they wait for a full block, because a block takes credit however little
// is in it. If the way is blocked, waiting costs nothing and fills the block.
constexpr flush_reason decide_flush(const flush_state& s, std::uint64_t max_age_ns) {
  if (s.filled_bytes == 0) return flush_reason::none;
  if (s.filled_bytes + s.needed_bytes > s.capacity_bytes) return flush_reason::full;
  if (s.requested) return flush_reason::requested;
  if (s.way_is_blocked) return flush_reason::none;
  if (s.core_is_idle) return flush_reason::idle;
  if (s.credit_is_short) return flush_reason::none;
  if (s.age_ns >= max_age_ns) return flush_reason::age;
  return flush_reason::none;
}

// The flush timeout of a busy core's partly filled blocks for other locales. `open` of them are open, one for
// each core that it writes to. They expire together, and sending and receiving one takes `block_ns`. The
// timeout grows until this takes an eighth of the core's time. It is never below `least_ns`. It stays within
// `most_ns`, because somebody may wait for the messages, unless the cost would then exceed half of the time.
// It is `least_ns` if `most_ns` is not larger. An idle core sends at once.
constexpr std::uint64_t patience_ns(std::uint64_t open, double block_ns, std::uint64_t least_ns,
                                    std::uint64_t most_ns) {
  if (most_ns <= least_ns) return least_ns;
  constexpr double ages_per_cost = 8, least_ages_per_cost = 2, for_ever = 1e18;
  const double cost = static_cast<double>(open) * block_ns, most = static_cast<double>(most_ns);
  const double wanted =
      std::min({ages_per_cost * cost, std::max(most, least_ages_per_cost * cost), for_ever});
  return std::max(least_ns, static_cast<std::uint64_t>(wanted));
}
// For people: the timeout and its reason, for a core that writes to all `far` cores of other locales.
std::string patience_text(std::uint64_t far, double block_ns, std::uint64_t least_ns, std::uint64_t most_ns);

}  // namespace orujo::internal::messages
