#include "framework/formats/text_cursor.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::size_t cursor_buffer_bytes = std::size_t{256} << 10;

}  // namespace

text_cursor::text_cursor(byte_source& source)
    : source_(source), stream_(source), buffer_(cursor_buffer_bytes) {
  for (const char c : {'\xef', '\xbb', '\xbf'}) {
    if (peek() != static_cast<unsigned char>(c)) break;
    get();
  }
  place_ = {1, 1};
}

void text_cursor::fill() {
  if (!failure_.ok()) return;
  const auto got = stream_.read(buffer_);
  if (!got.ok()) failure_ = got.status();
  at_ = 0;
  filled_ = got.ok() ? got.value() : 0;
}

void text_cursor::skip_blanks(bool lines) {
  while (is_blank(peek()) || (lines && peek() == '\n')) get();
}

void text_cursor::skip_line() {
  while (peek() != end && get() != '\n') {
  }
}

std::string text_cursor::word(std::string_view ends) {
  std::string text;
  for (int c = peek(); c != end && c != '\n' && !is_blank(c) && text.size() <= longest_text_bytes;
       c = peek()) {
    if (ends.find(static_cast<char>(c)) != ends.npos) break;
    text += static_cast<char>(get());
  }
  return text;
}

}  // namespace orujo::internal::formats
