#include "applications/query/sqlite_oracle.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <set>
#include <utility>

#include "applications/query/plain_triples.hpp"
#include "framework/graph/build/input.hpp"
#include "framework/verify/file_content.hpp"
#include "system/base/counted.hpp"

namespace orujo::internal::query {
namespace {

using relational::kind, relational::output;

constexpr const char* end_names[] = {"source", "target", "weight"};

std::string quoted(const std::string& name) {
  std::string made = "\"";
  for (const char c : name) made.append(c == '"' ? 2 : 1, c);
  return made + '"';
}

// Position before LIMIT and the like, or at the end.
std::size_t end_of_order(const relational::statement& query) {
  std::string text = relational::in_small_letters(query.text);
  if (query.query.limit_at == 0) return text.size();
  const std::string before = text.substr(0, query.query.limit_at);
  const std::size_t limit = before.rfind("limit"), offset = before.rfind("offset");
  if (limit == before.npos || (offset != before.npos && offset > limit)) return offset;
  return limit;
}

// "1, 2, 3"
std::string every_column(std::size_t columns) {
  std::string list;
  for (std::size_t c = 1; c <= columns; ++c) list += fmt::format("{}{}", c > 1 ? ", " : "", c);
  return list;
}

double number_of(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  if (text == "inf" || text == "-inf") value = text[0] == '-' ? -HUGE_VAL : HUGE_VAL;
  return value;
}
double number_of(const oracle_value& v) {
  if (const auto* whole = std::get_if<std::int64_t>(&v)) return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(&v);
  return real ? *real : std::nan("");
}

bool same(const std::optional<std::string>& found, const oracle_value& expected, kind type) {
  const bool null = std::holds_alternative<std::monostate>(expected);
  if (!found || null) return !found && null;
  if (const auto* text = std::get_if<std::string>(&expected)) return type == kind::text && *found == *text;
  if (type == kind::text) return false;
  if (const auto* whole = std::get_if<std::int64_t>(&expected); whole && type == kind::integer)
    return *found == fmt::to_string(*whole);
  const double a = number_of(*found), b = number_of(expected);
  return a == b || std::abs(a - b) <= 1e-9 * std::max({std::abs(a), std::abs(b), 1.0});
}

std::string shown(const oracle_value& v) {
  if (std::holds_alternative<std::monostate>(v)) return "NULL";
  if (const auto* text = std::get_if<std::string>(&v)) return *text;
  return std::holds_alternative<std::int64_t>(v) ? fmt::to_string(std::get<std::int64_t>(v))
                                                 : fmt::to_string(std::get<double>(v));
}

// The state of sum() and avg(). Sums of integers are exact. The sum of magnitudes shows how much of a sum of
// reals is rounding.
struct running_sum {
  __int128 whole = 0;
  long double real = 0, magnitude = 0;
  std::int64_t values = 0;
  bool has_reals = false;
};

running_sum*& sum_of(sqlite3_context* context) {
  return *static_cast<running_sum**>(sqlite3_aggregate_context(context, sizeof(running_sum*)));
}

void add_to_sum(sqlite3_context* context, int, sqlite3_value** of) {
  running_sum*& sum = sum_of(context);
  if (sum == nullptr) sum = new running_sum;
  const int type = sqlite3_value_numeric_type(of[0]);
  if (type == SQLITE_NULL) return;
  ++sum->values;
  sum->has_reals |= type != SQLITE_INTEGER;
  if (type == SQLITE_INTEGER) sum->whole += sqlite3_value_int64(of[0]);
  if (type != SQLITE_INTEGER) sum->real += sqlite3_value_double(of[0]);
  sum->magnitude += std::abs(static_cast<long double>(sqlite3_value_double(of[0])));
}

void end_sum(sqlite3_context* context, bool averages) {
  constexpr long double cancelled = 1e-6L;
  const std::unique_ptr<running_sum> sum(std::exchange(sum_of(context), nullptr));
  if (!sum || sum->values == 0) return sqlite3_result_null(context);
  const long double all = static_cast<long double>(sum->whole) + sum->real;
  if ((sum->has_reals || averages) && !(std::abs(all) >= cancelled * sum->magnitude))
    *static_cast<bool*>(sqlite3_user_data(context)) = true;
  if (averages) return sqlite3_result_double(context, static_cast<double>(all / sum->values));
  if (sum->has_reals) return sqlite3_result_double(context, static_cast<double>(all));
  const auto fits = static_cast<std::int64_t>(sum->whole);
  if (fits != sum->whole) return sqlite3_result_error(context, "integer overflow", -1);
  sqlite3_result_int64(context, fits);
}

void bind(sqlite3_stmt* to, int place, const verify::plain_cell& cell, kind type) {
  if (cell.text.empty() && !(cell.in_quotes && type == kind::text)) {
    sqlite3_bind_null(to, place);
  } else if (type == kind::integer) {
    sqlite3_bind_int64(to, place, std::strtoll(cell.text.c_str(), nullptr, 10));
  } else if (type == kind::real) {
    sqlite3_bind_double(to, place, std::strtod(cell.text.c_str(), nullptr));
  } else {
    sqlite3_bind_text(to, place, cell.text.data(), static_cast<int>(cell.text.size()), SQLITE_TRANSIENT);
  }
}

}  // namespace

sqlite_oracle::sqlite_oracle() {
  sqlite3_open(":memory:", &database_);
  sqlite3_create_function_v2(
      database_, "sum", 1, SQLITE_UTF8, &cancels_, nullptr, &add_to_sum,
      [](sqlite3_context* context) { end_sum(context, false); }, nullptr);
  sqlite3_create_function_v2(
      database_, "avg", 1, SQLITE_UTF8, &cancels_, nullptr, &add_to_sum,
      [](sqlite3_context* context) { end_sum(context, true); }, nullptr);
}

sqlite_oracle::~sqlite_oracle() {
  sqlite3_finalize(insert_);
  sqlite3_close(database_);
}

status sqlite_oracle::failure(const std::string& what) const {
  return {exit_status::failed, fmt::format("SQLite {}: {}", what, sqlite3_errmsg(database_))};
}

status sqlite_oracle::say(const std::string& sql) {
  return sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK
             ? status()
             : failure("refuses " + sql);
}

status sqlite_oracle::create(const std::string& table, const std::vector<relational::column_name>& columns) {
  std::string list, places;
  if (columns.empty()) list += "none", places += '?';
  std::set<std::string> names;
  for (const relational::column_name& c : columns) {
    std::string name = c.name;
    while (!names.insert(relational::in_small_letters(name)).second) name += '_';
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", quoted(name), name_of(c.type));
    places += places.empty() ? "?" : ", ?";
  }
  status done = say(fmt::format("CREATE TABLE {} ({})", quoted(table), list));
  if (!done.ok()) return done;
  if (inserted_++ == 0) done = say("BEGIN");
  sqlite3_finalize(std::exchange(insert_, nullptr));
  const std::string insert = fmt::format("INSERT INTO {} VALUES ({})", quoted(table), places);
  if (sqlite3_prepare_v2(database_, insert.c_str(), -1, &insert_, nullptr) != SQLITE_OK)
    return failure("refuses " + insert);
  return done;
}

status sqlite_oracle::insert(const std::vector<std::optional<std::string>>& fields) {
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const int place = static_cast<int>(k) + 1;
    if (fields[k]) {
      sqlite3_bind_text(insert_, place, fields[k]->data(), static_cast<int>(fields[k]->size()),
                        SQLITE_TRANSIENT);
    } else {
      sqlite3_bind_null(insert_, place);
    }
  }
  return insert_bound();
}

