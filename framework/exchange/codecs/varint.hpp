// Gaps less 1 in as few bytes as they need, seven bits each, the lowest first. The high bit is set if more
// follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace orujo::internal::exchange::varint {

// Bytes that encode() may write to.
constexpr std::size_t room(std::size_t count) { return 5 * count + sizeof(std::uint64_t); }

// `next` is the least integer that may come first: 0, or one more than the last of the part before. Returns
// the end of the bytes.
std::byte* encode(std::span<const std::uint32_t> list, std::uint64_t next, std::byte* to);
// Returns the error, or an empty string; then `next` is one more than the last of `into`.
std::string_view decode(std::span<const std::byte> bytes, std::span<std::uint32_t> into, std::uint64_t& next);

}  // namespace orujo::internal::exchange::varint
