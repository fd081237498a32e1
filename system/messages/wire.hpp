// Bytes from another process, read with their bounds checked by pure functions (block.hpp).
//
// They return a description of the fault, or null. Checked bytes may be used without a further check. The
// bytes of closures belong to their code, and cannot be checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "system/base/shape.hpp"
#include "system/messages/block.hpp"

namespace orujo::internal::messages {

struct parcel_contents {
  std::uint32_t blocks = 0;
  const char* fault = nullptr;
};

// Checks and lists the blocks of a parcel, aligned to 8 bytes, that locale `here` has from locale `from`.
parcel_contents look_into(std::span<const std::byte> parcel, locale_id from, locale_id here,
                          const job_shape& shape);

// Checks a run. Its header begins the last `left` bytes of a block and is aligned to 8. message_bytes is
// the size of each of its messages, or 0 if they have payloads.
inline const char* fault_of_run(const run_header& header, std::size_t left, std::uint32_t message_bytes) {
  if (header.bytes > left - sizeof(run_header)) return "a run ends behind its block";
  if (message_bytes != 0 && std::uint64_t{header.count} * message_bytes != header.bytes)
    return "a run has not the bytes of its messages";
  return nullptr;
}

// The messages with payloads that remain of a run.
struct payload_messages {
  const std::byte* at;
  const std::byte* end;

  // Takes the next closure and its payload.
  const char* next(std::size_t closure_bytes, const std::byte*& closure,
                   std::span<const std::byte>& payload) {
    const std::size_t left = static_cast<std::size_t>(end - at), head = padded(closure_bytes) + 8;
    if (left < head) return "a message ends behind its run";
    std::uint64_t bytes;
    std::memcpy(&bytes, at + head - 8, sizeof(bytes));
    if (bytes > left - head || padded(bytes) > left - head) return "a payload ends behind its run";
    closure = at;
    payload = {at + head, static_cast<std::size_t>(bytes)};
    at += head + padded(bytes);
    return nullptr;
  }
};

// Ends the job with status 70: bytes from locale `from` are damaged.
[[noreturn]] void fail_for_damage(const char* what, const char* fault, locale_id from);

}  // namespace orujo::internal::messages
