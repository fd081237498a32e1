// Properties of any bytes that another process sends as a parcel. They are refused, or every read lies within
// them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "system/base/fatal.hpp"
#include "system/messages/pack.hpp"
#include "system/messages/wire.hpp"

namespace orujo::internal::fuzz {

struct opened_parcel {
  const char* fault = nullptr;  // the first
  std::uint64_t blocks = 0, messages = 0, sum = 0;
};

// A value that is more than its bytes, as payloads have them: bad ones are a misuse that says so.
inline bool can_unpack(std::span<const std::byte> payload) {
  using value = std::pair<std::vector<std::string>, std::optional<std::vector<std::uint32_t>>>;
  const base::failures_are_thrown thrown;
  try {
    return messages::unpack<value>(payload).first.size() <= payload.size();
  } catch (const job_error& refused) {
    return refused.code() == exit_status::misuse;
  }
}

// As a messenger hands a run on: bytes of closures are read, and payloads.
inline void open_run(const messages::run_header& header, std::uint32_t message_bytes, opened_parcel& seen) {
  const auto* const data = reinterpret_cast<const std::byte*>(&header + 1);
  const auto add = [&](const std::byte* from, std::size_t bytes) {
    for (std::size_t k = 0; k < bytes; ++k) seen.sum += std::to_integer<unsigned>(from[k]);
  };
  if (message_bytes != 0) {
    add(data, std::size_t{header.count} * message_bytes);
    seen.messages += header.count;
    return;
  }
  messages::payload_messages all{data, data + header.bytes};
  for (std::uint32_t k = 0; k < header.count && !seen.fault; ++k) {
    constexpr std::size_t closure_bytes = 12;
    const std::byte* closure = nullptr;
    std::span<const std::byte> payload;
    seen.fault = all.next(closure_bytes, closure, payload);
    if (seen.fault) return;
    add(closure, closure_bytes);
    add(payload.data(), payload.size());
    if (!can_unpack(payload)) seen.fault = "a payload is neither read nor refused";
    ++seen.messages;
  }
}

// Locales of 1, 2, 1, 1 and 1 cores. The first byte has from and here. The parcel lies in memory of
// exactly its size. Handler n has messages of 8n bytes, and handler 0 messages with payloads.
inline opened_parcel open_parcel(std::string_view bytes) {
  static const job_shape shape({1, 2, 1, 1, 1});
  opened_parcel seen;
  if (bytes.empty()) return seen;
  const auto first = static_cast<unsigned char>(bytes.front());
  const locale_id from = first % 5, here = first / 5 % 5;
  bytes.remove_prefix(1);
  const std::unique_ptr<std::byte[]> memory(new std::byte[bytes.size()]);
  std::memcpy(memory.get(), bytes.data(), bytes.size());
  if (from == here) return seen;
  const auto found = messages::look_into({memory.get(), bytes.size()}, from, here, shape);
  seen.fault = found.fault;
  seen.blocks = found.blocks;
  std::byte* at = memory.get();
  for (std::uint64_t k = 0; k < seen.blocks && !seen.fault; ++k) {
    auto& b = *reinterpret_cast<messages::block*>(at);
    at += b.wire_bytes();
    std::byte* run = b.content();
    for (std::byte* const end = run + b.bytes; run < end && !seen.fault;) {
      const auto left = static_cast<std::size_t>(end - run);
      if (left < sizeof(messages::run_header)) {
        seen.fault = "it ends within a run's header";
        break;
      }
      const auto& header = *reinterpret_cast<const messages::run_header*>(run);
      const auto message_bytes = static_cast<std::uint32_t>(header.handler & 7) * 8;
      seen.fault = messages::fault_of_run(header, left, message_bytes);
      if (!seen.fault) open_run(header, message_bytes, seen);
      run += sizeof(header) + messages::padded(header.bytes);
    }
  }
  return seen;
}

// Empty: none is broken. The sanitizers tell of the others.
inline std::string broken_parcel_property(std::string_view bytes) {
  const opened_parcel seen = open_parcel(bytes), again = open_parcel(bytes);
  if (seen.fault && !std::strcmp(seen.fault, "a payload is neither read nor refused")) return seen.fault;
  if (seen.fault != again.fault || seen.sum != again.sum) return "not the same again";
  return seen.blocks * sizeof(messages::block) <= bytes.size() ? "" : "more blocks than there is room for";
}

}  // namespace orujo::internal::fuzz
