#include "framework/formats/text_sample.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "framework/formats/first_row.hpp"
#include "framework/formats/header_reader.hpp"
#include "framework/formats/source_bytes.hpp"
#include "framework/formats/table_fields.hpp"
#include "framework/formats/table_header.hpp"
#include "framework/formats/text_tokens.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::size_t rows_looked_at = 1000;

std::vector<std::string> fields_of(std::string_view line, char separator) {
  std::vector<std::string> all;
  std::string quoted;
  field_reader fields(line, separator);
  for (table_field field; fields.next(field);) all.emplace_back(field.value(quoted));
  return all;
}

bool is_numeric(std::string_view text) {
  double number = 0;
  return parse_number(text, number) == std::errc();
}

// Makes the announced counts those of these lines.
void announce_lines(text_layout& layout, const text_summary& lines) {
  if (layout.format == text_format::metis) layout.vertices = lines.rows;
  if (layout.has_vertex_count()) layout.entries = lines.edges;
}

// read_text() for a file that goes on.
result<text_file> read_start(byte_source& source, const text_request& wanted) {
  auto layout = find_layout(source, wanted);
  if (!layout.ok()) return layout.status();
  auto read = read_text_range(source, layout.value(), 0, source.size());
  if (!read.ok()) return read.status();
  text_part& part = read.value();
  text_layout announced = layout.value();
  announce_lines(announced, part.summary);
  auto totals = combine_text_parts({&part.summary, 1}, announced, source.path());
  if (!totals.ok()) return totals.status();
  if (part_of_doubtful_row({&part.summary, 1}, layout.value()) &&
      !has_name_of(names_of_first_row(part), part, true, layout.value())) {
    drop_first_row(part, layout.value());
    note_dropped_row(totals.value());
  }
  return text_file{std::move(part.list), std::move(part.names), layout.value(), totals.value()};
}

void describe_columns(std::string_view head, text_sample& sample) {
  const text_layout& layout = sample.file.layout;
  const char separator = layout.table.separator;
  std::vector<std::vector<std::string>> rows;
  header_reader lines(head, "");
  for (std::size_t at = 0; rows.size() < rows_looked_at && lines.next();) {
    const bool in_front = at < layout.body;
    at = static_cast<std::size_t>(lines.line().data() - head.data()) + lines.line().size() + 1;
    if (is_passed_over(lines)) continue;
    std::vector<std::string> row = fields_of(lines.line(), separator);
    const bool is_header = in_front && at <= layout.body + 1;
    if (is_header || (rows.empty() && sample.names.empty() && sample.file.totals.has_dropped_header)) {
      sample.names = std::move(row);
    } else if (!in_front) {
      rows.push_back(std::move(row));
    }
  }
  sample.columns = sample.names.size();
  for (const auto& row : rows) sample.columns = std::max(sample.columns, row.size());
  const table_columns& table = layout.table;
  for (std::size_t k = 0; k < sample.columns; ++k) {
    if (k == table.source || k == table.target || k == table.weight || rows.empty()) continue;
    if (std::ranges::all_of(rows, [k](const auto& row) { return k < row.size() && is_numeric(row[k]); }))
      sample.others_of_numbers.push_back(k);
  }
}

}  // namespace

result<text_sample> read_sample(std::string_view head, bool whole, const std::string& path,
                                const text_request& wanted) {
  if (!whole) head = head.substr(0, head.find_last_of("\r\n") + 1);
  const auto source = source_in_memory(path, {head.begin(), head.end()});
  auto file = whole ? read_text(*source, wanted) : read_start(*source, wanted);
  if (!file.ok()) return file.status();
  text_sample sample{std::move(file).value()};
  if (sample.file.layout.is_table()) describe_columns(head, sample);
  return sample;
}

}  // namespace orujo::internal::formats
