#include <fmt/format.h>
#include <pg_query.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "framework/relational/syntax.hpp"

namespace orujo::relational {
namespace {

using tree = nlohmann::json;
using form = expression::form;

[[noreturn]] void refuse(std::size_t at, std::string what) { throw query_error{at, std::move(what)}; }

std::size_t place_of(const tree& node) {
  const auto at = node.value("location", std::int64_t{0});
  return at > 0 ? static_cast<std::size_t>(at) : 0;
}
// A list that may be missing.
const tree& list_of(const tree& node, const char* key) {
  static const tree none = tree::array();
  const auto found = node.find(key);
  return found == node.end() ? none : *found;
}
// {"Kind": {...}}
std::pair<std::string_view, const tree*> opened(const tree& node) {
  if (!node.is_object() || node.empty()) return {"", &node};
  return {node.begin().key(), &node.begin().value()};
}
std::string text_of(const tree& node) {
  const auto [name, content] = opened(node);
  return name == "String" ? content->value("sval", std::string()) : std::string();
}
// Refuses what a node has beside the keys that are understood.
void only(const tree& node, std::initializer_list<std::string_view> keys, std::size_t at,
          std::string_view what) {
  for (const auto& [key, value] : node.items()) {
    if (std::ranges::find(keys, key) == keys.end())
      refuse(at, fmt::format("{} with {} is not supported; write it without", what, key));
  }
}

// The tree of version 15-4.0.0 lacks integers that are not above 0: they are read from the text.
std::int64_t number_at(std::string_view text, std::size_t at) {
  const std::size_t digits = std::min(text.find_first_not_of("-+ \t\r\n(", at), text.size());
  std::int64_t number = 0;
  if (text.substr(at, digits - at).find("--") != text.npos ||
      std::from_chars(text.data() + digits, text.data() + text.size(), number).ec != std::errc())
    refuse(at, "a number behind a comment; write it directly behind its sign");
  return -number;
}

expression constant(const tree& node, std::string_view text) {
  expression made{.at = place_of(node)};
  if (node.value("isnull", false)) return made;
  if (const auto whole = node.find("ival"); whole != node.end()) {
    made.is = form::integer;
    made.number = whole->contains("ival") ? whole->value("ival", std::int64_t{0}) : number_at(text, made.at);
  } else if (const auto number = node.find("fval"); number != node.end()) {
    const std::string digits = number->value("fval", std::string());
    const char* const end = digits.data() + digits.size();
    made.is = form::integer;  // of more than 32 bits
    if (const auto [past, error] = std::from_chars(digits.data(), end, made.number);
        error == std::errc() && past == end)
      return made;
    made.is = form::real;
    if (std::from_chars(digits.data(), end, made.fraction).ec != std::errc())
      refuse(made.at,
             fmt::format("the number {} is too large; expected one below 1.8e308", digits.substr(0, 40)));
  } else if (const auto quoted = node.find("sval"); quoted != node.end()) {
    made.is = form::text;
    made.name = quoted->value("sval", std::string());
  } else if (const auto truth = node.find("boolval"); truth != node.end()) {
    made.is = form::integer;
    made.number = truth->value("boolval", false);
  } else {
    refuse(made.at,
           "a constant of this kind is not supported; expected a number, a text in single quotes or NULL");
  }
  return made;
}

class reader {
 public:
  explicit reader(std::string_view text) : text_(text) {}

  expression read(const tree& node) {
    const auto [name, content] = opened(node);
    const tree& of = *content;
    const std::size_t at = place_of(of);
    const nesting deeper(*this, at);
    if (name == "A_Const") return constant(of, text_);
    if (name == "ColumnRef") return column(of);
    if (name == "A_Expr") return operation(of);
    if (name == "BoolExpr") return logic(of);
    if (name == "FuncCall") return function(of);
    if (name == "NullTest") {
      const bool is = of.value("nulltesttype", std::string()) == "IS_NULL";
      return call(is ? "is null" : "is not null", at, {read(of.at("arg"))});
    }
    if (name == "CaseExpr") return choice(of);
    if (name == "CoalesceExpr") {
      expression made = call("coalesce", at, {});
      for (const tree& one : list_of(of, "args")) made.of.push_back(read(one));
      return made;
    }
    if (name == "TypeCast") return cast(of);
    if (name == "SubLink")
      refuse(at,
             "a query within an expression is not supported; write it as a join with (SELECT ...) AS name");
    refuse(at, fmt::format("{} is not supported in an expression", name.empty() ? "this" : name));
  }

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
      made.left = std::make_shared<query_text>(query(of.at("larg")));
      made.right = std::make_shared<query_text>(query(of.at("rarg")));
      made.all = of.value("all", false);
    } else if (set != "SETOP_NONE") {
      refuse(0, "INTERSECT and EXCEPT are not supported; write a join or a LEFT JOIN ... WHERE key IS NULL");
    } else {
      block(of, made);
    }
    for (const tree& one : list_of(of, "sortClause")) made.order.push_back(order(*opened(one).second));
    limits(of, made);
    return made;
  }

