// Random tables and random queries, answered here and by SQLite.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "applications/query/show.hpp"
#include "applications/query/sqlite_oracle.hpp"
#include "framework/tables/relational/database.hpp"
#include "system/base/identity.hpp"
#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"
#include "tests/framework/tables/relational/random_query.hpp"
#include "tests/sanitized.hpp"

namespace orujo::internal::relational {
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

// Options that run the code for large tables on small ones.
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
      ASSERT_EQ(query::difference(outputs, rows_of(found.value()), std::move(expected).value(), ordered).text,
                "");
      found.value().destroy();
    }
    data.value().destroy();
  }
  EXPECT_GT(rows, queries) << "hardly any of them had an answer";
}

// The keys' states exceed all caches, in their slots as well as found by hashes.
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

// A row is wider than a message, and so is a group: its keys, or the states of its aggregates.
TEST(relational, rows_and_groups_are_as_wide_as_they_like) {
  constexpr std::uint64_t rows = 90, wide = sanitized ? 500 : 1200, kinds = 7;
  const auto value = [](std::uint64_t row, std::uint64_t c) { return (row % kinds + 1) * c % 1009; };
  const auto data = database::made_by([value] {
    std::vector<column_name> names = {{"id", kind::integer}};
    for (std::uint64_t c = 1; c < wide; ++c) names.push_back({"c" + std::to_string(c), kind::integer});
    const made_table t{"t", names, rows, [value](std::uint64_t row, const auto& visit) {
                         std::vector<std::string> fields = {std::to_string(row)};
                         for (std::uint64_t c = 1; c < wide; ++c)
                           fields.push_back(row == 3 && c == 400 ? "" : std::to_string(value(row, c)));
                         visit(fields);
                       }};
    return load_tables({}, {t}, every_column);
  });
  ASSERT_TRUE(data.ok());
  const auto ask = [&](const std::string& query, const execute_options& how) {
    const auto found = data.value().select(query, how);
    EXPECT_TRUE(found.ok()) << found.status().message();
    auto all = rows_of(found.value());
    found.value().destroy();
    return all;
  };
  std::string every, sums, least;
  for (std::uint64_t c = 1; c < wide; ++c) {
    const std::string of = "c" + std::to_string(c), comma = c > 1 ? ", " : "";
    every += comma + of;
    sums += ", sum(" + of + ")";
    least += comma + "min(" + of + ")";
  }
  for (const execute_options& how : {execute_options(), rare_ways}) {
    const auto ordered = ask("SELECT * FROM t ORDER BY id DESC", how);
    ASSERT_EQ(ordered.size(), rows);
    for (std::uint64_t row = 0; row < rows; ++row) {
      const auto& of = ordered[rows - 1 - row];
      ASSERT_EQ(of[0], std::to_string(row));
      for (std::uint64_t c = 1; c < wide; ++c)
        ASSERT_EQ(of[c], row == 3 && c == 400 ? std::nullopt : std::optional(std::to_string(value(row, c))));
    }
    EXPECT_EQ(ask("SELECT * FROM t LIMIT 2", how).size(), 2u);
    EXPECT_EQ(ask("SELECT a.*, b.c5 FROM t a JOIN t b ON a.id = b.id", how).size(), rows);
    EXPECT_EQ(ask("SELECT DISTINCT " + every + " FROM t", how).size(), kinds + 1);
    for (const auto& group :
         ask("SELECT id % 7, count(*)" + sums + " FROM t WHERE id < 84 GROUP BY 1", how)) {
      const std::uint64_t row = std::stoull(*group[0]);
      for (std::uint64_t c = 1; c < wide; ++c) {
        const std::uint64_t members = row == 3 && c == 400 ? 11 : 12;
        ASSERT_EQ(group[c + 1], std::to_string(members * value(row, c)));
      }
    }
    const auto smallest = ask("SELECT " + least + " FROM t", how);
    ASSERT_EQ(smallest.size(), 1u);
    for (std::uint64_t c = 1; c < wide; ++c) {
      std::uint64_t expected = value(0, c);
      for (std::uint64_t row = 1; row < kinds; ++row) expected = std::min(expected, value(row, c));
      ASSERT_EQ(smallest[0][c - 1], std::to_string(expected));
    }
    EXPECT_EQ(ask("SELECT " + least + " FROM t WHERE id < 0", how).size(), 1u);
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
}  // namespace orujo::internal::relational
