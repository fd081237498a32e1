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
#include "framework/mapreduce/text_input.hpp"

namespace orujo::mapreduce {

struct table_request {
  char separator = 0;                     // 0: found out from the first line
  bool header = false;                    // the first line of each file has the names of the columns
  std::vector<std::string> columns = {};  // names in the header, or numbers from 1 on; none: all
};

struct table_shape {
  char separator = ',';
  bool header = false;
  std::size_t width = 0;             // columns of a line
  std::vector<std::size_t> columns;  // that are wanted, from 0 on
  std::vector<std::string> names;    // of these; numbers where there is no header
};

// Any thread. What the first line of the first file says. Fails where that cannot be read, with bad_data
// where it is no line of a table, and with usage where it lacks a column.
result<table_shape> find_table(const input_files& files, const table_request& wanted);

// Visits the wanted fields of a line, in the order in which they were asked for.
using row_visitor = std::function<line_mistake(std::span<const formats::table_field> fields)>;

// [task; suspends] As read_lines(). Empty lines are passed over. A line of more or fewer columns than the
// first one is a mistake; between blanks only one that lacks a wanted column.
status read_rows(const input_files& files, const table_shape& shape, const row_visitor& visit);
// [task; suspends] The same for a part of one file.
status read_rows_of(const input_file& file, const file_part& part, const table_shape& shape,
                    const row_visitor& visit, mistake& found);

}  // namespace orujo::mapreduce
