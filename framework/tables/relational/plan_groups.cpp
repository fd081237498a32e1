// GROUP BY, aggregates and what may be said of a group.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "framework/formats/text_tokens.hpp"
#include "framework/tables/relational/planning.hpp"

namespace orujo::internal::relational {
namespace {

using step = plan_node::step;

// Groups by the keys and by what is to be distinct; then these groups by the keys. The outcome is in the
// slots that one group would have it in, and so are what says of its keys and aggregates.
plan_node in_two_steps(plan_node whole, const formula& of_distinct, slot_count& slots) {
  plan_node first{.does = step::group, .expected = whole.of[0].expected / 2}, second = whole;
  second.of.clear();
  second.aggregates.clear();
  for (auto& [slot, key] : second.values) {
    const kind type = key.type;
    first.values.emplace_back(slots.add(), std::move(key));
    key = slot_formula(first.values.back().first, type);
  }
  const formula value = slot_formula(slots.add(), of_distinct.type);
  first.values.emplace_back(value.slot, of_distinct);
  std::vector<std::pair<int, formula>> finish;
  const auto step_of = [&](function inner, function outer, const formula& of, kind type) {
    const int part = slots.add(), sum = slots.add();
    first.aggregates.push_back({.does = inner, .of = of, .type = type, .slot = part});
    second.aggregates.push_back({.does = outer, .of = slot_formula(part, type), .type = type, .slot = sum});
    return slot_formula(sum, type);
  };
  for (const aggregate& a : whole.aggregates) {
    if (a.distinct) {
      second.aggregates.push_back({.does = a.does, .of = value, .type = a.type, .slot = a.slot});
    } else if (a.does == function::count || a.does == function::count_rows) {
      const formula sum = step_of(a.does, function::sum, a.of, kind::integer);
      const formula zero{.does = operation::constant};
      finish.emplace_back(a.slot, formula{.does = operation::coalesce, .of = {sum, zero}});
    } else if (a.does == function::average) {
      const formula sum = step_of(function::sum, function::sum, as_real(a.of), kind::real);
      const formula count = step_of(function::count, function::sum, a.of, kind::integer);
      finish.emplace_back(
          a.slot, formula{.does = operation::divide, .type = kind::real, .of = {sum, as_real(count)}});
    } else {
      finish.emplace_back(a.slot, step_of(a.does, a.does, a.of, a.type));
    }
  }
  first.of.push_back(std::move(whole.of[0]));
  second.of.push_back(std::move(first));
  return computed(std::move(second), std::move(finish));
}

}  // namespace

plan_node grouped(plan_node of, const std::vector<formula>& keys, std::vector<aggregate>& aggregates,
                  std::vector<int>& key_slots, slot_count& slots) {
  std::optional<formula> of_distinct;
  for (const aggregate& a : aggregates) {
    if (!a.distinct) continue;
    if (of_distinct && !(*of_distinct == a.of))
      throw query_error{a.of.at,
                        "DISTINCT of two different expressions in one query; write a query for each"};
    of_distinct = a.of;
  }
  plan_node made{.does = step::group, .expected = keys.empty() ? 1 : of.expected / 4};
  for (const formula& key : keys) {
    key_slots.push_back(slots.add());
    made.values.emplace_back(key_slots.back(), key);
  }
  for (aggregate& a : aggregates) a.slot = slots.add();
  made.aggregates = aggregates;
  made.of.push_back(std::move(of));
  return of_distinct ? in_two_steps(std::move(made), *of_distinct, slots) : std::move(made);
}

void lift(formula& f, const std::vector<formula>& keys, const std::vector<int>& key_slots,
          const std::vector<aggregate>& aggregates) {
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (!(f == keys[k])) continue;
    const std::size_t at = f.at;
    f = slot_formula(key_slots[k], f.type);
    f.at = at;
    return;
  }
  if (f.does == operation::aggregate) {
    const std::size_t at = f.at;
    f = slot_formula(aggregates[static_cast<std::size_t>(f.slot)].slot, f.type);
    f.at = at;
    return;
  }
  if (f.does == operation::slot)
    throw query_error{f.at,
                      fmt::format("the column {} is neither in GROUP BY nor in an aggregate; write one of "
                                  "both, such as min({})",
                                  formats::shown(f.name), f.name)};
  for (formula& one : f.of) lift(one, keys, key_slots, aggregates);
}

}  // namespace orujo::internal::relational
