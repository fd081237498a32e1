// When a partly filled block leaves: one pure function decides.
#pragma once

#include <cstddef>
#include <cstdint>

namespace orujo::messages {

enum class flush_reason { none, full, requested, idle, age };

struct flush_state {
  std::size_t filled_bytes;  // of the block
  std::size_t needed_bytes;  // of the message about to be appended; 0 when nothing is
  std::size_t capacity_bytes;
  std::uint64_t age_ns;  // since the block's first message
  bool core_is_idle;
  bool requested;
};

// Idle cores send at once: waiting for company would only cost latency. Busy ones wait for a full block or
// the age.
constexpr flush_reason decide_flush(const flush_state& s, std::uint64_t max_age_ns) {
  if (s.filled_bytes == 0) return flush_reason::none;
  if (s.filled_bytes + s.needed_bytes > s.capacity_bytes) return flush_reason::full;
  if (s.requested) return flush_reason::requested;
  if (s.core_is_idle) return flush_reason::idle;
  if (s.age_ns >= max_age_ns) return flush_reason::age;
  return flush_reason::none;
}

}  // namespace orujo::messages
