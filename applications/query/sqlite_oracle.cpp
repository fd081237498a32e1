#include "applications/query/sqlite_oracle.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "applications/query/plain_triples.hpp"
#include "framework/mapreduce/input_files.hpp"
#include "framework/verify/file_content.hpp"

namespace orujo::query {
namespace {

using relational::kind, relational::output;

std::string quoted(const std::string& name) {
  std::string made = "\"";
  for (const char c : name) made.append(c == '"' ? 2 : 1, c);
  return made + '"';
}

// Before what limits the rows, or at the end.
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

// Fields of a file, one character after the other.
class csv_scanner {
 public:
  csv_scanner(std::string_view bytes, char separator) : left_(bytes), separator_(separator) {
    if (left_.starts_with("\xef\xbb\xbf")) left_.remove_prefix(3);
  }
  // False at the end; a line that is empty has no fields.
  bool next_line(std::vector<std::optional<std::string>>& fields) {
    fields.clear();
    if (left_.empty()) return false;
    std::string_view line = left_.substr(0, left_.find('\n'));
    left_.remove_prefix(std::min(left_.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == line.npos) return true;
    for (std::size_t at = 0; at <= line.size();) fields.push_back(field(line, at));
    return true;
  }

 private:
  std::optional<std::string> field(std::string_view line, std::size_t& at) const {
    while (at < line.size() && is_blank(line[at])) ++at;
    std::string text;
    const bool in_quotes = separator_ != ' ' && at < line.size() && line[at] == '"';
    if (in_quotes) {
      for (++at; at < line.size(); ++at) {
        if (line[at] == '"' && (at + 1 == line.size() || line[at + 1] != '"')) break;
        if (line[at] == '"') ++at;
        text += line[at];
      }
      while (at < line.size() && !ends(line[at])) ++at;
      ++at;
      return text;
    }
    for (; at < line.size() && !ends(line[at]); ++at) text += line[at];
    ++at;
    while (!text.empty() && is_blank(text.back())) text.pop_back();
    if (separator_ == ' ') {
      while (at < line.size() && is_blank(line[at])) ++at;
      if (at == line.size()) ++at;
    }
    return text.empty() ? std::nullopt : std::optional(text);
  }
  bool is_blank(char c) const { return c == ' ' || (c == '\t' && separator_ != '\t'); }
  bool ends(char c) const { return c == separator_ || (separator_ == ' ' && c == '\t'); }

  std::string_view left_;
  const char separator_;
};

}  // namespace

sqlite_oracle::sqlite_oracle() { sqlite3_open(":memory:", &database_); }

sqlite_oracle::~sqlite_oracle() {
  sqlite3_finalize(insert_);
  sqlite3_close(database_);
}

status sqlite_oracle::failure(const std::string& what) const {
  return {exit_status::failed, fmt::format("SQLite, which the result is verified against, {}: {}", what,
                                           sqlite3_errmsg(database_))};
}

status sqlite_oracle::say(const std::string& sql) {
  return sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK
             ? status()
             : failure("refuses " + sql);
}

status sqlite_oracle::create(const std::string& table, const std::vector<relational::column_name>& columns) {
  std::string list, places;
  if (columns.empty()) list += "none", places += '?';
  for (const relational::column_name& c : columns) {
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", quoted(c.name), name_of(c.type));
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
  const bool done = sqlite3_step(insert_) == SQLITE_DONE;
  sqlite3_reset(insert_);
  return done ? status() : failure("cannot insert a row");
}

status sqlite_oracle::insert_file(const std::string& path, char separator, bool header,
                                  const std::vector<std::size_t>& columns) {
  const auto files = mapreduce::find_input(path);
  if (!files.ok()) return files.status();
  std::vector<std::optional<std::string>> fields, wanted;
  for (const mapreduce::input_file& file : files.value()) {
    const auto content = verify::content_of(file.path);
    if (!content.ok()) return content.status();
    csv_scanner lines(content.value(), separator);
    for (bool first = header; lines.next_line(fields); first = false) {
      if (fields.empty() || first) continue;
      wanted.clear();
      for (const std::size_t c : columns) wanted.push_back(c < fields.size() ? fields[c] : std::nullopt);
      if (columns.empty()) wanted.emplace_back();
      if (status failed = insert(wanted); !failed.ok()) return failed;
    }
  }
  return {};
}

status sqlite_oracle::insert_triples(const std::string& path, const std::vector<std::size_t>& columns) {
  const auto files = mapreduce::find_input(path);
  if (!files.ok()) return files.status();
  std::vector<std::optional<std::string>> terms, wanted;
  for (const mapreduce::input_file& file : files.value()) {
    const auto content = verify::content_of(file.path);
    if (!content.ok()) return content.status();
    for (std::string_view left = content.value(); next_plain_triple(left, terms);) {
      wanted.clear();
      for (const std::size_t c : columns) wanted.push_back(terms[c]);
      if (columns.empty()) wanted.emplace_back();
      if (status failed = insert(wanted); !failed.ok()) return failed;
    }
  }
  return {};
}

result<oracle_rows> sqlite_oracle::run(const relational::statement& query, std::size_t columns) {
  std::string text = query.text;
  const std::size_t end = text.find_last_not_of(" \t\r\n;");
  text.resize(end == text.npos ? 0 : end + 1);
  const bool has_order = !query.query.order.empty();
  text.insert(std::min(end_of_order(query), text.size()),
              fmt::format("\n{} {}\n", has_order ? "," : "ORDER BY", every_column(columns)));
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database_, text.c_str(), -1, &statement, nullptr) != SQLITE_OK)
    return failure("does not understand " + text);
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
  const status done = step == SQLITE_DONE ? status() : failure("cannot run " + text);
  sqlite3_finalize(statement);
  if (!done.ok()) return done;
  return rows;
}

std::string difference(const std::vector<output>& columns,
                       std::vector<std::vector<std::optional<std::string>>> found, oracle_rows expected,
                       bool ordered) {
  if (found.size() != expected.size())
    return fmt::format("{} rows, SQLite has {}", found.size(), expected.size());
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
        return fmt::format("row {}, column {}: {}, SQLite has {}", row + 1, c + 1,
                           found[row][c].value_or("NULL"), shown(expected[row][c]));
    }
  }
  return "";
}

}  // namespace orujo::query