  struct nesting {
    nesting(reader& of, std::size_t at) : of_(of) {
      if (++of_.depth_ > deepest_nesting)
        refuse(at, fmt::format("nested more than {} deep; write it in smaller steps", deepest_nesting));
    }
    ~nesting() { --of_.depth_; }
    reader& of_;
  };

  static expression call(std::string name, std::size_t at, std::vector<expression> of) {
    return {.is = form::call, .name = std::move(name), .of = std::move(of), .at = at};
  }

  expression column(const tree& node) {
    expression made{.is = form::column, .at = place_of(node)};
    const tree& fields = list_of(node, "fields");
    if (fields.size() > 2) refuse(made.at, "a name of more than two parts; expected column or table.column");
    if (fields.size() == 2) made.table = text_of(fields[0]);
    const tree& last = fields.back();
    if (opened(last).first == "A_Star") {
      made.is = form::star;
    } else {
      made.name = text_of(last);
    }
    return made;
  }

  expression operation(const tree& node) {
    const std::size_t at = place_of(node);
    const std::string how = node.value("kind", std::string());
    std::string name = list_of(node, "name").empty() ? "" : text_of(list_of(node, "name").back());
    if (how == "AEXPR_OP") {
      if (name == "==") name = "=";
      if (!node.contains("lexpr")) {
        if (name != "-" && name != "+") refuse(at, fmt::format("no operator {} with one operand", name));
        expression of = read(node.at("rexpr"));
        if (name == "+") return of;
        if (of.is == form::integer) return of.number = -of.number, of;
        if (of.is == form::real && of.fraction == 0x1p63)
          return {.is = form::integer, .number = INT64_MIN, .at = of.at};
        if (of.is == form::real) return of.fraction = -of.fraction, of;
        return call("negative", at, {std::move(of)});
      }
      for (const char* known : {"+", "-", "*", "/", "%", "=", "<>", "<", "<=", ">", ">="}) {
        if (name == known) return call(name, at, {read(node.at("lexpr")), read(node.at("rexpr"))});
      }
      refuse(at, fmt::format("the operator {} is not supported; there are + - * / % = <> < <= > >=", name));
    }
    if (how == "AEXPR_NULLIF") return call("nullif", at, {read(node.at("lexpr")), read(node.at("rexpr"))});
    if (how == "AEXPR_LIKE" || how == "AEXPR_ILIKE") {
      if (how == "AEXPR_ILIKE") refuse(at, "ILIKE is not supported; LIKE does not tell a from A");
      return negated(name == "!~~", call("like", at, {read(node.at("lexpr")), read(node.at("rexpr"))}));
    }
    if (how == "AEXPR_IN") {
      expression made = call("in", at, {read(node.at("lexpr"))});
      for (const tree& one : list_of(*opened(node.at("rexpr")).second, "items")) made.of.push_back(read(one));
      return negated(name == "<>", std::move(made));
    }
    if (how == "AEXPR_BETWEEN" || how == "AEXPR_NOT_BETWEEN") {
      const tree& ends = *opened(node.at("rexpr")).second;
      const expression of = read(node.at("lexpr"));
      return negated(how == "AEXPR_NOT_BETWEEN",
                     call("and", at,
                          {call(">=", at, {of, read(list_of(ends, "items")[0])}),
                           call("<=", at, {of, read(list_of(ends, "items")[1])})}));
    }
    refuse(at, "this comparison is not supported; there are = <> < <= > >=, IN, BETWEEN, LIKE and IS NULL");
  }
  static expression negated(bool is, expression of) {
    if (!is) return of;
    const std::size_t at = of.at;
    return call("not", at, {std::move(of)});
  }

  expression logic(const tree& node) {
    const std::string how = node.value("boolop", std::string());
    expression made = call(how == "AND_EXPR" ? "and" : how == "OR_EXPR" ? "or" : "not", place_of(node), {});
    for (const tree& one : list_of(node, "args")) made.of.push_back(read(one));
    return made;
  }

  expression function(const tree& node) {
    const std::size_t at = place_of(node);
    only(node, {"funcname", "args", "agg_star", "agg_distinct", "funcformat", "location"}, at, "a function");
    expression made = call(text_of(list_of(node, "funcname").back()), at, {});
    made.distinct = node.value("agg_distinct", false);
    for (const tree& one : list_of(node, "args")) made.of.push_back(read(one));
    if (node.value("agg_star", false)) {
      if (made.name != "count") refuse(at, fmt::format("{}(*): only count takes a *", made.name));
      made.name = "count(*)";
    }
    return made;
  }

