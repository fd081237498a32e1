// The bytes of varint, compressed by LZ4 in pieces: short if gaps repeat. The layout is
//
//   | bytes of the piece, 4 bytes | LZ4 block | .. for every 2^14 integers
#include <lz4.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "framework/exchange/codecs/codec.hpp"
#include "framework/exchange/codecs/varint.hpp"

namespace orujo::internal::exchange::lz4 {
namespace {

constexpr std::size_t piece = 1 << 14;  // integers; their bytes fill about LZ4's window
constexpr std::size_t head = sizeof(std::uint32_t);

std::size_t room(std::size_t count) {
  const std::size_t pieces = (count + piece - 1) / piece;
  return pieces * (head + static_cast<std::size_t>(LZ4_COMPRESSBOUND(varint::room(piece))));
}

char* chars(std::byte* bytes) { return reinterpret_cast<char*>(bytes); }
const char* chars(const std::byte* bytes) { return reinterpret_cast<const char*>(bytes); }

std::size_t encode(std::span<const std::uint32_t> list, std::span<std::byte> into) {
  const auto gaps = std::make_unique_for_overwrite<std::byte[]>(varint::room(std::min(piece, list.size())));
  // Else LZ4 would use the stack, which is small in a task.
  const auto state = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(LZ4_sizeofState()));
  std::byte* to = into.data();
  std::uint64_t next = 0;
  for (std::size_t k = 0; k < list.size(); k += piece) {
    const auto part = list.subspan(k, std::min(piece, list.size() - k));
    const auto bytes = varint::encode(part, next, gaps.get()) - gaps.get();
    next = std::uint64_t{part.back()} + 1;
    const auto left = into.data() + into.size() - to - static_cast<std::ptrdiff_t>(head);
    const auto used = static_cast<std::uint32_t>(
        LZ4_compress_fast_extState(state.get(), chars(gaps.get()), chars(to + head), static_cast<int>(bytes),
                                   static_cast<int>(std::min<std::ptrdiff_t>(left, LZ4_MAX_INPUT_SIZE)), 1));
    std::memcpy(to, &used, head);
    to += head + used;
  }
  return static_cast<std::size_t>(to - into.data());
}

status decode(std::span<const std::byte> bytes, std::span<std::uint32_t> into) {
  const std::size_t most = varint::room(std::min(piece, into.size()));
  const auto gaps = std::make_unique_for_overwrite<std::byte[]>(most);
  std::uint64_t next = 0;
  for (std::size_t k = 0; k < into.size(); k += piece) {
    std::uint32_t size;
    if (bytes.size() < head) return corrupt("lz4", "ends within a piece's head");
    std::memcpy(&size, bytes.data(), head);
    bytes = bytes.subspan(head);
    if (size > bytes.size() || size > LZ4_MAX_INPUT_SIZE) return corrupt("lz4", "ends within a piece");
    const int made = LZ4_decompress_safe(chars(bytes.data()), chars(gaps.get()), static_cast<int>(size),
                                         static_cast<int>(most));
    if (made < 0) return corrupt("lz4", "a piece is no LZ4 block");
    bytes = bytes.subspan(size);
    const auto part = into.subspan(k, std::min(piece, into.size() - k));
    const auto wrong = varint::decode({gaps.get(), static_cast<std::size_t>(made)}, part, next);
    if (!wrong.empty()) return corrupt("lz4", wrong);
  }
  return bytes.empty() ? status() : corrupt("lz4", "bytes after the last piece");
}

}  // namespace
}  // namespace orujo::internal::exchange::lz4

namespace orujo::internal::exchange::detail {
extern const codec lz4_codec{"lz4", lz4::room, lz4::encode, lz4::decode};
}
