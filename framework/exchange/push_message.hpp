// Pushes in one message: as they are, 8 bytes each, or sorted by target and encoded.
//
// Encoded, a message is
//   | list message of the targets | list message of the sources, each once | code of each push's source |
// A code is the source's place in their list: 1 byte where there are at most 256 sources, else 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/exchange/codecs/selection.hpp"

namespace orujo::exchange {

// A target at its owner's locale, and the source as the locale of origin numbers it.
struct pushed_edge {
  std::uint32_t target;
  std::uint32_t source;
};

// What a message has beside its payload.
struct push_head {
  static constexpr std::uint32_t plain = 0;
  std::uint32_t targets_bytes = plain;  // of their list message; plain: pushes as they are
  std::uint32_t sources_bytes = 0;
};

// Room for encoding and decoding; one per core.
struct push_buffers {
  std::vector<std::uint32_t> targets, sources;
  std::vector<pushed_edge> edges;
  std::vector<std::byte> payload;
};

// Sorts at most 2^16 pushes, and puts them into room.payload if they are shorter encoded than plain and no
// target occurs twice. Counts the bytes by the metrics exchange.push_bytes*.
push_head encode_pushes(const codec_options& options, bool same_node, std::span<pushed_edge> edges,
                        push_buffers& room);

// The pushes of a message, until the next. The sender's mistakes end the job.
std::span<const pushed_edge> decode_pushes(const push_head& head, std::span<const std::byte> payload,
                                           push_buffers& room);

}  // namespace orujo::exchange
