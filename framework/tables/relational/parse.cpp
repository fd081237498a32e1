#include <fmt/format.h>
#include <pg_query.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>

#include "framework/tables/relational/query_tree.hpp"
#include "framework/tables/relational/read_expression.hpp"
#include "framework/tables/relational/read_pattern.hpp"
#include "framework/tables/relational/syntax.hpp"

namespace orujo::internal::relational {
namespace {

class query_reader {
 public:
  explicit query_reader(std::string_view text) : expressions_(text) {}

  query_text query(const tree& of) {
    if (++queries_ > deepest_queries)
      refuse(0, fmt::format("queries within queries more than {} deep; write it in smaller steps",
                            deepest_queries));
    query_text made = block_or_union(of);
    --queries_;
    return made;
  }

 private:
  query_text block_or_union(const tree& of) {
    query_text made;
    only(of,
         {"distinctClause", "targetList", "fromClause", "whereClause", "groupClause", "havingClause",
          "sortClause", "limitCount", "limitOffset", "limitOption", "op", "all", "larg", "rarg"},
         0, "SELECT");
    const std::string set = of.value("op", std::string("SETOP_NONE"));
    if (set == "SETOP_UNION") {
      unite(of, made);
    } else if (set != "SETOP_NONE") {
      refuse(0, "INTERSECT and EXCEPT are not supported; write a join or a LEFT JOIN ... WHERE key IS NULL");
    } else {
      block(of, made);
    }
    for (const tree& one : list_of(of, "sortClause")) made.order.push_back(order(*opened(one).second));
    limits(of, made);
    return made;
  }

  // A UNION b UNION ALL c is a list, however long.
  void unite(const tree& last, query_text& made) {
    std::vector<const tree*> unions = {&last};
    for (;;) {
      const tree& left = unions.back()->at("larg");
      const bool goes_on = left.value("op", std::string()) == "SETOP_UNION" && !left.contains("sortClause") &&
                           !left.contains("limitCount") && !left.contains("limitOffset");
      if (!goes_on) break;
      only(left, {"op", "all", "larg", "rarg", "limitOption"}, 0, "UNION");
      unions.push_back(&left);
    }
    std::ranges::reverse(unions);
    made.united.push_back(query(unions.front()->at("larg")));
    for (const tree* const one : unions) {
      made.united.push_back(query(one->at("rarg")));
      if (!one->value("all", false)) made.once = made.united.size();
    }
  }

  void block(const tree& of, query_text& made) {
    for (const tree& one : list_of(of, "distinctClause")) {
      if (!one.is_object() || !one.empty()) refuse(0, "DISTINCT ON is not supported; write GROUP BY");
      made.distinct = true;
    }
    if (!list_of(of, "distinctClause").empty()) made.distinct = true;
    for (const tree& one : list_of(of, "targetList")) {
      const tree& item = *opened(one).second;
      if (!item.contains("val")) refuse(location_of(item), "nothing is selected; expected an expression");
      made.items.push_back({expressions_.read(item.at("val")), item.value("name", std::string())});
    }
    if (made.items.empty()) refuse(0, "nothing is selected; expected SELECT, columns, FROM and a table");
    for (const tree& one : list_of(of, "fromClause")) from(one, made.from);
    if (made.from.size() > most_tables)
      refuse(made.from[most_tables].at,
             fmt::format("more than {} tables; join them in smaller steps", most_tables));
    if (of.contains("whereClause")) made.where = expressions_.read(of.at("whereClause"));
    for (const tree& one : list_of(of, "groupClause")) made.group_by.push_back(expressions_.read(one));
    if (of.contains("havingClause")) made.having = expressions_.read(of.at("havingClause"));
  }

  void from(const tree& node, std::vector<source>& to) {
    const auto [name, content] = opened(node);
    const tree& of = *content;
    const expression_reader::nesting deeper(expressions_, location_of(of));
    if (name == "RangeVar") {
      if (of.contains("schemaname"))
        refuse(location_of(of), "a table's name of two parts; expected one that --table=NAME=FILE defines");
      only(of, {"relname", "inh", "relpersistence", "alias", "location"}, location_of(of), "FROM");
      source table{.table = of.value("relname", std::string()), .at = location_of(of)};
      table.alias = table.table;
      name_source(of, table);
      to.push_back(std::move(table));
    } else if (name == "RangeSubselect") {
      only(of, {"subquery", "alias"}, 0, "FROM");
      source table{.query = std::make_shared<query_text>(query(*opened(of.at("subquery")).second))};
      name_source(of, table);
      to.push_back(std::move(table));
    } else if (name == "JoinExpr") {
      join(of, to);
    } else if (name == "RangeFunction") {
      pattern(of, to);
    } else {
      refuse(location_of(of), "expected a table, a join of tables or (SELECT ...) AS name after FROM");
    }
  }

  // match('(a)-[table]->(b)')
  void pattern(const tree& of, std::vector<source>& to) {
    const tree& item = list_of(of, "functions").at(0).at("List").at("items").at(0);
    const auto [name, call] = opened(item);
    const std::size_t at = location_of(*call);
    const tree& arguments = list_of(*call, "args");
    const bool is_match = name == "FuncCall" && list_of(*call, "funcname").size() == 1 &&
                          text_of(call->at("funcname").at(0)) == "match" && arguments.size() == 1;
    if (!is_match)
      refuse(at, "functions that make tables are not supported, but for match('(a)-[table]->(b)')");
    only(*call, {"funcname", "args", "funcformat", "location"}, at, "match");
    only(of, {"functions", "is_rowsfrom"}, at, "match");
    const expression text = expressions_.read(arguments[0]);
    if (text.is != expression::form::text) refuse(text.at, "match takes a pattern in single quotes");
    for (source& edge : read_pattern(text.name, text.at)) to.push_back(std::move(edge));
  }

