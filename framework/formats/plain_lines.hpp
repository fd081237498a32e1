// What the fast paths of text_parser share: lines that are plain, of which nothing has to be said.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <system_error>

#include "framework/formats/names.hpp"
#include "framework/formats/text_parser.hpp"
#include "framework/formats/text_tokens.hpp"

namespace orujo::formats {

// These need a byte after the token that belongs to no token, such as the line's '\n'.

inline const char* skip_blanks(const char* p) {
  while (*p == ' ' || *p == '\t') ++p;
  return p;
}

constexpr bool separates(char c, char comma) { return c == ' ' || c == '\t' || c == comma; }

// Past the digits of an id that surely fits; nullptr if it is not one.
inline const char* plain_id(const char* p, std::uint64_t& id) {
  constexpr std::ptrdiff_t digits_that_fit = 19;
  const char* const start = p;
  std::uint64_t value = 0;
  for (; is_digit(*p); ++p) value = value * 10 + static_cast<unsigned char>(*p - '0');
  id = value;
  return p == start || p - start > digits_that_fit ? nullptr : p;
}

// Past the name; nullptr if there is none. Of a line with a mistake names are numbered, too.
inline const char* plain_name(const char* p, name_set& names, std::uint64_t& number) {
  const char* const start = p;
  while (is_plain_name_byte(*p)) ++p;
  if (p == start || *start == '"' || *p == before_c1) return nullptr;
  number = names.number_of({start, static_cast<std::size_t>(p - start)});
  return p;
}

inline const char* plain_weight(const char* p, const char* end, float& weight) {
  const auto [past, error] = std::from_chars(p, end, weight);
  return error == std::errc() && std::isfinite(weight) ? past : nullptr;
}

inline void text_parser::add(const edge& e) {
  sink_.edges.push_back(e);
  if (layout_.mirrored && e.source != e.target) sink_.edges.push_back({e.target, e.source});
}

inline void text_parser::add(const edge& e, float weight) {
  add(e);
  sink_.weights.push_back(weight);
  if (layout_.mirrored && e.source != e.target) sink_.weights.push_back(layout_.negated ? -weight : weight);
}

}  // namespace orujo::formats
