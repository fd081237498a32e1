#include "system/base/terminal.hpp"

#include <sys/ioctl.h>

#include <algorithm>
#include <cstdlib>

#include "system/base/numbers.hpp"

namespace orujo::internal::base {
namespace {

constexpr std::size_t unknown_width = 80, least_width = 20;

std::size_t columns_of_environment() {
  const char* const said = std::getenv("COLUMNS");
  return number_of<std::size_t>(said ? said : "").value_or(0);
}

bool continues_a_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0u) == 0x80u; }

// The bytes of the first `characters` of a text.
std::size_t bytes_of(std::string_view text, std::size_t characters) {
  std::size_t at = 0;
  for (; at < text.size() && characters > 0; --characters) {
    for (++at; at < text.size() && continues_a_character(text[at]);) ++at;
  }
  return at;
}

void append_wrapped(std::string& to, std::string_view line, std::size_t width) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  const std::string_view blanks = line.substr(0, indent);
  line.remove_prefix(indent);
  const std::size_t room = width > indent ? width - indent : 1;
  for (to += blanks; indent != 2; to.append("\n").append(blanks)) {
    const std::size_t most = bytes_of(line, room);
    if (most == line.size()) break;
    std::size_t end = line.rfind(' ', most);
    if (end == line.npos) end = line.find(' ', most);
    if (end == line.npos) break;
    to += line.substr(0, end);
    line.remove_prefix(end + 1);
  }
  to += line;
}

}  // namespace

std::size_t terminal_width(int descriptor) {
  std::size_t columns = columns_of_environment();
  winsize size{};
  if (columns == 0 && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0) columns = size.ws_col;
  return columns == 0 ? unknown_width : std::max(columns, least_width);
}

std::string wrapped(std::string_view text, std::size_t width) {
  std::string all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    append_wrapped(all, text.substr(0, end), width);
    if (end < text.size()) all += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

std::string cut_to(std::string_view line, std::size_t width) {
  if (bytes_of(line, width) == line.size()) return std::string(line);
  constexpr std::string_view dots = "...";
  const std::size_t kept = bytes_of(line, width - std::min(width, dots.size()));
  return std::string(line.substr(0, kept)).append(dots);
}

}  // namespace orujo::internal::base
