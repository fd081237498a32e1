// Which functions handle messages: what arrives may name these and no others.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "system/base/shape.hpp"
#include "system/messages/block.hpp"

namespace orujo::messages {

// Announces itself before main() (or as its library is loaded).
struct announced_handler {
  announced_handler(handler of, std::uint32_t bytes);

  const handler run;
  const std::uint32_t message_bytes;  // of every message of its runs; 0: they have payloads
  const announced_handler* next;
};

// What sends messages to a handler odr-uses this.
template <handler Handler, std::uint32_t MessageBytes>
inline const announced_handler announcement{Handler, MessageBytes};

// Null where none is announced. Takes a lock.
const announced_handler* find_announced(handler of);

// One thread's: handlers that have been found, and what their messages are.
class known_handlers {
 public:
  // Hands the runs of a block to their handlers, whose numbers count from `anchor` on, and returns how many
  // messages there were. Ends the job where the block is not as blocks are (wire.hpp).
  std::uint64_t handle(block& b, handler anchor, const job_shape& shape);

 private:
  static constexpr std::uint32_t unknown = ~std::uint32_t{0};

  struct entry {
    handler_id id = std::numeric_limits<handler_id>::min();
    std::uint32_t message_bytes = unknown;
  };
  // message_bytes of a handler, or unknown.
  std::uint32_t message_bytes_of(handler_id id, handler run) {
    entry& e = entries_[static_cast<std::uint32_t>(id) / 16 % entries_.size()];  // functions begin at such
    if (e.id != id) [[unlikely]]
      find(id, run, e);
    return e.message_bytes;
  }
  static void find(handler_id id, handler run, entry& into);

  std::array<entry, 64> entries_;
};

}  // namespace orujo::messages
