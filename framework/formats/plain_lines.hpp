// The fast paths of text_parser: parsers of plain lines without any mistake.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <system_error>

#include "framework/formats/names.hpp"
#include "framework/formats/rounded_weight.hpp"
#include "framework/formats/text_parser.hpp"
#include "framework/formats/text_tokens.hpp"

namespace orujo::internal::formats {

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

// Returns the end of the name, or nullptr if there is none. Names of a line with a mistake are numbered, too.
inline const char* plain_name(const char* p, name_set& names, std::uint64_t& number) {
  const char* const start = p;
  p = skip_plain_name(p);
  if (p == start || *start == '"' || is_name_byte(*p)) return nullptr;
  number = names.number_of({start, static_cast<std::size_t>(p - start)});
  return p;
}

// The weight of an edge of the list.
inline const char* plain_weight(const char* p, const char* end, float& weight, edge_list& list) {
  const auto [past, error] = std::from_chars(p, end, weight);
  if (error != std::errc() || !std::isfinite(weight)) return nullptr;
  if (std::abs(weight) >= exact_whole_weights) [[unlikely]]
    note_weight_of_text(list, {p, past}, weight);
  return past;
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

}  // namespace orujo::internal::formats
