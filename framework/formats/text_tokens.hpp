// Numbers in text, and what to say of what is none.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

#include "framework/formats/text_layout.hpp"

namespace orujo::internal::formats {

// Between columns, and of edge lists and values.
inline constexpr std::string_view blanks = " \t";
inline constexpr std::string_view separators = " \t,";

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

// All of the token.
template <class Number>
std::errc parse_number(std::string_view token, Number& value) {
  const auto [past, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error == std::errc() && past != token.data() + token.size()) return std::errc::invalid_argument;
  return error;
}

// All of the token, as the nearest float: what is too small for one is 0 or subnormal, as IEEE 754 has it.
std::errc parse_weight(std::string_view token, float& weight);

// The value of an attribute in a Python dictionary such as {'weight': 3, "since": 'May'}, or empty if there
// is none of that name. Returns false if the text is not such a dictionary.
bool find_attribute(std::string_view dictionary, std::string_view name, std::string_view& value);

// A token as it is shown in a message: short, quoted and printable.
std::string shown(std::string_view token);
// The error "what; what is expected" of a token that is not a name, not a vertex of the layout, or not a
// weight, for which parse_weight() returned `error`.
std::string why_no_name(std::string_view token);
std::string why_no_id(std::string_view token, const text_layout& layout);
std::string why_no_weight(std::string_view token, std::errc error);
// The error of a finite weight that the layout does not accept.
std::string why_wrong_weight(std::string_view token, float weight);

// True if the layout accepts a finite weight.
inline bool suits(const text_layout& layout, float weight) {
  return weight >= layout.least_weight && (!layout.whole_weights || std::trunc(weight) == weight);
}

}  // namespace orujo::internal::formats
