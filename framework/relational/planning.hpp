// What planning a query is made of: conditions that go down, joins and their order, what is needed where.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "framework/relational/bind.hpp"
#include "framework/relational/plan.hpp"

namespace orujo::relational {

void slots_of(const formula& f, std::set<int>& to);
std::set<int> slots_of(const formula& f);
formula slot_formula(int slot, kind type);

// Parts that all must be true.
void split(formula f, std::vector<formula>& to);

// The step, and its rows for which the conditions are true, if there are any.
plan_node filtered(plan_node of, std::vector<formula> conditions);

// One table or query behind FROM.
struct input {
  plan_node node;
  std::set<int> slots;
  bool may_be_missing = false;  // its columns are NULL where a LEFT JOIN finds nothing
  const source* from = nullptr;
};

// What is behind FROM and WHERE. WHERE, and ON of inner joins, go as far down as they can. Columns that USING
// makes one are hidden in the scope. Throws a query_error.
plan_node joined(const query_text& q, std::vector<input> inputs, std::vector<relation>& scope, binder& names);

// From the top down: which slots are needed, and the numbers of the steps.
void set_live(plan_node& node, const std::set<int>& needed, std::size_t& number);

// From the bottom up: the range of the only key of a group that is a table's column.
void set_ranges(plan_node& node, const tables& data, std::map<int, key_range>& known);

}  // namespace orujo::relational
