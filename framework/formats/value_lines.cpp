#include "framework/formats/value_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "framework/formats/names.hpp"
#include "framework/formats/table_fields.hpp"
#include "framework/formats/text_tokens.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::string_view expected_columns = "expected 'vertex value'";
constexpr std::string_view expected_row = "expected 'vertex,value'";

std::size_t past_blanks(std::string_view line, std::size_t from) {
  return std::min(line.find_first_not_of(blanks, from), line.size());
}

// Past the text in quotes, those inside doubled, that begins at `from`; npos where it does not end.
std::size_t past_quotes(std::string_view line, std::size_t from, std::string& unquoted) {
  for (std::size_t at = from + 1; at < line.size(); ++at) {
    if (line[at] == '"' && line.substr(at + 1, 1) != "\"") return at + 1;
    at += line[at] == '"' ? 1 : 0;
    unquoted += line[at];
  }
  return line.npos;
}

}  // namespace

void value_parser::feed(std::string_view bytes) {
  while (!failed() && !bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    if (end == bytes.npos) return carry(bytes);
    if (inside_line()) {
      carry(bytes.substr(0, end));
      if (!failed()) parse_line(std::exchange(carry_, {}));
    } else {
      parse_line(bytes.substr(0, end));
    }
    if (!failed()) ++lines_;
    bytes.remove_prefix(end + 1);
  }
}

void value_parser::finish() {
  if (!failed() && inside_line()) parse_line(carry_);
  carry_.clear();
}

void value_parser::carry(std::string_view bytes) {
  const bool was_too_long = carry_.size() > longest_line_bytes;
  carry_.append(bytes.substr(0, longest_line_bytes + 1 - carry_.size()));
  // A line that is too long is parsed at once, so that no more of it is kept. A comment may be longer.
  if (!was_too_long && carry_.size() > longest_line_bytes) parse_line(carry_);
}

// Uses at most one byte more than longest_line_bytes of a line.
void value_parser::parse_line(std::string_view line) {
  if (starts_file_ && lines_ == 0) {
    if (line.starts_with("\xff\xfe") || line.starts_with("\xfe\xff"))
      return fail(1, "UTF-16 text; expected ASCII or UTF-8: convert it with iconv -f UTF-16 -t UTF-8");
    if (line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
  }
  if (line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t first = past_blanks(line, 0);
  if (first == line.size() || (!is_table_ && begins_comment(line.substr(first)))) return;
  if (line.size() > longest_line_bytes)
    return fail(1, fmt::format("a line longer than {} bytes; {}", longest_line_bytes, expected_columns));
  if (is_table_) return parse_row(line);
  parse_columns(line);
}

void value_parser::parse_columns(std::string_view line) {
  const std::size_t vertex = past_blanks(line, 0);
  std::string unquoted;
  std::size_t vertex_end = std::min(line.find_first_of(separators, vertex), line.size());
  if (line[vertex] == '"') vertex_end = past_quotes(line, vertex, unquoted);
  if (vertex_end == line.npos)
    return fail(vertex + 1, fmt::format("quotes that do not end; {}", expected_columns));
  std::size_t value = past_blanks(line, vertex_end);
  if (value < line.size() && line[value] == ',') value = past_blanks(line, value + 1);
  const std::size_t value_end = std::min(line.find_first_of(separators, value), line.size());
  if (vertex == vertex_end) return fail(vertex + 1, fmt::format("no vertex; {}", expected_columns));
  if (value == value_end) return fail(value + 1, fmt::format("no value; {}", expected_columns));
  if (past_blanks(line, value_end) < line.size())
    return fail(past_blanks(line, value_end) + 1, fmt::format("more than 2 columns; {}", expected_columns));
  take(line[vertex] == '"' ? unquoted : line.substr(vertex, vertex_end - vertex), vertex + 1,
       line.substr(value, value_end - value), value + 1);
}

void value_parser::parse_row(std::string_view line) {
  field_reader fields(line, ',');
  table_field vertex, value, more;
  const bool has_both = fields.next(vertex) && fields.next(value), has_more = fields.next(more);
  if (fields.failed()) return fail(fields.error_column(), std::string(fields.error()));
  if (!has_both) return fail(line.size() + 1, fmt::format("no value; {}", expected_row));
  if (has_more) return fail(more.column, fmt::format("more than 2 columns; {}", expected_row));
  double number = 0;
  const bool is_header = starts_file_ && may_be_header_ && vertex.text == "id" &&
                         parse_number(value.text, number) == std::errc::invalid_argument;
  may_be_header_ = false;
  std::string unquoted;
  if (!is_header) take(vertex.value(unquoted), vertex.column, value.text, value.column);
}

void value_parser::take(std::string_view vertex, std::size_t vertex_column, std::string_view value,
                        std::size_t value_column) {
  std::uint32_t column = 0;
  std::string wrong = take_({vertex, value, lines_ + 1, static_cast<std::uint32_t>(vertex_column),
                             static_cast<std::uint32_t>(value_column)},
                            column);
  if (!wrong.empty()) fail(column, std::move(wrong));
}

void value_parser::fail(std::size_t column, std::string text) {
  error_ = std::move(text);
  error_column_ = static_cast<std::uint32_t>(column);
}

}  // namespace orujo::internal::formats
