// The same tables and the same query in SQLite, which shares nothing with the framework: not even how files
// are read.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "framework/tables/relational/plan.hpp"
#include "framework/verify/plain_table.hpp"

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
  // A table that these files hold, with its wanted columns.
  status add_file(const std::string& table, const std::vector<std::string>& paths,
                  const verify::plain_request& how, const relational::column_filter& wanted);
  // The same of N-Triples.
  status add_triples(const std::string& table, const std::vector<std::string>& paths,
                     const relational::column_filter& wanted);

  // failed with SQLite's message where it cannot run it. The rows are in the order that the query says,
  // and equal ones by their columns, as the framework has them; without ORDER BY and LIMIT by their columns.
  result<oracle_rows> run(const relational::statement& query, std::size_t columns);
  // Whether reals have been summed up that nearly cancel: their sum depends on the order.
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

// How the rows of the framework, as texts, differ from SQLite's. Reals may differ by 1e-9 of the larger one.
// ordered: in their order, else in any.
struct row_difference {
  std::string text = {};  // none: they do not
  bool in_text = false;   // in a column of texts
};
row_difference difference(const std::vector<relational::output>& columns,
                          std::vector<std::vector<std::optional<std::string>>> found, oracle_rows expected,
                          bool ordered);

}  // namespace orujo::query
