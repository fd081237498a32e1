// Columns of tables in text files: CSV, TSV, logs with blanks between their fields.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/formats/table_fields.hpp"
#include "framework/tables/mapreduce/text_input.hpp"

namespace orujo::internal::mapreduce {

// Which columns of text tables to read, and how lines are separated into fields.
struct table_request {
  // Separator of fields: ' ' for any blanks, `formats::whole_line` for none, 0 to detect it from the first
  // lines.
  char separator = 0;
  // The first line of each file has the names of the columns. Without a value it has them if no field of it
  // is empty or a number.
  std::optional<bool> header = false;
  std::vector<std::string> columns = {};  // names in the header, or numbers from 1 on; none: all
};

// How the lines of one file are rows.
struct file_columns {
  char separator = ',';
  bool same_width = true;           // a line may not have more fields than the first one
  std::size_t width = 0;            // fields of the first line; 0: the file is empty
  std::vector<std::size_t> wanted;  // columns, from 0 on
};

// The columns that find_table() has found, for read_rows().
struct table_shape {
  bool header = false;
  std::vector<std::string> names;  // of the wanted columns; numbers where there is no header
  std::vector<file_columns> of_files;
};

// [any thread] Finds the wanted columns in the first lines of the files. Columns are found by their names in
// each file that has a header; files without have equally many. Fails where a file cannot be read, and
// - with bad_data where a file is no table, or lacks a wanted column or one that the first file has,
// - with usage where the separator or header of a file stays unknown.
result<table_shape> find_table(const input_files& files, const table_request& wanted);

// The separator of that name: comma, tab, semicolon, pipe, blanks, none (whole_line), or auto (0).
std::optional<char> separator_named(std::string_view name);
inline constexpr const char* separator_names = "auto, comma, tab, semicolon, pipe, blanks or none";

// Visits the wanted fields of a line, in the order in which they were requested.
using row_visitor = std::function<line_mistake(std::span<const formats::table_field> fields)>;

// [task; suspends] Calls visit(fields) with the wanted fields of each line in the calling core's part of the
// files, as read_lines() does. Empty lines are skipped. A line of more or fewer columns than the first one is
// a mistake. If the request has blanks as separators, only a line that lacks a wanted column is.
status read_rows(const input_files& files, const table_shape& shape, const row_visitor& visit);
// [task; suspends] The same for a part of one of the files.
status read_rows_of(const input_files& files, const file_part& part, const table_shape& shape,
                    const row_visitor& visit, mistake& found);

}  // namespace orujo::internal::mapreduce
