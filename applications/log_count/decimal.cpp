#include "applications/log_count/decimal.hpp"

#include <algorithm>
#include <cstddef>

namespace orujo::internal::log_count {
namespace {

constexpr std::size_t digits_before = 18, digits_behind = 9;

bool are_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::optional<decimal> parse_decimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view before = text.substr(0, point),
                         behind = text.substr(std::min(point + 1, text.size()));
  if (before.size() + behind.size() == 0 || before.size() > digits_before || behind.size() > digits_behind)
    return {};
  if (!are_digits(before) || !are_digits(behind)) return {};
  __int128 value = 0;
  for (const char c : before) value = 10 * value + (c - '0');
  for (std::size_t k = 0; k < digits_behind; ++k)
    value = 10 * value + (k < behind.size() ? behind[k] - '0' : 0);
  return decimal(negative ? -value : value);
}

std::string text_of(decimal value) {
  std::string digits;  // from the last one on
  const __int128 billionths = value.billionths();
  const bool negative = billionths < 0;
  auto rest = static_cast<unsigned __int128>(billionths);
  if (negative) rest = -rest;
  for (; rest > 0 || digits.size() <= digits_behind; rest /= 10)
    digits += static_cast<char>('0' + static_cast<int>(rest % 10));
  std::string behind = digits.substr(0, digits_behind), before = digits.substr(digits_behind);
  std::reverse(behind.begin(), behind.end());
  std::reverse(before.begin(), before.end());
  behind.erase(behind.find_last_not_of('0') + 1);
  return (negative ? "-" : "") + before + (behind.empty() ? "" : "." + behind);
}

}  // namespace orujo::internal::log_count
