// The same tables and the same query in SQLite, which shares nothing with the framework, not even the readers
// of files.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "framework/tables/relational/plan.hpp"
#include "framework/verify/plain_table.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace orujo::internal::query {

using oracle_value = std::variant<std::monostate, std::int64_t, double, std::string>;
using oracle_rows = std::vector<std::vector<oracle_value>>;

class sqlite_oracle {
 public:
  sqlite_oracle();
  sqlite_oracle(const sqlite_oracle&) = delete;
  sqlite_oracle& operator=(const sqlite_oracle&) = delete;
  ~sqlite_oracle();

  // Columns with their types, then rows of texts, none for NULL.
  status create(const std::string& table, const std::vector<relational::column_name>& columns);
  status insert(const std::vector<std::optional<std::string>>& fields);
  // Adds a table from these files, with its wanted columns.
  status add_file(const std::string& table, const std::vector<std::string>& paths,
                  const verify::plain_request& how, const relational::column_filter& wanted);
  // Adds a table from N-Triples.
  status add_triples(const std::string& table, const std::vector<std::string>& paths,
                     const relational::column_filter& wanted);
  // Adds the edges of a graph file, by a single reader of the framework. Fails if vertices have names.
  status add_graph(const std::string& table, const std::string& path,
                   const relational::column_filter& wanted);

  // Returns SQLite's message, with status failed, if it cannot run the query. Rows have the query's order,
  // and equal ones are ordered by their columns, as in the framework. Without ORDER BY and LIMIT they are
  // ordered by their columns.
  result<oracle_rows> run(const relational::statement& query, std::size_t columns);
  // Returns whether a sum had reals that nearly cancel, so that it depends on the order.
  bool has_cancelled() const { return cancels_; }

 private:
  status insert_bound();
  result<oracle_rows> run_here(const relational::statement& query, std::size_t columns);
  status say(const std::string& sql);
  status failure(const std::string& what) const;

  sqlite3* database_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  std::size_t inserted_ = 0;
  bool cancels_ = false;
};

// The first difference of the framework's rows, as texts, from SQLite's. Reals may differ by 1e-9 of the
// larger one. With `ordered` the order counts, too.
struct row_difference {
  std::string text = {};  // empty if they are equal
  bool in_text = false;   // in a column of texts
};
row_difference difference(const std::vector<relational::output>& columns,
                          std::vector<std::vector<std::optional<std::string>>> found, oracle_rows expected,
                          bool ordered);

}  // namespace orujo::internal::query