status sqlite_oracle::insert_bound() {
  const bool done = sqlite3_step(insert_) == SQLITE_DONE;
  sqlite3_reset(insert_);
  return done ? status() : failure("cannot insert a row");
}

status sqlite_oracle::add_file(const std::string& table, const std::vector<std::string>& paths,
                               const verify::plain_request& how, const relational::column_filter& wanted) {
  const auto read = verify::read_plain_table(paths, how);
  if (!read.ok()) return read.status();
  const verify::plain_table& all = read.value();
  const std::size_t width = all.rows.empty() ? all.names.size() : all.rows[0].size();
  std::vector<relational::column_name> columns;
  std::vector<std::size_t> places;
  for (std::size_t c = 0; c < width; ++c) {
    const std::string name = all.names.empty() ? fmt::format("c{}", c + 1) : all.names[c];
    if (!wanted(table, name)) continue;
    places.push_back(c);
    columns.push_back({name, static_cast<kind>(verify::kind_of(all, c))});
  }
  if (status failed = create(table, columns); !failed.ok()) return failed;
  for (const auto& row : all.rows) {
    for (std::size_t k = 0; k < places.size(); ++k)
      bind(insert_, static_cast<int>(k) + 1, row[places[k]], columns[k].type);
    if (status failed = insert_bound(); !failed.ok()) return failed;
  }
  return {};
}

status sqlite_oracle::add_graph(const std::string& table, const std::string& path,
                                const relational::column_filter& wanted) {
  const auto read = graph::read_serially({.file = path, .generator = {}, .name = path});
  if (!read.ok()) return read.status();
  const graph::input_edges& input = read.value();
  if (input.named) return {exit_status::failed, path + " has names, which are read by all cores alone"};
  std::vector<relational::column_name> columns;
  std::vector<std::size_t> places;
  for (std::size_t c = 0; c < (input.weighted ? 3 : 2); ++c) {
    if (!wanted(table, end_names[c])) continue;
    places.push_back(c);
    columns.push_back({end_names[c], c < 2 ? kind::integer : kind::real});
  }
  status failed = create(table, columns);
  input.visit_batches([&](std::span<const edge> edges, std::span<const float> weights) {
    for (std::size_t k = 0; k < edges.size() && failed.ok(); ++k) {
      const std::string values[] = {fmt::to_string(external_id(input, edges[k].source)),
                                    fmt::to_string(external_id(input, edges[k].target)),
                                    weights.empty() ? "" : fmt::to_string(double{weights[k]})};
      std::vector<std::optional<std::string>> row;
      for (const std::size_t c : places) row.emplace_back(values[c]);
      failed = insert(row);
    }
  });
  return failed;
}

