// Tables in global memory: every core has some of the rows of each.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/tables/mapreduce/table_input.hpp"
#include "framework/tables/relational/columns.hpp"
#include "framework/tables/relational/dictionary.hpp"
#include "framework/tables/relational/key_range.hpp"
#include "framework/tables/relational/syntax.hpp"
#include "system/base/check.hpp"

namespace orujo::internal::relational {

// Where the rows of a table stand.
struct table_origin {
  mapreduce::input_files files;
  mapreduce::table_shape shape;  // of the table's columns
};

struct table {
  std::string name;
  std::vector<column_name> names = {};
  std::vector<std::string> others = {};           // columns that were not requested
  row_part mine = {};                             // the calling core's
  std::uint64_t rows = 0;                         // of all cores
  std::vector<key_range> ranges = {};             // of the columns, but those of reals, over all cores
  std::shared_ptr<const table_origin> from = {};  // none of rows that are made, or of triples
  std::vector<std::int64_t> more_numbers =
      {};  // of texts of files, than others, in the first rows of each core

  // True if most values of a column of texts seem to be numbers.
  bool looks_like_numbers(std::size_t column) const {
    return column < more_numbers.size() && more_numbers[column] > 0;
  }
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
// empty is NULL, but for one in quotes in a column of texts. The type of a column is integer where all of its
// values are integers of 64 bits, else real where all are numbers (cells.hpp), else text. Where the first
// file is called x.nt they are of N-Triples, with the columns subject, predicate and object
// (framework/formats/n_triples.hpp). A graph file by its name is a table of its edges (graph_rows.hpp).
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

// A value that a program has: a number, a text, or `std::nullopt` for NULL.
struct cell {
  template <std::integral Integer>
  cell(Integer n) : type(kind::integer), number(static_cast<word>(n)) {
    require(std::in_range<word>(n),
            "an integer of a table is beyond 63 bits and a sign; bring it as a double");
  }
  cell(double n) : type(kind::real), number(word_of(n)) {}
  cell(std::string_view t) : type(kind::text), text(t) {}
  cell(const char* t) : cell(std::string_view(t)) {}
  cell(const std::string& t) : cell(std::string_view(t)) {}
  cell(std::nullopt_t) : null(true) {}

  kind type = kind::integer;
  bool null = false;
  word number = 0;
  std::string_view text = {};
};

// A table of rows that the program has, each core some of them.
struct brought_table {
  // Takes a value for each column, of its type; integers do for reals.
  class taker {
   public:
    explicit taker(std::function<void(std::span<const cell>)> take) : take_(std::move(take)) {}
    void operator()(std::initializer_list<cell> row) const { take_({row.begin(), row.size()}); }
    void operator()(std::span<const cell> row) const { take_(row); }

   private:
    std::function<void(std::span<const cell>)> take_;
  };

  std::string name;
  std::vector<column_name> names;
  // [task at every core] Calls take(row) for each of the calling core's. Texts are UTF-8.
  std::function<void(const taker& take)> rows;
};

// Which columns are wanted of a table; all where it is empty.
using column_filter = std::function<bool(std::string_view table, std::string_view column)>;

// [task; suspends; collective over the job] Loads tables from files, and returns the calling core's part.
// Every core passes the same files. Fails with bad_data, `"FILE:LINE:COLUMN: what"`, no_input or usage where
// they cannot be read. Too little memory ends the job with no_resource.
result<tables> load_tables(const std::vector<table_file>& files, const std::vector<made_table>& made,
                           const column_filter& wanted);

// [task; suspends; collective over the job] As load_tables above, for all columns of files and for rows that
// the cores bring. The closure of `database::made_by()` calls it.
result<tables> load_tables(const std::vector<table_file>& files, const std::vector<brought_table>& brought);

// [task; suspends; collective over the job] Names the first field that makes a column one of texts:
// `"FILE:LINE:COLUMN: 'NA' is no number"`. Empty if the table is not of files. Reads them up to there.
std::string why_text(const table& of, std::size_t column);

}  // namespace orujo::internal::relational
