#include "framework/formats/text_tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "framework/formats/names.hpp"

namespace orujo::formats {

std::errc parse_weight(std::string_view token, float& weight) {
  const std::errc error = parse_number(token, weight);
  if (error != std::errc::result_out_of_range) return error;
  float nearest = 0;
  std::sscanf(std::string(token).c_str(), "%f", &nearest);
  if (std::abs(nearest) > 1) return error;
  weight = nearest;
  return {};
}

std::string shown(std::string_view token) {
  constexpr std::size_t longest = 24;
  std::string text = "'";
  for (const char c : token.substr(0, longest)) {
    if (c >= 0x20 && c < 0x7f) {
      text += c;
    } else {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return text += token.size() > longest ? "...'" : "'";
}

std::string why_no_name(std::string_view token) {
  if (is_name(token))
    return fmt::format(
        "{} begins with a quote; expected names without quotes, or --format=csv, which has names "
        "in quotes",
        shown(token));
  const std::string_view why = token.empty()                                 ? "is no name"
                               : token.front() == ' ' || token.back() == ' ' ? "begins or ends with a blank"
                               : token.find('\0') != token.npos              ? "holds a NUL byte"
                                                                             : "holds a control character";
  return fmt::format("{} {}; expected a name without control characters", shown(token), why);
}

std::string why_no_id(std::string_view token, const text_layout& layout) {
  const bool negative = token.starts_with('-');
  const std::string_view rest = token.substr(negative ? 1 : 0);
  double number = 0;
  std::string_view why = "is not a number";
  if (token.find('\0') != token.npos) {
    why = "holds a NUL byte";
  } else if (std::uint64_t id = 0; parse_number(token, id) == std::errc()) {
    why = "is no vertex of the file";
  } else if (!rest.empty() && std::all_of(rest.begin(), rest.end(), is_digit)) {
    why = negative ? "is negative" : "does not fit 64 bits";
  } else if (rest.starts_with("0x") || rest.starts_with("0X")) {
    why = "is hexadecimal";
  } else if (parse_number(token, number) != std::errc::invalid_argument && std::isfinite(number)) {
    why = "is not a whole number";
  }
  return fmt::format("{} {}; expected a decimal vertex id from {} to {}{}", shown(token), why,
                     layout.least_id, layout.most_id,
                     layout.format == text_format::edge_list || layout.format == text_format::csv
                         ? ", or a name with --names"
                         : "");
}

std::string why_no_weight(std::string_view token, std::errc error) {
  std::string_view why = "is not a number";
  if (token.find('\0') != token.npos) {
    why = "holds a NUL byte";
  } else if (error == std::errc::result_out_of_range) {
    why = "does not fit a float";
  } else if (error == std::errc()) {
    why = "is not finite";
  }
  return fmt::format("{} {}; expected a decimal weight that is finite as float", shown(token), why);
}

std::string why_wrong_weight(std::string_view token, float weight) {
  if (weight < 0) return fmt::format("{} is negative; expected a weight of at least 0", shown(token));
  return fmt::format("{} is not a whole number, as the header says", shown(token));
}

}  // namespace orujo::formats