status sqlite_oracle::add_triples(const std::string& table, const std::vector<std::string>& paths,
                                  const relational::column_filter& wanted) {
  std::vector<relational::column_name> columns;
  std::vector<std::size_t> places;
  for (const char* name : {"subject", "predicate", "object"}) {
    if (wanted(table, name)) columns.push_back({name, kind::text});
    if (wanted(table, name))
      places.push_back(static_cast<std::size_t>(name[0] == 's' ? 0 : name[0] == 'p' ? 1 : 2));
  }
  if (status failed = create(table, columns); !failed.ok()) return failed;
  std::vector<std::optional<std::string>> terms, row;
  for (const std::string& path : paths) {
    auto content = verify::content_of(path);
    if (!content.ok()) return content.status();
    std::ranges::replace(content.value(), '\r', '\n');
    for (std::string_view left = content.value(); next_plain_triple(left, terms);) {
      row.clear();
      for (const std::size_t c : places) row.push_back(terms[c]);
      if (status failed = insert(row); !failed.ok()) return failed;
    }
  }
  return {};
}

result<oracle_rows> sqlite_oracle::run(const relational::statement& query, std::size_t columns) {
  return relational::found_on_large_stack([&] { return run_here(query, columns); });
}

result<oracle_rows> sqlite_oracle::run_here(const relational::statement& query, std::size_t columns) {
  std::string text = query.text;
  const std::size_t end = text.find_last_not_of(" \t\r\n;");
  text.resize(end == text.npos ? 0 : end + 1);
  const bool has_order = !query.query.order.empty();
  text.insert(std::min(end_of_order(query), text.size()),
              fmt::format("\n{} {}\n", has_order ? "," : "ORDER BY", every_column(columns)));
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database_, text.c_str(), -1, &statement, nullptr) != SQLITE_OK)
    return failure("does not understand the query");
  oracle_rows rows;
  int step = 0;
  while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
    auto& row = rows.emplace_back();
    for (int c = 0; c < sqlite3_column_count(statement); ++c) {
      switch (sqlite3_column_type(statement, c)) {
        case SQLITE_INTEGER:
          row.emplace_back(std::int64_t{sqlite3_column_int64(statement, c)});
          break;
        case SQLITE_FLOAT:
          row.emplace_back(sqlite3_column_double(statement, c));
          break;
        case SQLITE_NULL:
          row.emplace_back(std::monostate());
          break;
        default:
          row.emplace_back(std::string(reinterpret_cast<const char*>(sqlite3_column_text(statement, c)),
                                       static_cast<std::size_t>(sqlite3_column_bytes(statement, c))));
      }
    }
  }
  const status done = step == SQLITE_DONE ? status() : failure("cannot answer the query");
  sqlite3_finalize(statement);
  if (!done.ok()) return done;
  return rows;
}

row_difference difference(const std::vector<output>& columns,
                          std::vector<std::vector<std::optional<std::string>>> found, oracle_rows expected,
                          bool ordered) {
  if (found.size() != expected.size())
    return {fmt::format("{}, SQLite has {}", base::counted(found.size(), "row"), expected.size())};
  if (!ordered) {
    // Reals, which may differ in their last bits, come last.
    std::vector<std::size_t> order;
    for (const bool real : {false, true}) {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        if ((columns[c].type == kind::real) == real) order.push_back(c);
      }
    }
    std::ranges::sort(found, [&](const auto& a, const auto& b) {
      for (const std::size_t c : order) {
        if (!a[c] || !b[c] || columns[c].type == kind::text) {
          if (a[c] != b[c]) return a[c] < b[c];
        } else if (columns[c].type == kind::integer) {
          if (*a[c] != *b[c]) return std::stoll(*a[c]) < std::stoll(*b[c]);
        } else if (number_of(*a[c]) != number_of(*b[c])) {
          return number_of(*a[c]) < number_of(*b[c]);
        }
      }
      return false;
    });
    std::ranges::sort(expected, [&](const auto& a, const auto& b) {
      for (const std::size_t c : order) {
        if (columns[c].type != kind::real || a[c].index() == 0 || b[c].index() == 0) {
          if (a[c] != b[c]) return a[c] < b[c];
        } else if (number_of(a[c]) != number_of(b[c])) {
          return number_of(a[c]) < number_of(b[c]);
        }
      }
      return false;
    });
  }
  for (std::size_t row = 0; row < found.size(); ++row) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (!same(found[row][c], expected[row][c], columns[c].type))
        return {fmt::format("row {}, column {}: {}, SQLite has {}", row + 1, c + 1,
                            found[row][c].value_or("NULL"), shown(expected[row][c])),
                columns[c].type == kind::text};
    }
  }
  return {};
}

}  // namespace orujo::internal::query
