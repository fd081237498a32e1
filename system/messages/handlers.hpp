// The functions that handle messages. Arriving messages may name these and no others.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "system/base/shape.hpp"
#include "system/messages/block.hpp"
#include "system/messages/work_ledger.hpp"

namespace orujo::internal::messages {

// Announces a handler before main() (or when its library is loaded).
struct announced_handler {
  announced_handler(handler of, std::uint32_t bytes);

  const handler run;
  const std::uint32_t message_bytes;  // of every message of its runs; 0 if they have payloads
  const announced_handler* next;
};

// The code that sends messages to a handler odr-uses this.
template <handler Handler, std::uint32_t MessageBytes>
inline const announced_handler announcement{Handler, MessageBytes};

// Null if it is not announced. Takes a lock.
const announced_handler* find_announced(handler of);

// One thread's cache of handlers that have been found, and their message sizes.
class known_handlers {
 public:
  // Passes the runs of a block to their handlers, whose numbers count from `anchor` on, and returns the
  // number of messages. Messages of runs with a tag become done in the ledger. Ends the job if the block is
  // malformed (wire.hpp).
  std::uint64_t handle(block& b, handler anchor, const job_shape& shape, work_ledger& ledger);

 private:
  static constexpr std::uint32_t unknown = ~std::uint32_t{0};

  struct entry {
    handler_id id = std::numeric_limits<handler_id>::min();
    std::uint32_t message_bytes = unknown;
  };
  // The message_bytes of a handler, or unknown.
  std::uint32_t message_bytes_of(handler_id id, handler run) {
    entry& e = entries_[static_cast<std::uint32_t>(id) / 16 %
                        entries_.size()];  // functions begin at multiples of 16
    if (e.id != id) [[unlikely]]
      find(id, run, e);
    return e.message_bytes;
  }
  static void find(handler_id id, handler run, entry& into);

  std::array<entry, 64> entries_;
};

}  // namespace orujo::internal::messages