  expression choice(const tree& node) {
    expression made = call("case", place_of(node), {});
    const auto of = node.find("arg");
    for (const tree& one : list_of(node, "args")) {
      const tree& when = *opened(one).second;
      expression holds = read(when.at("expr"));
      if (of != node.end()) holds = call("=", holds.at, {read(*of), holds});
      made.of.push_back(std::move(holds));
      made.of.push_back(read(when.at("result")));
    }
    made.of.push_back(node.contains("defresult") ? read(node.at("defresult")) : expression{.at = made.at});
    return made;
  }

  expression cast(const tree& node) {
    const std::size_t at = place_of(node);
    const tree& names = list_of(node.at("typeName"), "names");
    const std::string to = names.empty() ? "" : text_of(names.back());
    for (const char* whole : {"int2", "int4", "int8", "integer"}) {
      if (to == whole) return call("to integer", at, {read(node.at("arg"))});
    }
    for (const char* real : {"float4", "float8", "numeric", "real", "double"}) {
      if (to == real) return call("to real", at, {read(node.at("arg"))});
    }
    if (to == "bool" && node.at("arg").contains("A_Const")) return read(node.at("arg"));
    refuse(at,
           fmt::format("no conversion to {}; expected INTEGER or REAL; dates are texts such as '2024-02-29'",
                       to));
  }

  void block(const tree& of, query_text& made) {
    for (const tree& one : list_of(of, "distinctClause")) {
      if (!one.is_object() || !one.empty()) refuse(0, "DISTINCT ON is not supported; write GROUP BY");
      made.distinct = true;
    }
    if (!list_of(of, "distinctClause").empty()) made.distinct = true;
    for (const tree& one : list_of(of, "targetList")) {
      const tree& item = *opened(one).second;
      if (!item.contains("val")) refuse(place_of(item), "nothing is selected; expected an expression");
      made.items.push_back({read(item.at("val")), item.value("name", std::string())});
    }
    if (made.items.empty()) refuse(0, "nothing is selected; expected SELECT, columns, FROM and a table");
    for (const tree& one : list_of(of, "fromClause")) from(one, made.from);
    if (made.from.size() > most_tables)
      refuse(made.from[most_tables].at,
             fmt::format("more than {} tables; join them in smaller steps", most_tables));
    if (of.contains("whereClause")) made.where = read(of.at("whereClause"));
    for (const tree& one : list_of(of, "groupClause")) made.group_by.push_back(read(one));
    if (of.contains("havingClause")) made.having = read(of.at("havingClause"));
  }

  void from(const tree& node, std::vector<source>& to) {
    const auto [name, content] = opened(node);
    const tree& of = *content;
    const nesting deeper(*this, place_of(of));
    if (name == "RangeVar") {
      if (of.contains("schemaname"))
        refuse(place_of(of), "a table's name of two parts; expected one that --table=NAME=FILE gives");
      source table{.table = of.value("relname", std::string()), .at = place_of(of)};
      table.alias = of.contains("alias") ? of["alias"].value("aliasname", std::string()) : table.table;
      to.push_back(std::move(table));
    } else if (name == "RangeSubselect") {
      source table{.query = std::make_shared<query_text>(query(*opened(of.at("subquery")).second))};
      table.alias = of.contains("alias") ? of["alias"].value("aliasname", std::string()) : "";
      to.push_back(std::move(table));
    } else if (name == "JoinExpr") {
      join(of, to);
    } else {
      refuse(place_of(of), "expected a table, a join of tables or (SELECT ...) AS name behind FROM");
    }
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
             "joins in brackets on the right are not supported; write a JOIN b ON ... JOIN c ON ...");
    source& last = to.back();
    last.join = how == "JOIN_LEFT" ? join_kind::left : join_kind::inner;
    if (of.contains("quals")) last.on = read(of.at("quals"));
    for (const tree& one : list_of(of, "usingClause")) last.using_columns.push_back(text_of(one));
  }

  ordering order(const tree& of) {
    ordering made{.by = read(of.at("node"))};
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
      const expression n = read(of.at(key));
      if (n.is != form::integer || n.number < 0) refuse(n.at, "LIMIT and OFFSET take a number from 0 on");
      made.limit_at = made.limit_at == 0 ? n.at : std::min(made.limit_at, n.at);
      return static_cast<std::uint64_t>(n.number);
    };
    if (of.value("limitOption", std::string()) == "LIMIT_OPTION_WITH_TIES")
      refuse(0, "WITH TIES is not supported; write LIMIT n");
    made.limit = number("limitCount");
    made.offset = number("limitOffset").value_or(0);
  }

  const std::string_view text_;
  int depth_ = 0, queries_ = 0;
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
    made.query = reader(text).query(*content);
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
  result<statement> parsed = status(exit_status::no_resource,
                                    "no thread to parse a query; raise the limit of processes (ulimit -u)");
  on_large_stack([&] { parsed = parse_here(text); });
  return parsed;
}

}  // namespace orujo::relational
