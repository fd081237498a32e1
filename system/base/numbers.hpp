// Numbers out of texts, as std::from_chars reads them: in decimal, without blanks or a plus sign.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace orujo::internal::base {

// Takes a number off the front of the text. Nothing, and the text stays, if there is none or it is too large
// for a T.
template <class T>
std::optional<T> take_number(std::string_view& text) {
  T number{};
  const auto [past, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return {};
  text.remove_prefix(static_cast<std::size_t>(past - text.data()));
  return number;
}

// The number that is the whole text, or nothing.
template <class T>
std::optional<T> number_of(std::string_view text) {
  const std::optional<T> number = take_number<T>(text);
  return text.empty() ? number : std::nullopt;
}

}  // namespace orujo::internal::base