  // AS name (column, ...)
  static void name_source(const tree& of, source& to) {
    const auto alias = of.find("alias");
    if (alias == of.end()) return;
    to.alias = alias->value("aliasname", std::string());
    for (const tree& one : list_of(*alias, "colnames")) to.columns.push_back(text_of(one));
  }

  void join(const tree& of, std::vector<source>& to) {
    const std::string how = of.value("jointype", std::string());
    if (how != "JOIN_INNER" && how != "JOIN_LEFT")
      refuse(0, "RIGHT and FULL JOIN are not supported; there are JOIN and LEFT JOIN");
    if (of.value("isNatural", false)) refuse(0, "NATURAL JOIN is not supported; write USING (column, ...)");
    if (of.contains("alias")) refuse(0, "a join with a name is not supported; give names to its tables");
    from(of.at("larg"), to);
    const std::size_t before = to.size();
    from(of.at("rarg"), to);
    if (to.size() != before + 1)
      refuse(to[before].at,
             "joins in brackets and patterns on the right are not supported; write a JOIN b ON ... JOIN c "
             "ON ..., or the pattern first");
    source& last = to.back();
    last.join = how == "JOIN_LEFT" ? join_kind::left : join_kind::inner;
    if (of.contains("quals")) last.on = expressions_.read(of.at("quals"));
    for (const tree& one : list_of(of, "usingClause")) last.using_columns.push_back(text_of(one));
  }

  ordering order(const tree& of) {
    ordering made{.by = expressions_.read(of.at("node"))};
    const std::string how = of.value("sortby_dir", std::string());
    if (how == "SORTBY_USING") refuse(made.by.at, "ORDER BY ... USING is not supported; write ASC or DESC");
    made.descending = how == "SORTBY_DESC";
    const std::string nulls = of.value("sortby_nulls", std::string());
    if (nulls != "SORTBY_NULLS_DEFAULT") made.nulls_first = nulls == "SORTBY_NULLS_FIRST";
    return made;
  }

  void limits(const tree& of, query_text& made) {
    const auto number = [&](const char* key) -> std::optional<std::uint64_t> {
      if (!of.contains(key)) return {};
      const expression n = expressions_.read(of.at(key));
      if (n.is != expression::form::integer || n.number < 0)
        refuse(n.at, "LIMIT and OFFSET take a number from 0 on");
      made.limit_at = made.limit_at == 0 ? n.at : std::min(made.limit_at, n.at);
      return static_cast<std::uint64_t>(n.number);
    };
    if (of.value("limitOption", std::string()) == "LIMIT_OPTION_WITH_TIES")
      refuse(0, "WITH TIES is not supported; write LIMIT n");
    made.limit = number("limitCount");
    made.offset = number("limitOffset").value_or(0);
  }

  expression_reader expressions_;
  int queries_ = 0;
};

result<statement> parse_here(std::string_view text) {
  const PgQueryParseResult parsed = pg_query_parse(std::string(text).c_str());
  struct freed {
    const PgQueryParseResult& what;
    ~freed() { pg_query_free_parse_result(what); }
  } const at_end{parsed};
  if (parsed.error) {
    // The parser counts characters, from 1.
    std::size_t at = 0;
    for (int left = parsed.error->cursorpos - 1; at < text.size(); ++at) {
      if ((text[at] & 0xc0) != 0x80 && left-- <= 0) break;
    }
    return query_mistake(
        text, at,
        fmt::format("{}; expected SELECT columns FROM tables WHERE ... GROUP BY ... HAVING ... "
                    "ORDER BY ... LIMIT n",
                    parsed.error->message));
  }
  try {
    const tree all = tree::parse(parsed.parse_tree);
    const tree& statements = list_of(all, "stmts");
    if (statements.size() != 1)
      refuse(statements.size() > 1 ? static_cast<std::size_t>(statements[1].value("stmt_location", 0)) : 0,
             fmt::format("{} statements; expected one SELECT", statements.size()));
    statement made{std::string(text), false, {}};
    auto [name, content] = opened(statements[0].at("stmt"));
    if (name == "ExplainStmt") {
      made.explain = true;
      std::tie(name, content) = opened(content->at("query"));
    }
    if (name != "SelectStmt") refuse(0, "no query; expected SELECT, as tables are only read");
    made.query = query_reader(text).query(*content);
    return made;
  } catch (const query_error& found) {
    return query_mistake(text, found.at, found.what);
  } catch (const tree::exception&) {
    return query_mistake(text, 0, "this query is not supported; write it in simpler words");
  }
}

}  // namespace

result<statement> parse(std::string_view text) {
  if (text.size() > longest_query)
    return query_mistake(text, longest_query,
                         fmt::format("more than {} bytes; expected a shorter query", longest_query));
  if (const std::size_t nul = text.find('\0'); nul != text.npos)
    return query_mistake(text, nul, "a NUL byte; expected text");
  return found_on_large_stack([&] { return parse_here(text); });
}

}  // namespace orujo::internal::relational
