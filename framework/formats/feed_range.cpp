#include "framework/formats/feed_range.hpp"

namespace orujo::internal::formats::detail {

result<std::uint64_t> find_line(byte_source& source, std::uint64_t first, std::uint64_t last,
                                std::span<char> buffer) {
  for (std::uint64_t at = first - 1; at + 1 < last;) {
    const auto want = std::min<std::uint64_t>(tail_bytes, last - 1 - at);
    auto got = read_text_at(source, at, buffer.first(static_cast<std::size_t>(want)));
    if (!got.ok()) return got.status();
    if (got.value() == 0) return last;
    const std::size_t found = std::string_view(buffer.data(), got.value()).find('\n');
    if (found != std::string_view::npos) return at + found + 1;
    at += got.value();
  }
  return last;
}

}  // namespace orujo::internal::formats::detail
