// Random queries of tables t, u and v. All have columns k and i of integers, r of reals and s of texts. The
// queries use the common part of the engine's SQL and SQLite's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::internal::relational {

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
  // a + b - c
  template <class Operand>
  std::string chain(const Operand& operand, std::initializer_list<const char*> signs) {
    std::string made = operand();
    for (std::uint64_t count = 2 + random_.below(4); count > 0; --count) made += any_of(signs) + operand();
    return made;
  }
  std::string integer(int depth) {
    switch (random_.below(depth > 0 ? 13 : 3)) {
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
      case 11:
        return "(" + chain([&] { return integer(depth - 1); }, {" + ", " - ", " % ", " / "}) + ")";
      default:
        return "(- " + integer(depth - 1) + ")";
    }
  }
  std::string real(int depth) {
    switch (random_.below(depth > 0 ? 7 : 2)) {
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
      case 5:
        return "(" + chain([&] { return one_in(2) ? integer(depth - 1) : real(depth - 1); }, {" + ", " - "}) +
               " - " + real(depth - 1) + ")";
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
    switch (random_.below(depth > 0 ? 12 : 4)) {
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
      case 10:
        return "(" + condition(depth - 1) + ")" +
               any_of({" IS TRUE", " IS NOT TRUE", " IS FALSE", " IS NOT FALSE"});
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
    std::string made = "SELECT " + integer(1) + " AS a, " + text(1) + " AS b FROM t WHERE " + condition(1);
    for (std::uint64_t count = 1 + random_.below(4); count > 0; --count) {
      tables_ = {any_of({"t", "u", "v"})};
      made += any_of({" UNION ", " UNION ALL "}) + ("SELECT " + (one_in(2) ? integer(1) : real(1))) + ", " +
              text(1) + " FROM " + tables_[0];
    }
    return made + any_of({"", " ORDER BY 1", " ORDER BY b DESC, a LIMIT 7", " LIMIT 5"});
  }

  random_stream random_;
  std::vector<std::string> tables_;
  std::string wheres_;
};

}  // namespace orujo::internal::relational
