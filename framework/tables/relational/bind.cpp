#include "framework/tables/relational/bind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "framework/formats/text_tokens.hpp"

namespace orujo::internal::relational {
namespace {

using form = expression::form;

bool is_null(const formula& f) { return f.does == operation::null; }
bool is_text(const formula& f) { return f.type == kind::text && !is_null(f); }

formula made(operation does, kind type, std::size_t at, std::vector<formula> of) {
  return {.does = does, .type = type, .of = std::move(of), .at = at};
}

formula constant(kind type, word value, std::size_t at) {
  return {.does = operation::constant, .type = type, .value = value, .at = at};
}

// Returns the slot of the first that is a column of texts, or -1.
int slot_of_text(std::initializer_list<const formula*> parts) {
  for (const formula* f : parts) {
    if (is_text(*f) && f->does == operation::slot) return f->slot;
  }
  return -1;
}

// The mistake of a text where a number, or true or false, is expected.
query_error text_mistake(std::size_t at, std::string what, std::initializer_list<const formula*> parts) {
  return {at, std::move(what), slot_of_text(parts)};
}
void require_truth(const formula& f) {
  if (is_text(f))
    throw text_mistake(f.at, "a text where true or false is expected; compare it with something", {&f});
}

// Gives the values of CASE and the like one type. Returns whether integers have become reals.
bool make_one_type(const std::vector<formula*>& values, std::size_t at) {
  bool text = false, number = false, real = false, integer = false;
  const formula* a_text = nullptr;
  for (const formula* f : values) {
    if (is_null(*f)) continue;
    (f->type == kind::text ? text : number) = true;
    real |= f->type == kind::real;
    integer |= f->type == kind::integer;
    if (slot_of_text({f}) >= 0) a_text = f;
  }
  if (text && number)
    throw text_mistake(at, "texts and numbers as the values of one expression; expected values of one type",
                       {a_text ? a_text : values[0]});
  for (formula* f : values) {
    if (is_null(*f)) {
      f->type = text ? kind::text : real ? kind::real : kind::integer;
    } else if (real) {
      *f = as_real(std::move(*f));
    }
  }
  return real && integer;
}

constexpr std::size_t most_told = 30;  // columns

constexpr std::pair<std::string_view, operation> comparisons[] = {
    {"=", operation::equal},       {"<>", operation::not_equal}, {"<", operation::less},
    {"<=", operation::less_equal}, {">", operation::less},       {">=", operation::less_equal}};

constexpr std::pair<char, operation> arithmetic_signs[] = {{'+', operation::add},
                                                           {'-', operation::subtract},
                                                           {'*', operation::multiply},
                                                           {'/', operation::divide},
                                                           {'%', operation::remainder}};
operation operation_of(char sign) {
  return std::ranges::find(arithmetic_signs, sign, [](const auto& one) { return one.first; })->second;
}

constexpr std::pair<const char*, function> functions[] = {
    {"count", function::count}, {"count(*)", function::count_rows}, {"sum", function::sum},
    {"avg", function::average}, {"min", function::minimum},         {"max", function::maximum}};

}  // namespace

formula as_real(formula of) {
  if (of.type != kind::integer) return of;
  if (of.does == operation::null) return of.type = kind::real, of;
  if (of.does == operation::constant)
    return constant(kind::real, word_of(static_cast<double>(of.value)), of.at);
  const std::size_t at = of.at;
  return made(operation::to_real, kind::real, at, {std::move(of)});
}

bool make_comparable(formula& a, formula& b) {
  if (is_null(a)) a.type = b.type;
  if (is_null(b)) b.type = a.type;
  return (a.type == kind::text) == (b.type == kind::text);
}

formula binder::bind(const expression& of, std::vector<aggregate>* aggregates, const char* clause) {
  aggregates_ = aggregates;
  clause_ = clause;
  return truth(of);
}

formula binder::truth(const expression& of) {
  switch (of.is) {
    case form::column:
      return column(of);
    case form::star:
      throw query_error{of.at, "a * within an expression; expected it alone, or in count(*)"};
    case form::null:
      return {.at = of.at};
    case form::integer:
      return constant(kind::integer, of.number, of.at);
    case form::real:
      return constant(kind::real, word_of(of.fraction), of.at);
    case form::text:
      return constant(kind::text, texts_.constants.code_of(of.name), of.at);
    case form::chain:
      return arithmetic(of);
    case form::call:
      break;
  }
  return call(of);
}

std::vector<formula> binder::all(const expression& of) {
  std::vector<formula> made;
  for (const expression& one : of.of) made.push_back(truth(one));
  return made;
}

const scope_column* binder::find(const std::string& table, const std::string& name, std::size_t at) const {
  const std::string wanted_table = in_small_letters(table), wanted = in_small_letters(name);
  const scope_column* found = nullptr;
  const relation* of = nullptr;  // what it is of
  bool table_known = false;
  for (const relation& r : scope_) {
    if (!table.empty() && r.alias != wanted_table) continue;
    table_known = true;
    for (const scope_column& c : r.columns) {
      if (c.name != wanted || (c.hidden && table.empty())) continue;
      if (found) {
        if (of == &r)
          throw query_error{
              at, fmt::format("{} has two columns {}; give all of its columns names: AS {}(a, b, ...)",
                              r.alias.empty() ? "a query after FROM" : r.alias, formats::shown(name),
                              r.alias.empty() ? "name" : r.alias)};
        throw query_error{at, fmt::format("the column {} is ambiguous; write its table before it: table.{}",
                                          formats::shown(name), name)};
      }
      found = &c;
      of = &r;
    }
  }
  if (!table.empty() && !table_known)
    throw query_error{at,
                      fmt::format("no table {} in this query; {}", formats::shown(table), what_there_is())};
  return found;
}

std::string binder::what_there_is() const {
  std::string told;
  for (const relation& r : scope_) {
    told += told.empty() ? "there is " : "; ";
    told += r.alias.empty() ? "a query" : r.alias;
    std::vector<std::string> names = r.others;
    for (const scope_column& c : r.columns) names.push_back(c.name);
    for (std::size_t k = 0; k < names.size() && k < most_told; ++k)
      told += fmt::format("{}{}", k == 0 ? " with " : ", ", names[k]);
    if (names.size() > most_told) told += ", ...";
  }
  return told.empty() ? "there is no table after FROM" : told;
}

formula binder::column(const expression& of) {
  const scope_column* const found = find(of.table, of.name, of.at);
  if (found)
    return {.does = operation::slot, .type = found->type, .slot = found->slot, .at = of.at, .name = of.name};
  if (of.table.empty()) {
    for (const auto& [name, what] : aliases_) {
      if (name != in_small_letters(of.name)) continue;
      if (++depth_ > deepest_nesting) throw query_error{of.at, "a name that stands for itself"};
      formula meant = truth(*what);
      --depth_;
      return meant;
    }
  }
  throw query_error{of.at,
                    fmt::format("no column {}{}; {}; texts stand in single quotes", formats::shown(of.name),
                                of.table.empty() ? "" : " in " + formats::shown(of.table), what_there_is())};
}

formula binder::call(const expression& of) {
  const std::string& name = of.name;
  for (const auto& [text, does] : functions) {
    if (name == text) return aggregate_of(of);
  }
  if (of.distinct) throw query_error{of.at, fmt::format("DISTINCT in {}(); only aggregates have it", name)};
  for (const auto& [text, does] : comparisons) {
    if (name == text) return comparison(of);
  }
  if (name == "and" || name == "or" || name == "not") {
    std::vector<formula> parts = all(of);
    for (const formula& part : parts) require_truth(part);
    return made(name == "and"  ? operation::logical_and
                : name == "or" ? operation::logical_or
                               : operation::logical_not,
                kind::integer, of.at, std::move(parts));
  }
  if (name == "is null" || name == "is not null")
    return made(name == "is null" ? operation::is_null : operation::is_not_null, kind::integer, of.at,
                all(of));
  if (name == "case" || name == "coalesce") return choice(of);
  if (name == "like") return like(of);
  if (name == "in") return membership(of);
  const std::size_t expected = name == "nullif" ? 2 : 1;
  const bool known =
      name == "negative" || name == "abs" || name == "to integer" || name == "to real" || name == "nullif";
  if (!known)
    throw query_error{of.at,
                      fmt::format("no function {}(); there are count, sum, avg, min, max, abs, coalesce "
                                  "and nullif, and CAST to INTEGER and REAL",
                                  name)};
  if (of.of.size() != expected)
    throw query_error{of.at, fmt::format("{}() of {} arguments; it takes {}", name, of.of.size(), expected)};
  std::vector<formula> parts = all(of);
  if (name == "nullif") {
    formula a = parts[0], b = parts[1];
    if (!make_comparable(a, b))
      throw text_mistake(of.at, "a text and a number; expected values of one type", {&a, &b});
    const kind type = a.type;
    formula same = made(operation::equal, kind::integer, of.at, {a, std::move(b)});
    formula none{.type = type, .at = of.at};
    return made(operation::choose, type, of.at, {std::move(same), std::move(none), std::move(a)});
  }
  formula& part = parts[0];
  if (is_text(part))
    throw text_mistake(of.at, "a text where a number is expected; choose a column of numbers", {&part});
  if (name == "to real") return as_real(std::move(part));
  if (name == "to integer" && part.type == kind::integer) return part;
  if (is_null(part)) return part;
  const kind type = name == "to integer" ? kind::integer : part.type;
  return made(name == "negative" ? operation::negative
              : name == "abs"    ? operation::magnitude
                                 : operation::to_integer,
              type, of.at, std::move(parts));
}

formula binder::arithmetic(const expression& of) {
  std::vector<formula> parts = all(of);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (is_text(parts[k]))
      throw text_mistake(parts[k].at,
                         fmt::format("a text with the operator {}; expected numbers",
                                     of.operators[std::max<std::size_t>(k, 1) - 1].sign),
                         {&parts[k]});
  }
  // Integers up to the first real operand, and reals from there on.
  formula so_far = std::move(parts[0]);
  bool is_open = false;  // for further operands
  for (std::size_t k = 1; k < parts.size(); ++k) {
    const auto [sign, at] = of.operators[k - 1];
    const operation does = operation_of(sign);
    const bool real = so_far.type == kind::real || parts[k].type == kind::real;
    if (real && does == operation::remainder)
      throw query_error{at, "% of real numbers; expected integers: CAST(x AS INTEGER)"};
    if (real) parts[k] = as_real(std::move(parts[k]));
    is_open = is_open && real == (so_far.type == kind::real);
    if (is_open) {
      so_far.further.push_back({does, at});
      so_far.of.push_back(std::move(parts[k]));
    } else {
      if (real) so_far = as_real(std::move(so_far));
      so_far = made(does, real ? kind::real : kind::integer, at, {std::move(so_far), std::move(parts[k])});
      is_open = true;
    }
  }
  return so_far;
}

