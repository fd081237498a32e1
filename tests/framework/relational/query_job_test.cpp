// Random tables and random queries, answered here and by SQLite.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "applications/query/show.hpp"
#include "applications/query/sqlite_oracle.hpp"
#include "framework/relational/database.hpp"
#include "system/base/identity.hpp"
#include "system/base/random.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::relational {
namespace {

// Every table has these. k is skewed, all but k may be NULL, r has quarters, whose sums are exact.
const std::vector<column_name> columns = {
    {"k", kind::integer}, {"i", kind::integer}, {"r", kind::real}, {"s", kind::text}};
const char* const words[] = {"apple", "Apple", "pear", "\xc3\xa9t\xc3\xa9", "a%b", "", "zebra", "o'clock"};

std::string quarter(std::uint64_t draw) {
  const auto n = static_cast<std::int64_t>(draw % 161) - 80;
  return std::to_string(static_cast<double>(n) / 4);
}

std::vector<std::string> row_of(std::uint64_t seed, std::uint64_t row) {
  random_stream random(mix64(seed) + row);
  const auto maybe = [&](std::string text) { return random.below(6) == 0 ? "" : text; };
  const std::uint64_t k = random.below(3) ? random.below(4) : random.below(40);
  return {std::to_string(k), maybe(std::to_string(static_cast<std::int64_t>(random.below(41)) - 20)),
          maybe(quarter(random())), maybe(words[random.below(std::size(words))])};
}

// t, u and v; one of them is often empty.
std::vector<made_table> tables_of(std::uint64_t seed) {
  std::vector<made_table> made;
  for (const char* name : {"t", "u", "v"}) {
    const std::uint64_t of = mix64(seed + static_cast<std::uint64_t>(name[0]));
    random_stream random(of);
    const std::uint64_t rows = random.below(5) == 0 ? 0
                               : random.below(2)    ? random.below(30)
                                                    : random.below(400);
    made.push_back({name, columns, rows, [of](std::uint64_t k, const auto& visit) { visit(row_of(of, k)); }});
  }
  return made;
}

class random_query {
 public:
  explicit random_query(std::uint64_t seed) : random_(seed) {}

  std::string make() {
    if (one_in(8)) return united();
    return block(true);
  }

 private:
  bool one_in(std::uint64_t n) { return random_.below(n) == 0; }
  std::string any_of(std::initializer_list<const char*> texts) {
    return texts.begin()[random_.below(texts.size())];
  }

