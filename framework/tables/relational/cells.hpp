// Numbers among the fields of a table's files; all other fields are texts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

#include "framework/formats/text_tokens.hpp"
#include "framework/tables/relational/columns.hpp"

namespace orujo::internal::relational {

namespace detail {
inline std::string_view without_plus(std::string_view text) { return text.substr(text.starts_with('+')); }
inline bool is_whole(std::string_view text) {
  text.remove_prefix(text.starts_with('-'));
  return std::ranges::all_of(text, formats::is_digit);
}
// text: an integer.
inline bool has_leading_zero(std::string_view text) {
  text.remove_prefix(text.starts_with('-'));
  return text.size() > 1 && text[0] == '0' && formats::is_digit(text[1]);
}
}  // namespace detail

// An integer of 64 bits. One with leading zeros, such as a postal code, is none: they mean something.
inline bool parse_integer(std::string_view text, word& value) {
  text = detail::without_plus(text);
  return !detail::has_leading_zero(text) && formats::parse_number(text, value) == std::errc();
}

// A number that is near enough to a double, or an infinite one as it is written. An integer that does not fit
// 64 bits, such as an id, is none: a double would be another.
inline bool parse_real(std::string_view text, double& value) {
  constexpr std::size_t fits_64_bits = 18;  // digits
  text = detail::without_plus(text);
  const std::errc error = formats::parse_number(text, value);
  if (error == std::errc::invalid_argument) return false;
  const bool is_plain = text.size() <= fits_64_bits && !detail::has_leading_zero(text);
  if (error == std::errc() && is_plain && std::isfinite(value)) return true;
  if (detail::is_whole(text)) {
    word whole = 0;
    return parse_integer(text, whole);
  }
  if (error == std::errc::result_out_of_range) {
    value = std::strtod(std::string(text).c_str(), nullptr);
    return std::isfinite(value);  // next to 0
  }
  const std::string_view magnitude = text.substr(text.starts_with('-'));
  return std::isfinite(value) || magnitude == "inf" || magnitude == "Infinity";
}

// The reason why a field is neither: "'NA' is no number".
inline std::string why_no_number(std::string_view field) {
  const std::string_view text = detail::without_plus(field);
  double value = 0;
  std::string with_point(text);
  std::ranges::replace(with_point, ',', '.');
  const auto is_number = [&](std::string_view one) {
    return formats::parse_number(one, value) != std::errc::invalid_argument && !std::isnan(value);
  };
  return formats::shown(field) + (!is_number(with_point) ? " is not a number"
                                  : !is_number(text)     ? " has a decimal comma in place of a point"
                                  : detail::has_leading_zero(text) ? " has leading zeros"
                                  : detail::is_whole(text)         ? " is an integer beyond 64 bits"
                                                                   : " is beyond the range of doubles");
}

}  // namespace orujo::internal::relational
