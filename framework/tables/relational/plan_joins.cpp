#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "framework/tables/relational/planning.hpp"

namespace orujo::internal::relational {
namespace {

using step = plan_node::step;

bool within(const formula& f, const std::set<int>& slots) {
  const std::set<int> used = slots_of(f);
  return std::ranges::includes(slots, used);
}

// Removes from the pool the formulas that have all they need, and returns them.
std::vector<formula> take_ready(std::vector<formula>& pool, const std::set<int>& slots) {
  std::vector<formula> ready;
  std::erase_if(pool, [&](const formula& f) {
    const bool is = within(f, slots);
    if (is) ready.push_back(f);
    return is;
  });
  return ready;
}

// a = b with a of one side and b of the other, in that order.
bool is_key(const formula& f, const std::set<int>& left, const std::set<int>& right, formula& a, formula& b) {
  if (f.does != operation::equal) return false;
  const std::set<int> of_a = slots_of(f.of[0]), of_b = slots_of(f.of[1]);
  if (of_a.empty() || of_b.empty()) return false;
  const bool straight = std::ranges::includes(left, of_a) && std::ranges::includes(right, of_b);
  const bool crossed = std::ranges::includes(right, of_a) && std::ranges::includes(left, of_b);
  if (!straight && !crossed) return false;
  a = f.of[straight ? 0 : 1];
  b = f.of[straight ? 1 : 0];
  return true;
}

plan_node join(plan_node probe, const std::set<int>& probe_slots, input build,
               std::vector<formula> conditions) {
  plan_node made{.does = step::join, .how = build.may_be_missing ? join_kind::left : join_kind::inner};
  made.expected = probe.expected;
  for (formula& f : conditions) {
    formula a, b;
    if (!is_key(f, probe_slots, build.slots, a, b)) {
      made.conditions.push_back(std::move(f));
      continue;
    }
    if (a.type != b.type) {  // doubles do not hold all integers: common values are compared again
      a = as_real(std::move(a));
      b = as_real(std::move(b));
      made.conditions.push_back(std::move(f));
    }
    made.probe_keys.push_back(std::move(a));
    made.build_keys.push_back(std::move(b));
  }
  if (made.probe_keys.empty()) made.expected *= build.node.expected;
  made.of.push_back(std::move(probe));
  made.of.push_back(std::move(build.node));
  return made;
}

formula using_condition(const std::string& name, std::vector<relation>& scope, std::size_t k,
                        std::size_t at) {
  const auto column_of = [&](relation& r) {
    return std::ranges::find(r.columns, in_small_letters(name), &scope_column::name);
  };
  const auto right = column_of(scope[k]);
  for (std::size_t j = 0; j < k && right != scope[k].columns.end(); ++j) {
    const auto left = column_of(scope[j]);
    if (left == scope[j].columns.end() || left->hidden) continue;
    formula a = slot_formula(left->slot, left->type), b = slot_formula(right->slot, right->type);
    if (!make_comparable(a, b))
      throw query_error{at, fmt::format("USING ({}) with a text and a number", name)};
    right->hidden = true;
    return {.does = operation::equal, .of = {std::move(a), std::move(b)}, .at = at};
  }
  throw query_error{at, fmt::format("USING ({}), which both sides of the join must have", name)};
}

bool connected(const std::set<int>& left, const std::set<int>& right, const std::vector<formula>& pool) {
  formula a, b;
  return std::ranges::any_of(pool, [&](const formula& f) { return is_key(f, left, right, a, b); });
}

// The input that `of` is joined with before the first input is read, or the end. It is the only one that
// equal values connect with `of`, it is larger, and it is not the first.
std::vector<input>::iterator larger_neighbour(std::vector<input>& inputs, const input& of,
                                              const std::vector<formula>& pool) {
  auto found = inputs.end();
  for (auto other = inputs.begin(); other != inputs.end(); ++other) {
    if (&*other == &of || !connected(other->slots, of.slots, pool)) continue;
    if (found != inputs.end() || other == inputs.begin()) return inputs.end();
    if (other->node.expected < of.node.expected) return inputs.end();
    found = other;
  }
  return found;
}

// Joins the last tables of a chain first, such as orders with customers before lines with orders. The first
// table has the most rows, and is then looked up in a smaller one.
void join_behind_first(std::vector<input>& inputs, std::vector<formula>& pool) {
  for (std::size_t k = 1; k < inputs.size();) {
    const auto with = larger_neighbour(inputs, inputs[k], pool);
    if (with == inputs.end()) {
      ++k;
      continue;
    }
    const std::set<int> probe_slots = with->slots;
    with->slots.insert(inputs[k].slots.begin(), inputs[k].slots.end());
    with->node =
        join(std::move(with->node), probe_slots, std::move(inputs[k]), take_ready(pool, with->slots));
    inputs.erase(inputs.begin() + static_cast<std::ptrdiff_t>(k));
    k = 1;
  }
}

// The largest first, which is only gone over; then always the smallest that equal values connect.
void order_inputs(std::vector<input>& inputs, std::vector<formula>& pool) {
  const auto smaller = [](const input& a, const input& b) { return a.node.expected < b.node.expected; };
  std::iter_swap(inputs.begin(), std::ranges::max_element(inputs, smaller));
  join_behind_first(inputs, pool);
  std::set<int> slots = inputs[0].slots;
  for (std::size_t k = 1; k < inputs.size(); ++k) {
    const auto rank = [&](const input& i) {
      return std::pair(!connected(slots, i.slots, pool), i.node.expected);
    };
    const auto next = std::min_element(inputs.begin() + static_cast<std::ptrdiff_t>(k), inputs.end(),
                                       [&](const input& a, const input& b) { return rank(a) < rank(b); });
    std::iter_swap(inputs.begin() + static_cast<std::ptrdiff_t>(k), next);
    slots.insert(inputs[k].slots.begin(), inputs[k].slots.end());
  }
}

}  // namespace

void slots_of(const formula& f, std::set<int>& to) {
  if (f.does == operation::slot) to.insert(f.slot);
  for (const formula& one : f.of) slots_of(one, to);
}
std::set<int> slots_of(const formula& f) {
  std::set<int> found;
  slots_of(f, found);
  return found;
}
formula slot_formula(int slot, kind type) { return {.does = operation::slot, .type = type, .slot = slot}; }

// Parts that all must be true.
void split(formula f, std::vector<formula>& to) {
  if (f.does != operation::logical_and) return to.push_back(std::move(f));
  for (formula& one : f.of) split(std::move(one), to);
}

plan_node filtered(plan_node of, std::vector<formula> conditions) {
  if (conditions.empty()) return of;
  const double left = conditions[0].does == operation::equal ? 0.1 : 0.4;
  plan_node made{.does = step::filter, .conditions = std::move(conditions), .expected = of.expected * left};
  made.of.push_back(std::move(of));
  return made;
}

plan_node computed(plan_node of, std::vector<std::pair<int, formula>> values) {
  if (values.empty()) return of;
  plan_node made{.does = step::compute, .values = std::move(values), .expected = of.expected};
  made.of.push_back(std::move(of));
  return made;
}

plan_node joined(const query_text& q, std::vector<input> inputs, std::vector<relation>& scope,
                 binder& names) {
  std::vector<formula> pool;
  std::vector<std::vector<formula>> on(inputs.size());  // of left joins
  bool any_left = false;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const source& from = *inputs[k].from;
    std::vector<formula> conditions;
    if (from.on) split(names.bind(*from.on, nullptr, "ON"), conditions);
    for (const std::string& name : from.using_columns)
      conditions.push_back(using_condition(name, scope, k, from.at));
    any_left |= from.join == join_kind::left;
    auto& to = from.join == join_kind::left ? on[k] : pool;
    to.insert(to.end(), conditions.begin(), conditions.end());
  }
  if (q.where) split(names.bind(*q.where, nullptr, "WHERE"), pool);
  for (const formula& f : pool) {
    if (f.type == kind::text && f.does != operation::null)
      throw query_error{f.at, "a text where true or false is expected; compare it with something"};
  }
  if (inputs.empty()) return filtered({}, std::move(pool));
  const std::vector<formula> anywhere = take_ready(pool, {});
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    auto& from = inputs[k].may_be_missing ? on[k] : pool;
    std::vector<formula> ready;
    std::erase_if(from, [&](const formula& f) {
      const bool is = within(f, inputs[k].slots) && !slots_of(f).empty();
      if (is) ready.push_back(f);
      return is;
    });
    inputs[k].node = filtered(std::move(inputs[k].node), std::move(ready));
  }
  if (!any_left) order_inputs(inputs, pool);
  plan_node node = filtered(std::move(inputs[0].node), anywhere);
  std::set<int> slots = inputs[0].slots;
  for (std::size_t k = 1; k < inputs.size(); ++k) {
    std::set<int> both = slots;
    both.insert(inputs[k].slots.begin(), inputs[k].slots.end());
    const bool left = inputs[k].may_be_missing;
    std::vector<formula> conditions = left ? std::move(on[k]) : take_ready(pool, both);
    for (const formula& f : conditions) {
      if (!within(f, both))
        throw query_error{f.at, "ON with a column of a table that comes later; expected those before it"};
    }
    node = join(std::move(node), slots, std::move(inputs[k]), std::move(conditions));
    slots = std::move(both);
    node = filtered(std::move(node), take_ready(pool, slots));
  }
  return node;
}

}  // namespace orujo::internal::relational