  std::string column(const char* name) {
    const std::string& table = tables_[random_.below(tables_.size())];
    return table + "." + name;
  }
  std::string integer(int depth) {
    switch (random_.below(depth > 0 ? 12 : 3)) {
      case 0:
        return column("k");
      case 1:
        return column("i");
      case 2:
        return std::to_string(static_cast<std::int64_t>(random_.below(9)) - 3);
      case 3:
        return "(" + integer(depth - 1) + any_of({" + ", " - ", " * "}) + integer(depth - 1) + ")";
      case 4:
        return "(" + integer(depth - 1) + any_of({" / ", " % "}) + integer(depth - 1) + ")";
      case 5:
        return "CASE WHEN " + condition(depth - 1) + " THEN " + integer(depth - 1) +
               (one_in(2) ? " ELSE " + integer(depth - 1) : "") + " END";
      case 6:
        return "coalesce(" + integer(depth - 1) + ", " + integer(depth - 1) + ")";
      case 7:
        return "abs(" + integer(depth - 1) + ")";
      case 8:
        return "CAST(" + real(depth - 1) + " AS INTEGER)";
      case 9:
        return "nullif(" + integer(depth - 1) + ", " + integer(depth - 1) + ")";
      case 10:
        return "(" + condition(depth - 1) + ")";
      default:
        return "(- " + integer(depth - 1) + ")";
    }
  }
  std::string real(int depth) {
    switch (random_.below(depth > 0 ? 6 : 2)) {
      case 0:
        return column("r");
      case 1:
        return any_of({"0.5", "2.25", "-1.0", "0.0"});
      case 2:
        return "(" + real(depth - 1) + any_of({" + ", " - ", " * "}) + real(depth - 1) + ")";
      case 3:
        return "(" + real(depth - 1) + any_of({" + ", " * "}) + integer(depth - 1) + ")";
      case 4:
        return "CAST(" + integer(depth - 1) + " AS REAL)";
      default:
        return "coalesce(" + real(depth - 1) + ", 0.25)";
    }
  }
  std::string text(int depth) {
    switch (random_.below(depth > 0 ? 4 : 2)) {
      case 0:
        return column("s");
      case 1:
        return any_of({"'apple'", "'b'", "''", "'zz'", "'o''clock'"});
      case 2:
        return "coalesce(" + text(depth - 1) + ", 'none')";
      default:
        return "CASE WHEN " + condition(depth - 1) + " THEN " + text(depth - 1) + " ELSE " + text(depth - 1) +
               " END";
    }
  }
  std::string value(int depth) {
    const auto which = random_.below(3);
    return which == 0 ? integer(depth) : which == 1 ? real(depth) : text(depth);
  }
  std::string condition(int depth) {
    const std::string compared = any_of({" = ", " <> ", " < ", " <= ", " > ", " >= "});
    switch (random_.below(depth > 0 ? 11 : 4)) {
      case 0:
        return integer(depth - 1) + compared + integer(depth - 1);
      case 1:
        return real(depth - 1) + compared + (one_in(2) ? integer(depth - 1) : real(depth - 1));
      case 2:
        return text(depth - 1) + compared + text(depth - 1);
      case 3:
        return value(depth - 1) + any_of({" IS NULL", " IS NOT NULL"});
      case 4:
        return "(" + condition(depth - 1) + " AND " + condition(depth - 1) + ")";
      case 5:
        return "(" + condition(depth - 1) + " OR " + condition(depth - 1) + ")";
      case 6:
        return "NOT (" + condition(depth - 1) + ")";
      case 7:
        return text(depth - 1) +
               any_of({" LIKE 'a%'", " NOT LIKE '%p%'", " LIKE '_t_'", " LIKE '%'", " LIKE 'a%b'"});
      case 8:
        return integer(depth - 1) +
               any_of({" IN (1, 2, 30)", " NOT IN (0, 3)", " IN (1, NULL)", " NOT IN (1, NULL)"});
      case 9:
        return integer(depth - 1) + any_of({" BETWEEN -3 AND 3", " NOT BETWEEN 0 AND 9"});
      default:
        return text(depth - 1) + any_of({" IN ('apple', 'pear', 'x')", " NOT IN ('zebra')"});
    }
  }
  std::string aggregate(const std::string& distinct_of) {
    if (!distinct_of.empty() && one_in(2))
      return any_of({"count", "sum", "avg"}) + ("(DISTINCT " + distinct_of + ")");
    switch (random_.below(6)) {
      case 0:
        return "count(*)";
      case 1:
        return "count(" + value(1) + ")";
      case 2:
        return any_of({"sum(", "avg("}) + integer(1) + ")";
      case 3:
        return any_of({"sum(", "avg("}) + real(1) + ")";
      default:
        return any_of({"min(", "max("}) + value(1) + ")";
    }
  }

  std::string from() {
    tables_ = {"t"};
    std::string made =
        one_in(8) ? "(SELECT k, i, r, s FROM t WHERE k < 9 ORDER BY i, k, r, s LIMIT 50) AS t" : "t";
    for (const char* more : {"u", "v"}) {
      if (!one_in(tables_.size() == 1 ? 2 : 4)) break;
      const std::string other = one_in(6)
                                    ? std::string("(SELECT k, max(i) AS i, sum(r) AS r, min(s) AS s FROM ") +
                                          more + " GROUP BY k) AS " + more
                                    : more;
      const std::string before = tables_[random_.below(tables_.size())], now = more;
      const std::string on = one_in(4) ? before + ".s = " + now + ".s" : before + ".k = " + now + ".k";
      tables_.push_back(now);
      switch (random_.below(5)) {
        case 0:
          made += ", " + other;
          wheres_ += (wheres_.empty() ? "" : " AND ") + on;
          break;
        case 1:
          made += " LEFT JOIN " + other + " ON " + on + (one_in(2) ? " AND " + condition(1) : "");
          break;
        case 2:
          made += " LEFT JOIN " + other + " ON " + on;
          break;
        case 3:
          made += " JOIN " + other + " ON " + on + (one_in(2) ? " AND " + now + ".i < 9" : "");
          break;
        default:
          made += " JOIN " + other + " ON " + before + ".i = " + now + ".r AND " + on;
          break;
      }
    }
    return made;
  }

