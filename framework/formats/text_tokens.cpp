#include "framework/formats/text_tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "framework/formats/names.hpp"

namespace orujo::internal::formats {

std::errc parse_weight(std::string_view token, float& weight) {
  const std::errc error = parse_number(token, weight);
  if (error != std::errc::result_out_of_range) return error;
  float nearest = 0;
  std::sscanf(std::string(token).c_str(), "%f", &nearest);
  if (std::abs(nearest) > 1) return error;
  weight = nearest;
  return {};
}

namespace {

// The end of the text in quotes, or of the value up to a comma or bracket of its own depth, that begins at
// byte `at`; npos where it does not end.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '\'' || c == '"') {
      for (++at; at < text.size() && text[at] != c; ++at) at += text[at] == '\\' ? 1 : 0;
    } else if (c == '{' || c == '[' || c == '(') {
      ++depth;
    } else if (depth == 0 && (c == '}' || c == ',' || c == ':')) {
      return at;
    } else if (c == '}' || c == ']' || c == ')') {
      --depth;
    }
    ++at;
  }
  return text.npos;
}

std::string_view without_quotes(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  const bool quoted = text.size() > 1 && (text[0] == '\'' || text[0] == '"') && text.back() == text[0];
  return quoted ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

bool find_attribute(std::string_view dictionary, std::string_view name, std::string_view& value) {
  value = {};
  const auto skip = [&](std::size_t at) {
    return std::min(dictionary.find_first_not_of(blanks, at), dictionary.size());
  };
  if (!dictionary.starts_with('{')) return false;
  for (std::size_t at = skip(1);;) {
    if (at + 1 == dictionary.size()) return dictionary[at] == '}';
    const std::size_t colon = end_of_value(dictionary, at);
    if (colon == dictionary.npos || dictionary[colon] != ':') return false;
    const std::size_t begin = skip(colon + 1), end = end_of_value(dictionary, begin);
    if (end == dictionary.npos || dictionary[end] == ':') return false;
    if (without_quotes(dictionary.substr(at, colon - at)) == name)
      value = without_quotes(dictionary.substr(begin, end - begin));
    at = dictionary[end] == ',' ? skip(end + 1) : end;
  }
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
  const std::string_view why = token.empty()                                 ? "is not a name"
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
    why = "is not a vertex of the file";
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

}  // namespace orujo::internal::formats