formula binder::comparison(const expression& of) {
  std::vector<formula> parts = all(of);
  if (!make_comparable(parts[0], parts[1]))
    throw text_mistake(of.at,
                       fmt::format("a text and a number with the operator {}; expected two of one type: "
                                   "texts stand in single quotes, numbers without",
                                   of.name),
                       {&parts[0], &parts[1]});
  const operation does =
      std::ranges::find(comparisons, of.name, [](const auto& o) { return o.first; })->second;
  if (of.name[0] == '>') std::swap(parts[0], parts[1]);
  return made(does, kind::integer, of.at, std::move(parts));
}

formula binder::choice(const expression& of) {
  std::vector<formula> parts = all(of);
  std::vector<formula*> values;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const bool is_condition = of.name == "case" && k % 2 == 0 && k + 1 < parts.size();
    if (!is_condition) {
      values.push_back(&parts[k]);
    } else {
      require_truth(parts[k]);
    }
  }
  mixes_numbers_ |= make_one_type(values, of.at);
  const kind type = values.back()->type;
  return made(of.name == "case" ? operation::choose : operation::coalesce, type, of.at, std::move(parts));
}

formula binder::like(const expression& of) {
  if (of.of[1].is != form::text)
    throw query_error{of.of[1].at,
                      "LIKE with an operand that is not a text in single quotes; expected one such as 'a%'"};
  formula text = truth(of.of[0]);
  if (is_null(text)) return text;
  if (text.type != kind::text) throw query_error{text.at, "LIKE of a number; expected a column of texts"};
  const auto& found = texts_.patterns.at(of.of[1].name);
  formula f = made(operation::like, kind::integer, of.at, {std::move(text)});
  f.like = found.first;
  f.like_literals = found.second;
  return f;
}

