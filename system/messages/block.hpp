// The format of messages in memory and on the wire.
//
//   block    | header (32 bytes) | run | run | ... |           up to block_bytes, for one core
//   run      | header (16 bytes) | closure | closure | ... |    consecutive messages of one type and tag
//   closure  | the bytes of a trivially copyable callable, padded to 8 if it carries a payload:
//            | closure | payload bytes (8) | payload, padded to 8 |
//   parcel   | block | block | ... |                            blocks for one locale, each padded to 8
//
// Integers are in the machine's own order: all locales of a job run the same binary.
#pragma once

#include <cstddef>
#include <cstdint>

#include "system/base/shape.hpp"

namespace orujo::internal::messages {

inline constexpr std::size_t block_bytes = 16 << 10;
inline constexpr std::size_t message_alignment = 8;

constexpr std::size_t padded(std::size_t bytes) {
  return (bytes + message_alignment - 1) / message_alignment * message_alignment;
}

struct block;
// Where a block goes when it is handled: the core or the received parcel whose memory it is.
class block_home {
 public:
  // Any thread of this locale.
  virtual void give_back(block* b) = 0;

 protected:
  ~block_home() = default;
};

// The header of a block, in memory and on the wire.
struct block {
  block* next;                 // in the list this block is in; meaningless on the wire
  block_home* home;            // meaningless on the wire
  std::int32_t source;         // core
  std::int32_t destination;    // core
  std::uint32_t bytes : 31;    // of runs, after this header
  std::uint32_t hold : 1;      // tasks of `destination` must not send to `source` for now
  std::uint32_t acknowledged;  // blocks from `destination` that `source` has handled so far, modulo 2^32

  std::byte* content() { return reinterpret_cast<std::byte*>(this + 1); }
  std::size_t wire_bytes() const { return sizeof(block) + padded(bytes); }
};
static_assert(sizeof(block) == 32);

// Offset of a handler from a fixed function of the binary. It is the same in every process, wherever it is
// loaded.
using handler_id = std::int32_t;

struct run_header {
  handler_id handler;
  std::uint32_t tag;    // the completion event that counts the messages, or no_tag
  std::uint32_t count;  // messages
  std::uint32_t bytes;  // of closures and payloads, after this header, without the padding to 8
};
static_assert(sizeof(run_header) == 16);

inline constexpr std::uint32_t no_tag = ~std::uint32_t{0};

inline constexpr std::size_t max_block_content = block_bytes - sizeof(block);
// The largest closure, or closure and payload: some 4 KiB, of which several fit a block.
inline constexpr std::size_t max_message_bytes = 4096 - sizeof(block) - sizeof(run_header);
static_assert(sizeof(run_header) + max_message_bytes <= max_block_content);
// The smallest closure with a payload.
inline constexpr std::size_t least_with_payload = message_alignment + 8;

// The argument of a handler: a run of messages, as it lies in a block.
struct run {
  const std::byte* data;
  std::uint32_t count;
  std::uint32_t bytes;
  std::uint32_t tag;
  core_id source;
};

using handler = void (*)(const run&);

}  // namespace orujo::internal::messages
