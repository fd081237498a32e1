// Foreign texts, made safe for the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orujo::internal::base {

// Number of bytes of the text's first character, if that is UTF-8 which a terminal shows. It is 0 if a
// terminal may take the first byte for a command, a line's end or another encoding. The text is not empty.
constexpr std::size_t bytes_shown(std::string_view text) {
  const auto byte = [text](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u;
  };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return first >= 0x20 && first != 0x7f;
  if (first < 0xc2 || first > 0xf4) return 0;
  const std::size_t count = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  for (std::size_t k = 1; k < count; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return 0;
  }
  const bool is_command = first == 0xc2 && second < 0xa0;  // U+0080 to U+009F
  const bool is_too_long = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  return is_command || is_too_long ? 0 : count;
}

// Calls `add` with the pieces of a text, with \xNN for bytes that are not shown. A message of a file or an
// exception so stays one line and cannot steer the terminal. Allocates nothing.
template <class Add>  // std::string_view ->
constexpr void each_printable(std::string_view text, Add add) {
  constexpr std::string_view digits = "0123456789abcdef";
  while (!text.empty()) {
    const std::size_t shown = bytes_shown(text);
    if (shown > 0) {
      add(text.substr(0, shown));
    } else {
      const auto byte = static_cast<unsigned char>(text.front());
      const char name[] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
      add(std::string_view(name, sizeof name));
    }
    text.remove_prefix(shown > 0 ? shown : 1);
  }
}

// All pieces as one string.
std::string printable(std::string_view text);

}  // namespace orujo::internal::base
