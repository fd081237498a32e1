#include "framework/formats/rounded_weight.hpp"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

namespace orujo::internal::formats {

void note_weight_of_text(edge_list& list, std::string_view text, float read) {
  if (std::abs(read) < exact_whole_weights) return;
  if (text.starts_with('-')) text.remove_prefix(1);
  std::uint64_t whole = 0;
  const auto [past, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
  text.remove_prefix(static_cast<std::size_t>(past - text.data()));
  if (error != std::errc() || (!text.empty() && text[0] != '.')) return;
  if (text.find_first_not_of(".0") == text.npos) note_whole_weight(list, whole, read);
}

std::string describe_rounded(std::string_view name, std::uint64_t weight) {
  return fmt::format(
      "{}: the weight {} is read as {:.0f}, as weights are kept in single precision, which holds whole "
      "numbers up to {:.0f}; divide them by a common factor, or accept the rounded weight",
      name, weight, static_cast<float>(weight), exact_whole_weights);
}

}  // namespace orujo::internal::formats