formula binder::membership(const expression& of) {
  std::vector<formula> parts = all(of);
  formula first = parts[0];
  if (is_null(first)) return first;
  bool constants = true;
  for (std::size_t k = 1; k < parts.size(); ++k) {
    if (!make_comparable(first, parts[k]))
      throw text_mistake(parts[k].at, "a text and a number with IN; expected values of one type",
                         {&first, &parts[k]});
    constants = constants && (is_null(parts[k]) || parts[k].does == operation::constant) &&
                parts[k].type == first.type;
  }
  if (!constants) {  // a = b OR a = c
    std::vector<formula> any;
    for (std::size_t k = 1; k < parts.size(); ++k)
      any.push_back(made(operation::equal, kind::integer, of.at, {first, parts[k]}));
    return made(operation::logical_or, kind::integer, of.at, std::move(any));
  }
  std::stable_partition(parts.begin() + 1, parts.end(), [](const formula& f) { return !is_null(f); });
  return made(operation::is_in, kind::integer, of.at, std::move(parts));
}

formula binder::aggregate_of(const expression& of) {
  const function does =
      std::ranges::find(functions, of.name, [](const auto& f) { return std::string(f.first); })->second;
  if (aggregates_ == nullptr)
    throw query_error{of.at,
                      fmt::format("an aggregate in {}; {}", clause_,
                                  std::string_view(clause_) == "WHERE" ? "write it after HAVING"
                                                                       : "it may be selected, or in HAVING")};
  if (of.of.size() != (does == function::count_rows ? 0 : 1))
    throw query_error{of.at, fmt::format("{} of {} arguments; it takes one", of.name, of.of.size())};
  aggregate a{.does = does, .distinct = of.distinct};
  if (does != function::count_rows) {
    std::vector<aggregate>* const outer = std::exchange(aggregates_, nullptr);
    const char* const clause = std::exchange(clause_, "another aggregate");
    a.of = truth(of.of[0]);
    aggregates_ = outer;
    clause_ = clause;
    if (is_text(a.of) && (does == function::sum || does == function::average))
      throw text_mistake(of.at, fmt::format("{} of a text; expected numbers", of.name), {&a.of});
    a.type = does == function::count ? kind::integer : does == function::average ? kind::real : a.of.type;
    if (does == function::minimum || does == function::maximum) a.distinct = false;
  }
  const auto same = [&](const aggregate& b) {
    return a.does == b.does && a.distinct == b.distinct && a.of == b.of;
  };
  const auto found = std::ranges::find_if(*aggregates_, same);
  const auto number = static_cast<int>(found - aggregates_->begin());
  const kind type = a.type;
  if (found == aggregates_->end()) aggregates_->push_back(std::move(a));
  return {.does = operation::aggregate, .type = type, .slot = number, .at = of.at};
}

}  // namespace orujo::internal::relational
