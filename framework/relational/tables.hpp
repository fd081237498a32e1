// Tables in global memory: every core has some of the rows of each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/mapreduce/table_input.hpp"
#include "framework/relational/columns.hpp"
#include "framework/relational/dictionary.hpp"
#include "framework/relational/syntax.hpp"

namespace orujo::relational {

struct table {
  std::string name;
  std::vector<column_name> names = {};
  std::vector<std::string> others = {};  // columns that nobody wanted
  row_part mine = {};                    // the calling core's
  std::uint64_t rows = 0;                // of all cores
};

// One core's part of all tables. Made once, then only read.
struct tables {
  std::vector<table> all;
  dictionary texts;

  // Null: there is none.
  const table* find(std::string_view name) const {
    const auto found = std::ranges::find(all, in_small_letters(name),
                                         [](const table& t) { return in_small_letters(t.name); });
    return found == all.end() ? nullptr : &*found;
  }
};

enum class header { automatic, yes, no };

// A file, or a directory of files, that has a table: CSV, TSV and the like, maybe compressed. A field that is
// empty, and not in quotes, is NULL. The type of a column is integer where all of its values are integers of
// 64 bits, else real where all are numbers, else text.
struct table_file {
  std::string name, path;
  header has_header =
      header::automatic;  // the first row is one where none of its fields is empty or a number
  char separator = 0;     // 0: found out
};

// Rows that are made: the columns and types are known beforehand.
struct made_table {
  std::string name;
  std::vector<column_name> names;
  std::uint64_t parts = 0;  // how many row() is called for
  // The rows of part k, by visit(fields), in texts; of the same k always the same, at any core.
  std::function<void(std::uint64_t k, const std::function<void(std::span<const std::string>)>& visit)> rows;
};

// Which columns are wanted of a table; all where it is empty.
using column_filter = std::function<bool(std::string_view table, std::string_view column)>;

// [task; suspends; collective over the job] The same tables at every core. bad_data, "FILE:LINE:COLUMN:
// what", no_input or usage where they cannot be read. What there is no memory for ends the job with
// no_resource.
result<tables> load_tables(const std::vector<table_file>& files, const std::vector<made_table>& made,
                           const column_filter& wanted);

// How a file is a table, by its first line. Any thread.
struct file_shape {
  mapreduce::table_shape shape;  // of all columns
  std::vector<std::string> names;
};
result<file_shape> shape_of(const table_file& file, const mapreduce::input_files& files);

}  // namespace orujo::relational
