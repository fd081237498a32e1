#include "framework/formats/header_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "system/base/numbers.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::string_view between_words = " \t\r";
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

}  // namespace

std::vector<word> words_of(std::string_view line) {
  std::vector<word> words;
  for (std::size_t end = 0;;) {
    const std::size_t start = line.find_first_not_of(between_words, end);
    if (start == line.npos) return words;
    end = std::min(line.find_first_of(between_words, start), line.size());
    words.push_back({line.substr(start, end - start), start + 1});
  }
}

std::string lower(std::string_view text) {
  std::string copy(text);
  for (char& c : copy) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return copy;
}

bool header_reader::next() {
  at_ = past_;
  if (at_ >= head_.size()) return false;
  std::size_t end = std::min(head_.find_first_of("\r\n", at_), head_.size());
  if (head_.substr(end, 2) == "\r\n") ++end;
  line_ = head_.substr(at_, end - at_);
  if (at_ == 0 && line_.starts_with(byte_order_mark)) line_.remove_prefix(byte_order_mark.size());
  past_ = std::min(end + 1, head_.size());
  ++number_;
  words_ = words_of(line_);
  return true;
}

void header_reader::set_body_behind(text_layout& layout) const {
  layout.body = past_;
  const char last = head_[past_ - 1];
  layout.lines_before = number_ - (last == '\n' || last == '\r' ? 0 : 1);
}

void header_reader::set_body_here(text_layout& layout) const {
  layout.body = static_cast<std::uint64_t>(line_.data() - head_.data());
  layout.lines_before = number_ - 1;
}

status header_reader::bad(std::size_t column, std::string_view what) const {
  return {exit_status::bad_data, fmt::format("{}:{}:{}: {}", path_, number_, column, what)};
}

status read_counts(const header_reader& header, std::size_t first, std::span<std::uint64_t> counts,
                   std::string_view expected) {
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const auto number = first + k < header.words().size()
                            ? base::number_of<std::uint64_t>(header.words()[first + k].text)
                            : std::optional<std::uint64_t>();
    if (!number) return header.bad_word(first + k, fmt::format("no whole number; {}", expected));
    counts[k] = *number;
  }
  if (header.words().size() > first + counts.size())
    return header.bad_word(first + counts.size(), fmt::format("more than that; {}", expected));
  return {};
}

}  // namespace orujo::internal::formats
