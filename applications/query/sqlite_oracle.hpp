// The same tables and the same query in SQLite, which shares nothing with the framework.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "framework/relational/plan.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace orujo::query {

using oracle_value = std::variant<std::monostate, std::int64_t, double, std::string>;
using oracle_rows = std::vector<std::vector<oracle_value>>;

class sqlite_oracle {
 public:
  sqlite_oracle();
  sqlite_oracle(const sqlite_oracle&) = delete;
  sqlite_oracle& operator=(const sqlite_oracle&) = delete;
  ~sqlite_oracle();

  // Columns with their types; then rows of texts, none for NULL.
  status create(const std::string& table, const std::vector<relational::column_name>& columns);
  status insert(const std::vector<std::optional<std::string>>& fields);
  // Reads the file, or the files of a directory, as its table: fields between separators, maybe in quotes.
  status insert_file(const std::string& path, char separator, bool header,
                     const std::vector<std::size_t>& columns);
  // The same of N-Triples.
  status insert_triples(const std::string& path, const std::vector<std::size_t>& columns);

  // bad_data with SQLite's message where it cannot run it. The rows are in the order that the query says,
  // and equal ones by their columns, as the framework has them; without ORDER BY and LIMIT by their columns.
  result<oracle_rows> run(const relational::statement& query, std::size_t columns);

 private:
  status say(const std::string& sql);
  status failure(const std::string& what) const;

  sqlite3* database_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  std::size_t inserted_ = 0;
};

// How the rows of the framework, as texts, differ from SQLite's; empty: they do not. Reals may differ by
// 1e-9 of the larger one. ordered: in their order, else in any.
std::string difference(const std::vector<relational::output>& columns,
                       std::vector<std::vector<std::optional<std::string>>> found, oracle_rows expected,
                       bool ordered);

}  // namespace orujo::query
