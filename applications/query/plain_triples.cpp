#include "applications/query/plain_triples.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>

namespace orujo::internal::query {
namespace {

// A number of hexadecimal digits as UTF-8.
std::string character(const std::string& digits) {
  const auto code = static_cast<std::uint32_t>(std::stoul(digits, nullptr, 16));
  const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  const std::uint32_t marks[] = {0, 0xc0, 0xe0, 0xf0};
  std::string made(1, static_cast<char>(marks[more] | code >> (6 * more)));
  for (int k = more - 1; k >= 0; --k) made += static_cast<char>(0x80 | (code >> (6 * k) & 0x3f));
  return made;
}

// Takes the text up to the closing character, inclusive.
std::string enclosed(std::string_view& left, char closing) {
  std::string made(1, left[0]);
  std::size_t at = 1;
  while (left[at] != closing) {
    if (left[at] != '\\') {
      made += left[at++];
    } else if (const std::size_t digits = left[at + 1] == 'u' ? 4 : left[at + 1] == 'U' ? 8 : 0; digits > 0) {
      made += character(std::string(left.substr(at + 2, digits)));
      at += 2 + digits;
    } else {
      const std::string_view kinds = "tbnrf", meant = "\t\b\n\r\f";
      const std::size_t kind = kinds.find(left[at + 1]);
      made += kind == kinds.npos ? left[at + 1] : meant[kind];
      at += 2;
    }
  }
  left.remove_prefix(at + 1);
  return made + closing;
}

std::string term(std::string_view& left) {
  if (left[0] == '<') return enclosed(left, '>');
  if (left[0] == '_') {
    std::size_t end = std::min(left.find_first_of(" \t<\"#\r\n"), left.size());
    while (left[end - 1] == '.') --end;
    std::string name(left.substr(0, end));
    left.remove_prefix(end);
    return name;
  }
  std::string made = enclosed(left, '"');
  if (left[0] == '@') {
    for (; std::isalnum(static_cast<unsigned char>(left[0])) || left[0] == '-' || left[0] == '@';
         left.remove_prefix(1))
      made += static_cast<char>(std::tolower(static_cast<unsigned char>(left[0])));
  } else if (left.starts_with("^^")) {
    left.remove_prefix(2);
    const std::string type = enclosed(left, '>');
    if (type != "<http://www.w3.org/2001/XMLSchema#string>") made += "^^" + type;
  }
  return made;
}

}  // namespace

bool next_plain_triple(std::string_view& left, std::vector<std::optional<std::string>>& terms) {
  terms.clear();
  if (left.starts_with("\xef\xbb\xbf")) left.remove_prefix(3);
  while (!left.empty()) {
    if (left[0] == '#') {
      left.remove_prefix(std::min(left.find('\n'), left.size()));
    } else if (left[0] == '.' || std::isspace(static_cast<unsigned char>(left[0]))) {
      left.remove_prefix(1);
    } else {
      terms.emplace_back(term(left));
      if (terms.size() == 3) return true;
    }
  }
  return false;
}

}  // namespace orujo::internal::query