  std::string block(bool may_order) {
    wheres_.clear();
    const std::string tables = from();
    if (one_in(2)) wheres_ += (wheres_.empty() ? "" : " AND ") + condition(2);
    const std::string where = wheres_.empty() ? "" : " WHERE " + wheres_;
    std::string items, grouping;
    std::size_t n = 0;
    const auto add = [&](const std::string& item) {
      if (n++ > 0) items += ", ";
      items += item + " AS c" + std::to_string(n);
    };
    bool distinct = false;
    if (one_in(2)) {
      std::string keys;
      for (std::uint64_t count = random_.below(3); count > 0; --count) {
        const std::string key = one_in(3) ? column("s") : one_in(2) ? column("k") : integer(1);
        if (key.find_first_not_of("-0123456789() ") == key.npos) continue;  // would be a column's number
        add(key);
        keys += (keys.empty() ? "" : ", ") + key;
      }
      const std::string distinct_of = one_in(3) ? (one_in(2) ? column("i") : column("r")) : "";
      for (std::uint64_t count = 1 + random_.below(3); count > 0; --count) add(aggregate(distinct_of));
      if (!keys.empty()) grouping = " GROUP BY " + keys;
      if (one_in(3))
        grouping += (keys.empty() ? "" : " HAVING ") + std::string(keys.empty() ? "" : "count(*) > 1");
    } else if (one_in(6)) {
      items = "*";
      n = 1;
    } else {
      distinct = one_in(3);
      for (std::uint64_t count = 1 + random_.below(3); count > 0; --count) add(value(2));
    }
    std::string order;
    if (may_order && one_in(2)) {
      order = " ORDER BY " + std::to_string(1 + random_.below(n)) +
              any_of({"", " DESC", " ASC", " DESC NULLS LAST", " NULLS LAST"});
      if (n > 1 && items != "*" && one_in(2)) order += ", c2 DESC";
      if (grouping.empty() && !distinct && items.find("(") == items.npos && one_in(3))
        order += ", " + tables_[0] + ".i + 1";
    }
    if (may_order && one_in(3))
      order += " LIMIT " + std::to_string(random_.below(20)) + (one_in(2) ? " OFFSET 3" : "");
    return "SELECT " + std::string(distinct ? "DISTINCT " : "") + items + " FROM " + tables + where +
           grouping + order;
  }

  std::string united() {
    wheres_.clear();
    tables_ = {"t"};
    const std::string left =
        "SELECT " + integer(1) + " AS a, " + text(1) + " AS b FROM t WHERE " + condition(1);
    tables_ = {"u"};
    const std::string right = "SELECT " + (one_in(2) ? integer(1) : real(1)) + ", " + text(1) + " FROM u";
    return left + any_of({" UNION ", " UNION ALL "}) + right +
           any_of({"", " ORDER BY 1", " ORDER BY b DESC, a LIMIT 7", " LIMIT 5"});
  }

  random_stream random_;
  std::vector<std::string> tables_;
  std::string wheres_;
};

std::vector<std::vector<std::optional<std::string>>> rows_of(answer of) {
  const std::string null("\0null", 5);
  query::text_rows texts;
  const memory::global_address<query::text_rows> to(my_core(), &texts);
  loops::on_all_cores(
      [to, of](const std::string& text_of_null) {
        auto mine = query::first_rows(of.local(), ~std::uint64_t{0}, text_of_null);
        if (my_core() == to.core()) *to.local() = std::move(mine);
      },
      null);
  std::vector<std::vector<std::optional<std::string>>> rows;
  for (const auto& row : texts) {
    auto& values = rows.emplace_back();
    for (const std::string& value : row)
      values.push_back(value == null ? std::nullopt : std::optional(value));
  }
  return rows;
}

void fill(query::sqlite_oracle& oracle, std::uint64_t seed) {
  for (const made_table& of : tables_of(seed)) {
    ASSERT_EQ(oracle.create(of.name, of.names).message(), "");
    for (std::uint64_t k = 0; k < of.parts; ++k) {
      of.rows(k, [&](std::span<const std::string> fields) {
        std::vector<std::optional<std::string>> values;
        for (const std::string& field : fields)
          values.push_back(field.empty() ? std::nullopt : std::optional(field));
        ASSERT_EQ(oracle.insert(values).message(), "");
      });
    }
  }
}

// What large tables need, for small ones.
constexpr execute_options rare_ways{.few_build_bytes = 0,
                                    .most_copied_bytes = 0,
                                    .most_waiting_groups = 8,
                                    .most_dense_bytes = 0,
                                    .few_rows = 5};

bool every_column(std::string_view, std::string_view) { return true; }

// ORUJO_QUERIES=100000 for a long look.
TEST(relational, answers_random_queries_as_sqlite_does) {
  const char* const given = std::getenv("ORUJO_QUERIES");
  const std::uint64_t queries = given ? std::strtoull(given, nullptr, 10) : 160;
  const char* const begin = std::getenv("ORUJO_QUERIES_SEED");
  constexpr std::uint64_t queries_of_tables = 20;
  std::uint64_t seed = begin ? std::strtoull(begin, nullptr, 10) : 1;
  std::uint64_t rows = 0;
  for (std::uint64_t k = 0; k < queries; k += queries_of_tables, ++seed) {
    const auto data = database::made_by([seed] { return load_tables({}, tables_of(seed), every_column); });
    ASSERT_TRUE(data.ok());
    query::sqlite_oracle oracle;
    fill(oracle, seed);
    for (std::uint64_t q = 0; q < queries_of_tables; ++q) {
      const std::string text = random_query(mix64(seed) + q).make();
      SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text);
      const auto parsed = parse(text);
      ASSERT_TRUE(parsed.ok()) << parsed.status().message();
      const auto found = data.value().select(text, q % 2 ? execute_options() : rare_ways);
      ASSERT_TRUE(found.ok()) << found.status().message();
      const std::vector<output> outputs = found.value().local().columns;
      auto expected = oracle.run(parsed.value(), outputs.size());
      ASSERT_TRUE(expected.ok()) << expected.status().message();
      rows += expected.value().size();
      const bool ordered = !parsed.value().query.order.empty() || parsed.value().query.limit_at > 0;
      ASSERT_EQ(query::difference(outputs, rows_of(found.value()), std::move(expected).value(), ordered), "");
      found.value().destroy();
    }
    data.value().destroy();
  }
  EXPECT_GT(rows, queries) << "hardly any of them had an answer";
}

