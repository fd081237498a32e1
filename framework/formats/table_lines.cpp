// The rows of tables, as text_parser reads them: each is a line.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "framework/formats/header_reader.hpp"
#include "framework/formats/plain_lines.hpp"
#include "framework/formats/table_fields.hpp"
#include "framework/formats/table_header.hpp"
#include "framework/formats/text_parser.hpp"
#include "system/base/counted.hpp"

namespace orujo::internal::formats {
namespace {

const char* find_byte(const char* first, const char* last, char byte) {
  const void* found = std::memchr(first, byte, static_cast<std::size_t>(last - first));
  return found ? static_cast<const char*>(found) : last;
}

}  // namespace

const char* text_parser::parse_plain_rows(const char* line, const char* end) {
  const bool weighted = layout_.table.weight != table_columns::none;
  const auto parse = [&](auto is_weighted, auto is_named) {
    constexpr bool with_weights = is_weighted, with_names = is_named;
    return layout_.table.quotes() ? parse_plain_rows<with_weights, with_names, false>(line, end)
                                  : parse_plain_rows<with_weights, with_names, true>(line, end);
  };
  const std::true_type yes;
  const std::false_type no;
  if (names_ != nullptr) return weighted ? parse(yes, yes) : parse(no, yes);
  return weighted ? parse(yes, no) : parse(no, no);
}

// Parses rows from `line` on; returns the first one that needs a careful look, or `end`. Blanks: they are
// what columns are apart by.
template <bool Weighted, bool Named, bool Blanks>
const char* text_parser::parse_plain_rows(const char* line, const char* end) {
  const table_columns table = layout_.table;
  const char separator = table.separator;
  const std::uint32_t last = table.last();
  if (!Blanks && (next_quote_ == nullptr || next_quote_ < line)) next_quote_ = find_byte(line, end, '"');
  const char* const next_quote = Blanks ? end : next_quote_;
  const auto ends_field = [&](char c) { return Blanks ? c == ' ' || c == '\t' : c == separator; };
  std::string_view source_name, target_name;  // which are numbered when the row is known to be plain
  const auto read_vertex = [&](const char* p, std::uint64_t& id, std::string_view& name) {
    if constexpr (Named) {
      const char* const start = p;
      p = skip_plain_name(p);
      name = {start, static_cast<std::size_t>(p - start)};
      return p == start || is_name_byte(*p) || (!Blanks && *start == '"') ? nullptr : p;
    } else {
      return plain_id(p, id);
    }
  };
  std::uint64_t lines = 0;
  while (line != end) {
    edge e;
    float weight = 0;
    const char* p = Blanks ? skip_blanks(line) : line;
    if (Blanks && begins_comment({p, static_cast<std::size_t>(end - p)})) break;
    for (std::uint32_t column = 0;; ++column) {
      if (column == table.source) {
        p = read_vertex(p, e.source, source_name);
      } else if (column == table.target) {
        p = read_vertex(p, e.target, target_name);
      } else if (Weighted && column == table.weight) {
        p = plain_weight(p, end, weight, sink_);
      } else if (column == table.type) {
        const char* const start = p;
        while (!ends_field(*p) && *p != '\n' && *p != '\r') ++p;
        if (!is_type({start, static_cast<std::size_t>(p - start)})) p = nullptr;
      } else {
        while (!ends_field(*p) && *p != '\n' && *p != '\r') ++p;
      }
      if (p == nullptr || column == last || !ends_field(*p)) {
        if (p != nullptr && column != last) p = nullptr;
        break;
      }
      p = Blanks ? skip_blanks(p) : p + 1;
    }
    if (p == nullptr || !suits(layout_, weight) || e.source > table.most_source ||
        e.target > table.most_target || (table.target_shift > 0 && (e.source == 0 || e.target == 0)))
      break;
    if (*p == '\r') ++p;
    if (*p != '\n') {  // columns after the wanted ones
      if (!ends_field(*p)) break;
      const char* const feed = find_byte(p, end, '\n');
      p = find_byte(p, feed, '\r');
      if (p + 1 < feed) break;  // a CR alone ends the line
      p = feed;
    }
    if (p > next_quote || p - line > static_cast<std::ptrdiff_t>(longest_line_bytes)) break;
    if constexpr (Named) e = {names_->number_of(source_name), names_->number_of(target_name)};
    e.target += table.target_shift;
    if constexpr (Weighted) {
      add(e, weight);
    } else {
      add(e);
    }
    ++lines;
    line = p + 1;
  }
  summary_.edges += lines;
  summary_.lines += lines;
  return line;
}

bool text_parser::is_type(std::string_view text) const {
  return lower(text) == (layout_.mirrored ? undirected_type : directed_type);
}

// Parses a row that has all its columns.
void text_parser::parse_row(std::string_view line) {
  const table_columns& table = layout_.table;
  edge e;
  float weight = 0;
  std::uint32_t column = 0, taken = 0, types = 0;
  field_reader fields(line, table.separator);
  std::string quoted;
  if (line.find_first_not_of(blanks) == line.npos) return;
  for (table_field field; fields.next(field); ++column) {
    if (column == table.type && !is_type(field.value(quoted)))
      return fail(
          field.column,
          fmt::format("an edge of the type {} after others that are {}; expected the same type in all rows",
                      shown(field.value(quoted)), layout_.mirrored ? undirected_type : directed_type));
    types += column == table.type ? 1 : 0;
    if (column != table.source && column != table.target && column != table.weight) continue;
    if (!take_field(column, field.value(quoted), field.column, e, weight)) return;
    ++taken;
  }
  if (fields.failed()) return fail(fields.error_column(), fields.error());
  const std::uint32_t read = table.weight == table_columns::none ? 2 : 3;  // an ignored weight is not
  if (taken < read || (table.type != table_columns::none && types == 0))
    return fail(line.size() + 1, fmt::format("only {}; {}", base::counted(table.columns_of(column), "column"),
                                             expected_line(layout_)));
  accept(e, weight, summary_.columns, 1);
}

// Fails if the text is not what the column has.
bool text_parser::take_field(std::uint32_t column, std::string_view text, std::size_t at, edge& e,
                             float& weight) {
  if (column == layout_.table.weight) {
    const std::string wrong = read_weight(text, weight);
    if (!wrong.empty()) fail(at, wrong);
    return wrong.empty();
  }
  const bool is_source = column == layout_.table.source;
  std::uint64_t& id = is_source ? e.source : e.target;
  const std::uint64_t most = is_source ? layout_.table.most_source : layout_.table.most_target;
  if (!read_vertex(text, id)) {
    fail(at, names_ != nullptr ? why_no_name(text) : why_no_id(text, layout_));
    return false;
  }
  const std::uint64_t least = layout_.table.target_shift > 0 ? 1 : 0;
  if (names_ != nullptr || (id >= least && id <= most)) return true;
  fail(at,
       fmt::format("{} is not a vertex of the file; expected an id from {} to {}", shown(text), least, most));
  return false;
}

}  // namespace orujo::internal::formats
