#include "framework/tables/relational/read_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <system_error>
#include <utility>

namespace orujo::internal::relational {
namespace {

using form = expression::form;

// The tree of version 15-4.0.0 lacks integers that are not above 0: they are read from the text.
std::int64_t number_at(std::string_view text, std::size_t at) {
  const std::size_t digits = std::min(text.find_first_not_of("-+ \t\r\n(", at), text.size());
  std::int64_t number = 0;
  if (text.substr(at, digits - at).find("--") != text.npos ||
      std::from_chars(text.data() + digits, text.data() + text.size(), number).ec != std::errc())
    refuse(at, "a number after a comment; write it directly after its sign");
  return -number;
}

expression constant(const tree& node, std::string_view text) {
  expression made{.at = location_of(node)};
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

expression call(std::string name, std::size_t at, std::vector<expression> of) {
  return {.is = form::call, .name = std::move(name), .of = std::move(of), .at = at};
}

expression negated(bool is, expression of) {
  if (!is) return of;
  const std::size_t at = of.at;
  return call("not", at, {std::move(of)});
}

expression column_of(const tree& node) {
  expression made{.is = form::column, .at = location_of(node)};
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

bool is_arithmetic(const tree& node) {
  if (node.value("kind", std::string()) != "AEXPR_OP" || !node.contains("lexpr")) return false;
  const std::string sign = list_of(node, "name").empty() ? "" : text_of(node.at("name").back());
  return sign.size() == 1 && std::string_view("+-*/%").find(sign) != std::string_view::npos;
}

constexpr std::pair<std::string_view, std::string_view> type_words[] = {
    {"int2", "SMALLINT"},           {"int4", "INTEGER"},    {"int8", "BIGINT"},  {"float4", "REAL"},
    {"float8", "DOUBLE PRECISION"}, {"numeric", "NUMERIC"}, {"bool", "BOOLEAN"}, {"bpchar", "CHAR"},
    {"varchar", "VARCHAR"}};

std::string type_in_words(const std::string& name) {
  const auto* const found = std::ranges::find(type_words, name, [](const auto& one) { return one.first; });
  return found == std::end(type_words) ? name : std::string(found->second);
}

}  // namespace

expression_reader::nesting::nesting(expression_reader& of, std::size_t at) : of_(of) {
  if (++of_.depth_ > deepest_nesting)
    refuse(at, fmt::format("nested more than {} deep; write it in smaller steps", deepest_nesting));
}

expression expression_reader::read(const tree& node) {
  const auto [name, content] = opened(node);
  const tree& of = *content;
  const std::size_t at = location_of(of);
  const nesting deeper(*this, at);
  if (name == "A_Const") return constant(of, text_);
  if (name == "ColumnRef") return column_of(of);
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
  if (name == "BooleanTest") return truth_test(of);
  if (name == "SubLink")
    refuse(at, "a query within an expression is not supported; write it as a join with (SELECT ...) AS name");
  const std::string_view in_sql = word_for(name);
  refuse(at,
         fmt::format("{} is not supported in an expression", in_sql.empty() ? "what stands here" : in_sql));
}

expression expression_reader::operation(const tree& node) {
  const std::size_t at = location_of(node);
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
    if (is_arithmetic(node)) return chain(node);
    for (const char* known : {"=", "<>", "<", "<=", ">", ">="}) {
      if (name == known) return call(name, at, {read(node.at("lexpr")), read(node.at("rexpr"))});
    }
    refuse(at, fmt::format("the operator {} is not supported; there are + - * / % = <> < <= > >=", name));
  }
  if (how == "AEXPR_NULLIF") return call("nullif", at, {read(node.at("lexpr")), read(node.at("rexpr"))});
  if (how == "AEXPR_LIKE" || how == "AEXPR_ILIKE") {
    if (how == "AEXPR_ILIKE") refuse(at, "ILIKE is not supported; LIKE does not tell a from A");
    if (opened(node.at("rexpr")).first == "FuncCall")
      refuse(at, "LIKE with ESCAPE is not supported; write it without");
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
    return negated(how == "AEXPR_NOT_BETWEEN", call("and", at,
                                                    {call(">=", at, {of, read(list_of(ends, "items")[0])}),
                                                     call("<=", at, {of, read(list_of(ends, "items")[1])})}));
  }
  refuse(at, "this comparison is not supported; there are = <> < <= > >=, IN, BETWEEN, LIKE and IS NULL");
}

// a + b - c is a list, however long, in which the left operand of each operator is what comes before.
expression expression_reader::chain(const tree& last) {
  expression made{.is = form::chain, .at = location_of(last)};
  std::vector<const tree*> steps = {&last};
  for (;;) {
    const auto [name, left] = opened(steps.back()->at("lexpr"));
    if (name != "A_Expr" || !is_arithmetic(*left)) break;
    steps.push_back(left);
  }
  std::ranges::reverse(steps);
  made.of.push_back(read(steps.front()->at("lexpr")));
  for (const tree* const step : steps) {
    made.operators.push_back({text_of(step->at("name").back())[0], location_of(*step)});
    made.of.push_back(read(step->at("rexpr")));
  }
  return made;
}

expression expression_reader::logic(const tree& node) {
  const std::string how = node.value("boolop", std::string());
  expression made = call(how == "AND_EXPR" ? "and" : how == "OR_EXPR" ? "or" : "not", location_of(node), {});
  for (const tree& one : list_of(node, "args")) made.of.push_back(read(one));
  return made;
}

// IS TRUE and the like, which are never NULL.
expression expression_reader::truth_test(const tree& node) {
  const std::size_t at = location_of(node);
  const std::string how = node.value("booltesttype", std::string());
  expression of = read(node.at("arg"));
  if (how == "IS_UNKNOWN" || how == "IS_NOT_UNKNOWN")
    return call(how == "IS_UNKNOWN" ? "is null" : "is not null", at, {std::move(of)});
  expression known = call("is not null", at, {of});
  const bool is_false = how == "IS_FALSE" || how == "IS_NOT_FALSE";
  return negated(how == "IS_NOT_TRUE" || how == "IS_NOT_FALSE",
                 call("and", at, {std::move(known), negated(is_false, std::move(of))}));
}

expression expression_reader::function(const tree& node) {
  const std::size_t at = location_of(node);
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

expression expression_reader::choice(const tree& node) {
  expression made = call("case", location_of(node), {});
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

expression expression_reader::cast(const tree& node) {
  const std::size_t at = location_of(node);
  const tree& type = node.at("typeName");
  const std::string name = list_of(type, "names").empty() ? "" : text_of(list_of(type, "names").back());
  const std::string to = type_in_words(name);
  only(type, {"names", "typemod", "typmods", "arrayBounds", "location"}, at, "a conversion");
  if (!list_of(type, "arrayBounds").empty())
    refuse(at, fmt::format("no conversion to arrays of {}; expected INTEGER or REAL", to));
  if (!list_of(type, "typmods").empty() && name != "interval")
    refuse(at, fmt::format("no conversion to {} of a length or precision; expected INTEGER or REAL", to));
  if (name == "int2") refuse(at, "no conversion to SMALLINT; expected INTEGER, which has 64 bits");
  for (const char* whole : {"int4", "int8", "integer"}) {
    if (name == whole) return call("to integer", at, {read(node.at("arg"))});
  }
  for (const char* real : {"float4", "float8", "numeric", "real", "double"}) {
    if (name == real) return call("to real", at, {read(node.at("arg"))});
  }
  if (name == "bool")
    refuse(at, "no conversion to BOOLEAN; expected a comparison, such as x <> 0, TRUE or FALSE");
  refuse(at, fmt::format(
                 "no conversion to {}; expected INTEGER or REAL; dates are texts such as '2024-02-29'", to));
}

}  // namespace orujo::internal::relational