// So many keys that their states fill no cache, in their places as well as found by hashes.
TEST(relational, groups_by_many_keys_that_lie_close_to_each_other) {
  constexpr std::uint64_t rows = 170'000, keys = 20'011;
  const auto key_of = [](std::uint64_t row) { return row % 101 == 7 ? "" : std::to_string(row % keys + 5); };
  const auto value_of = [](std::uint64_t row) { return row % 11 == 3 ? "" : std::to_string(row); };
  const auto data = database::made_by([key_of, value_of] {
    const made_table t{"t",
                       {{"k", kind::integer}, {"x", kind::integer}},
                       rows,
                       [key_of, value_of](std::uint64_t row, const auto& visit) {
                         const std::string fields[] = {key_of(row), value_of(row)};
                         visit(fields);
                       }};
    return load_tables({}, {t}, every_column);
  });
  ASSERT_TRUE(data.ok());
  struct group {
    std::int64_t rows = 0, values = 0, sum = 0, greatest = 0;
  };
  std::map<std::string, group> expected;
  for (std::uint64_t row = 0; row < rows; ++row) {
    group& of = expected[key_of(row)];
    ++of.rows;
    if (value_of(row).empty()) continue;
    ++of.values;
    of.sum += static_cast<std::int64_t>(row);
    of.greatest = static_cast<std::int64_t>(row);
  }
  for (const execute_options& how : {execute_options(), execute_options{.most_dense_bytes = 0}}) {
    const auto found =
        data.value().select("SELECT k, count(*), count(x), sum(x), max(x) FROM t GROUP BY k", how);
    ASSERT_TRUE(found.ok()) << found.status().message();
    const auto groups = rows_of(found.value());
    EXPECT_EQ(groups.size(), expected.size());
    for (const auto& row : groups) {
      const group& of = expected[row[0].value_or("")];
      ASSERT_EQ(row[1], std::to_string(of.rows));
      ASSERT_EQ(row[2], std::to_string(of.values));
      ASSERT_EQ(row[3], std::to_string(of.sum));
      ASSERT_EQ(row[4], std::to_string(of.greatest));
    }
    found.value().destroy();
  }
  data.value().destroy();
}

// Core c has its number, half of it, and the name of a vertex, and points to the one before; core 0 to
// nothing.
TEST(relational, has_tables_of_what_the_cores_bring_and_edges_of_answers) {
  const auto data = database::made_by([] {
    const brought_table brought{
        "t",
        {{"core", kind::integer}, {"half", kind::real}, {"name", kind::text}, {"before", kind::text}},
        [](const brought_table::taker& take) {
          const core_id c = my_core();
          const std::string before = "v" + std::to_string(c - 1);
          take({c, 0.5 * c, "v" + std::to_string(c), before});
          take({c, c, std::nullopt, before});
        }};
    return load_tables({}, {brought});
  });
  ASSERT_TRUE(data.ok());
  const auto sums = data.value().select("SELECT sum(core), sum(half), count(name), count(*) FROM t");
  ASSERT_TRUE(sums.ok());
  const auto row = rows_of(sums.value()).at(0);
  const int sum = cores() * (cores() - 1) / 2;
  EXPECT_EQ(row[0], std::to_string(2 * sum));
  EXPECT_EQ(std::stod(*row[1]), 1.5 * sum);
  EXPECT_EQ(row[2], std::to_string(cores()));
  EXPECT_EQ(row[3], std::to_string(2 * cores()));
  const auto steps = data.value().select("SELECT name, before FROM t ORDER BY core, name NULLS LAST");
  ASSERT_TRUE(steps.ok());
  const auto edges = edges_of(steps.value());
  ASSERT_EQ(edges.size(), static_cast<std::size_t>(cores()));
  std::vector<edge> all(edges.size());
  edges.get(0, all);
  for (std::size_t c = 1; c < all.size(); ++c) EXPECT_EQ(all[c].target, all[c - 1].source);
}

}  // namespace
}  // namespace orujo::relational
