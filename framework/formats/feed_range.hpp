// Gives a parser of lines its byte range of a file, with line ends as line_ends.hpp says.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "framework/formats/byte_source.hpp"
#include "framework/formats/line_ends.hpp"

namespace orujo::internal::formats {

namespace detail {
inline constexpr std::size_t chunk_bytes = std::size_t{1} << 20;
inline constexpr std::size_t tail_bytes = std::size_t{4} << 10;  // read at a time in search of a line's end

// The first line start in [first, last), or `last` if there is none. first is not 0.
result<std::uint64_t> find_line(byte_source& source, std::uint64_t first, std::uint64_t last,
                                std::span<char> buffer);
}  // namespace detail

// Gives a parser the lines that start in bytes [first, last) of a seekable source, but not before `body`,
// where a line starts. Whenever the parser has had some it calls fed(bytes done, bytes in all), and fails
// where that does.
template <class Parser, class Fed>
status feed_range(byte_source& source, std::uint64_t body, std::uint64_t first, std::uint64_t last,
                  Parser& parser, Fed fed) {
  const bool first_part = first <= body && body < last;
  first = std::max(first, body);
  if (first >= last) return {};
  std::vector<char> buffer(std::clamp<std::uint64_t>(last - first, detail::tail_bytes, detail::chunk_bytes));
  auto start = first_part ? first : detail::find_line(source, first, last, buffer);
  if (!start.ok()) return start.status();

  std::uint64_t at = start.value();
  while (!parser.failed() && (at < last || parser.inside_line())) {
    const auto want = at < last ? std::min<std::uint64_t>(buffer.size(), last - at) : detail::tail_bytes;
    auto got = read_text_at(source, at, std::span(buffer).first(static_cast<std::size_t>(want)));
    if (!got.ok()) return got.status();
    if (got.value() == 0) break;
    std::string_view bytes(buffer.data(), got.value());
    if (at >= last) bytes = bytes.substr(0, std::min(bytes.find('\n'), bytes.size() - 1) + 1);
    parser.feed(bytes);
    at += bytes.size();
    if (status failed = fed(at - start.value(), last - start.value()); !failed.ok()) return failed;
  }
  parser.finish();
  return {};
}

}  // namespace orujo::internal::formats
