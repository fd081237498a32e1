#include "framework/formats/table_fields.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "framework/formats/header_reader.hpp"
#include "framework/formats/text_tokens.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::string_view separator_choices = "\t,;|";

}  // namespace

std::string_view table_field::value(std::string& quoted) const {
  if (!has_quotes) return text;
  quoted.clear();
  for (std::size_t k = 0; k < text.size(); ++k) {
    quoted += text[k];
    if (text[k] == '"') ++k;
  }
  return quoted;
}

field_reader::field_reader(std::string_view line, char separator) : line_(line), separator_(separator) {
  if (line_.ends_with('\r')) line_.remove_suffix(1);
}

bool field_reader::next(table_field& field) {
  if (ended_ || failed()) return false;
  if (separator_ == ' ') return next_between_blanks(field);
  const auto is_blank = [this](char c) { return c == ' ' || (c == '\t' && separator_ != '\t'); };
  std::size_t start = at_;
  while (start < line_.size() && is_blank(line_[start])) ++start;
  if (start < line_.size() && line_[start] == '"') return next_in_quotes(start, field);
  const std::size_t end = std::min(line_.find(separator_, start), line_.size());
  ended_ = end == line_.size();
  at_ = end + 1;
  std::size_t last = end;
  while (last > start && is_blank(line_[last - 1])) --last;
  field = {line_.substr(start, last - start), false, start + 1};
  return true;
}

bool field_reader::next_between_blanks(table_field& field) {
  const std::size_t start = line_.find_first_not_of(blanks, at_);
  ended_ = start == line_.npos;
  if (ended_) return false;
  at_ = std::min(line_.find_first_of(blanks, start), line_.size());
  field = {line_.substr(start, at_ - start), false, start + 1};
  return true;
}

bool field_reader::next_in_quotes(std::size_t start, table_field& field) {
  field = {{}, false, start + 1, true};
  std::size_t end = line_.find('"', start + 1);
  for (; end != line_.npos && line_.substr(end + 1, 1) == "\""; end = line_.find('"', end + 2))
    field.has_quotes = true;
  if (end == line_.npos) {
    error_ = "a text in quotes that does not end in its line; expected one without line ends";
    error_column_ = start + 1;
    return false;
  }
  field.text = line_.substr(start + 1, end - start - 1);
  const std::size_t behind =
      std::min(line_.find_first_not_of(separator_ == '\t' ? " " : " \t", end + 1), line_.size());
  ended_ = behind == line_.size();
  if (!ended_ && line_[behind] != separator_) {
    error_ = "text after the closing quote; expected quotes inside a text to be doubled";
    error_column_ = behind + 1;
    return false;
  }
  at_ = behind + 1;
  return true;
}

std::optional<std::size_t> find_column(std::span<const std::string> names, std::string_view name) {
  const auto exact = std::ranges::find(names, name);
  if (exact != names.end()) return static_cast<std::size_t>(exact - names.begin());
  const std::string wanted = lower(name);
  const auto fits = [&](const std::string& one) { return lower(one) == wanted; };
  const auto found = std::ranges::find_if(names, fits);
  if (found == names.end() || std::find_if(found + 1, names.end(), fits) != names.end()) return {};
  return static_cast<std::size_t>(found - names.begin());
}

char separator_of(std::string_view line) {
  std::array<std::size_t, separator_choices.size()> counts{};
  std::size_t decimal_commas = 0;
  bool quoted = false, begins = true;  // a field
  for (std::size_t k = 0; k < line.size(); ++k) {
    const std::size_t choice = quoted ? line.npos : separator_choices.find(line[k]);
    if (choice != line.npos) {
      ++counts[choice];
      const bool between_digits =
          k > 0 && k + 1 < line.size() && is_digit(line[k - 1]) && is_digit(line[k + 1]);
      decimal_commas += line[k] == ',' && between_digits ? 1 : 0;
      begins = true;
    } else if (line[k] == '"') {
      quoted = begins && !quoted;
    } else {
      begins = begins && (quoted || line[k] == ' ');
    }
  }
  std::size_t& commas = counts[separator_choices.find(',')];
  if (std::accumulate(counts.begin(), counts.end(), std::size_t{0}) > commas) commas -= decimal_commas;
  const auto most = std::ranges::max_element(counts);
  return *most == 0 ? ' ' : separator_choices[static_cast<std::size_t>(most - counts.begin())];
}

}  // namespace orujo::internal::formats
