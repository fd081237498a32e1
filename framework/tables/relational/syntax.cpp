#include "framework/tables/relational/syntax.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <cctype>
#include <system_error>

namespace orujo::internal::relational {
namespace {

using form = expression::form;

}  // namespace

std::string in_small_letters(std::string_view name) {
  std::string made(name);
  for (char& c : made) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return made;
}

namespace {

void visit_within(const expression& of, const std::function<void(const expression&)>& visit) {
  visit(of);
  for (const expression& one : of.of) visit_within(one, visit);
}

}  // namespace

void visit_expressions(const query_text& of, const std::function<void(const expression&)>& visit) {
  for (const query_text& part : of.united) visit_expressions(part, visit);
  for (const source& from : of.from) {
    if (from.query) visit_expressions(*from.query, visit);
    if (from.on) visit_within(*from.on, visit);
    for (const std::string& name : from.using_columns)
      visit({.is = expression::form::column, .name = name, .at = from.at});
  }
  for (const selected& item : of.items) visit_within(item.what, visit);
  if (of.where) visit_within(*of.where, visit);
  if (of.having) visit_within(*of.having, visit);
  for (const expression& by : of.group_by) visit_within(by, visit);
  for (const ordering& by : of.order) visit_within(by.by, visit);
}

bool names_columns_anew(const query_text& of) {
  return std::ranges::any_of(of.united, names_columns_anew) ||
         std::ranges::any_of(of.from, [](const source& from) {
           return !from.columns.empty() || (from.query && names_columns_anew(*from.query));
         });
}

namespace {

std::string name_of_operand(const expression& of) {
  const bool is_alone = (of.is != form::call && of.is != form::chain) || of.of.size() < 2;
  return is_alone ? name_of(of) : "(" + name_of(of) + ")";
}

// "(a + b) * c"
std::string name_of_chain(const expression& of) {
  std::string made = name_of_operand(of.of[0]);
  bool adds = false;
  for (std::size_t k = 0; k < of.operators.size(); ++k) {
    const char sign = of.operators[k].sign;
    const bool adds_now = sign == '+' || sign == '-';
    if (adds && !adds_now) made = "(" + made + ")";
    adds = adds_now;
    made += fmt::format(" {} {}", sign, name_of_operand(of.of[k + 1]));
  }
  return made;
}

}  // namespace

std::string name_of(const expression& of) {
  switch (of.is) {
    case form::column:
      return of.name;
    case form::star:
      return "*";
    case form::null:
      return "NULL";
    case form::integer:
      return fmt::to_string(of.number);
    case form::real:
      return fmt::to_string(of.fraction);
    case form::text:
      return "'" + of.name + "'";
    case form::chain:
      return name_of_chain(of);
    case form::call:
      break;
  }
  if (of.name == "negative") return "-" + name_of(of.of[0]);
  if (of.name == "to real") return "CAST(" + name_of(of.of[0]) + " AS REAL)";
  if (of.name == "to integer") return "CAST(" + name_of(of.of[0]) + " AS INTEGER)";
  if (of.name.starts_with("is ")) return name_of_operand(of.of[0]) + " " + of.name;
  std::string made;
  const bool between = of.of.size() > 1 && (!std::isalpha(of.name[0]) || of.name == "and" ||
                                            of.name == "or" || of.name == "like");
  for (const expression& one : of.of) {
    if (!made.empty()) made += between ? " " + of.name + " " : ", ";
    made += between ? name_of_operand(one) : name_of(one);
  }
  return between || of.name == "count(*)"
             ? (between ? made : of.name)
             : fmt::format("{}({}{})", of.name, of.distinct ? "DISTINCT " : "", made);
}

status query_mistake(std::string_view text, std::size_t at, const std::string& what) {
  const std::string_view before = text.substr(0, std::min(at, text.size()));
  const std::size_t line_begins = before.rfind('\n') + 1;  // 0 if there is none
  return {exit_status::usage, fmt::format("query:{}:{}: {}", std::ranges::count(before, '\n') + 1,
                                          before.size() - line_begins + 1, what)};
}

void on_large_stack(const std::function<void()>& work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, query_stack_bytes);
  pthread_t thread;
  const int failed = pthread_create(
      &thread, &attributes,
      [](void* what) -> void* {
        (*static_cast<const std::function<void()>*>(what))();
        return nullptr;
      },
      const_cast<std::function<void()>*>(&work));
  pthread_attr_destroy(&attributes);
  if (failed != 0)
    throw std::system_error(failed, std::generic_category(), "no thread for a query (see ulimit -u)");
  pthread_join(thread, nullptr);
}

}  // namespace orujo::internal::relational
