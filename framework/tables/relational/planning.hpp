// The parts of planning a query: pushing conditions down, joins and their order, groups, required columns.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "framework/tables/relational/bind.hpp"
#include "framework/tables/relational/plan.hpp"

namespace orujo::internal::relational {

// A query's slots.
struct slot_count {
  int count = 0;
  int add() { return count++; }
};

void slots_of(const formula& f, std::set<int>& to);
std::set<int> slots_of(const formula& f);
formula slot_formula(int slot, kind type);

// Parts that all must be true.
void split(formula f, std::vector<formula>& to);

// The step, and its rows for which the conditions are true, if there are any.
plan_node filtered(plan_node of, std::vector<formula> conditions);
// The step, and these slots beside its own, if there are any.
plan_node computed(plan_node of, std::vector<std::pair<int, formula>> values);

// One table or query after FROM.
struct input {
  plan_node node;
  std::set<int> slots;
  bool may_be_missing = false;  // its columns are NULL where a LEFT JOIN finds nothing
  const source* from = nullptr;
};

// The plan of FROM and WHERE. WHERE, and ON of inner joins, go as far down as they can. Columns that USING
// makes one are hidden in the scope. Throws a query_error.
plan_node joined(const query_text& q, std::vector<input> inputs, std::vector<relation>& scope, binder& names);

// Groups by the keys, whose slots go to key_slots, and gives the aggregates theirs. Throws a query_error.
plan_node grouped(plan_node of, const std::vector<formula>& keys, std::vector<aggregate>& aggregates,
                  std::vector<int>& key_slots, slot_count& slots);
// Rewrites a formula in terms of a group's keys and aggregates. Throws a query_error where it says more.
void lift(formula& f, const std::vector<formula>& keys, const std::vector<int>& key_slots,
          const std::vector<aggregate>& aggregates);

// Finds the needed slots and numbers the steps, from the top down.
void set_live(plan_node& node, const std::set<int>& needed, std::size_t& number);

// Finds the range of the only key of a group if it is a table's column, from the bottom up. `known` has those
// of slots.
void set_ranges(plan_node& node, const tables& data, std::map<int, key_range>& known);

// Finds columns of texts whose order is requested, from the bottom up. `known` has the columns of slots.
void find_ordered_texts(const plan_node& node, const tables& data, std::map<int, table_column>& known,
                        std::vector<table_column>& found);

}  // namespace orujo::internal::relational
