#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "framework/tables/relational/planning.hpp"
#include "system/base/counted.hpp"

namespace orujo::internal::relational {

void set_live(plan_node& node, const std::set<int>& needed, std::size_t& number) {
  node.number = number++;
  node.live.assign(needed.begin(), needed.end());
  std::set<int> below = needed;
  for (const formula& f : node.conditions) slots_of(f, below);
  if (node.does == plan_node::step::compute || node.does == plan_node::step::group) {
    for (const auto& [slot, f] : node.values) below.erase(slot);
    for (const aggregate& a : node.aggregates) below.erase(a.slot);
    for (const auto& [slot, f] : node.values) slots_of(f, below);
    for (const aggregate& a : node.aggregates) slots_of(a.of, below);
  }
  for (const auto* keys : {&node.keys, &node.ties}) {
    for (const order_key& k : *keys) below.insert(k.slot);
  }
  if (node.does == plan_node::step::scan)
    std::erase_if(node.columns, [&](const auto& c) { return !needed.contains(c.first); });
  for (const auto* keys : {&node.probe_keys, &node.build_keys}) {
    for (const formula& f : *keys) slots_of(f, below);
  }
  for (plan_node& one : node.of) {
    if (node.does != plan_node::step::join) {
      set_live(one, below, number);
      continue;
    }
    std::set<int> made, wanted;
    const std::function<void(const plan_node&)> collect = [&](const plan_node& n) {
      for (const auto& c : n.columns) made.insert(c.first);
      for (const auto& v : n.values) made.insert(v.first);
      for (const aggregate& a : n.aggregates) made.insert(a.slot);
      for (const plan_node& inner : n.of) collect(inner);
    };
    collect(one);
    std::ranges::set_intersection(below, made, std::inserter(wanted, wanted.end()));
    set_live(one, wanted, number);
  }
}

void set_ranges(plan_node& node, const tables& data, std::map<int, key_range>& known) {
  for (plan_node& one : node.of) set_ranges(one, data, known);
  if (node.does == plan_node::step::scan) {
    const std::vector<key_range>& ranges = data.all[node.table].ranges;  // none of tables that are not loaded
    for (const auto& [slot, c] : node.columns) {
      if (c < ranges.size()) known.emplace(slot, ranges[c]);
    }
  }
  if (node.does != plan_node::step::group) return;
  for (const auto& [slot, key] : node.values) {
    if (key.does == operation::slot && known.contains(key.slot)) known.emplace(slot, known.at(key.slot));
  }
  if (node.values.size() != 1) return;
  if (const auto found = known.find(node.values[0].first); found != known.end()) node.range = found->second;
}

void find_ordered_texts(const plan_node& node, const tables& data, std::map<int, table_column>& known,
                        std::vector<table_column>& found) {
  for (const plan_node& one : node.of) find_ordered_texts(one, data, known, found);
  for (const auto& [slot, c] : node.columns) known.emplace(slot, table_column{node.table, c});
  for (const auto& [slot, f] : node.values) {
    if (f.does == operation::slot && known.contains(f.slot)) known.emplace(slot, known.at(f.slot));
  }
  const auto ask_for_order = [&](int slot) {
    const auto of = known.find(slot);
    if (of == known.end() || data.all[of->second.table].names[of->second.column].type != kind::text) return;
    if (std::ranges::find(found, of->second) == found.end()) found.push_back(of->second);
  };
  for (const order_key& key : node.keys) ask_for_order(key.slot);
  for (const aggregate& a : node.aggregates) {
    if ((a.does == function::minimum || a.does == function::maximum) && a.of.does == operation::slot)
      ask_for_order(a.of.slot);
  }
}

std::string describe(const plan_node& of, const tables& data) {
  switch (of.does) {
    case plan_node::step::one_row:
      return "one row";
    case plan_node::step::scan:
      return fmt::format("scan {}, {} of its columns", data.all[of.table].name, of.columns.size());
    case plan_node::step::filter:
      return fmt::format("filter by {}", base::counted(of.conditions.size(), "condition"));
    case plan_node::step::compute:
      return fmt::format("compute {}", base::counted(of.values.size(), "value"));
    case plan_node::step::join:
      return fmt::format(
          "{}join on {}{}", of.how == join_kind::left ? "left " : "",
          base::counted(of.probe_keys.size(), "key"),
          of.conditions.empty() ? "" : " and " + base::counted(of.conditions.size(), "condition"));
    case plan_node::step::group:
      return fmt::format("group by {}, {}", base::counted(of.values.size(), "key"),
                         base::counted(of.aggregates.size(), "aggregate"));
    case plan_node::step::unite:
      return "union";
    case plan_node::step::order:
      return fmt::format("order by {}{}", base::counted(of.keys.size(), "key"),
                         of.limit ? fmt::format(", the first {}", *of.limit) : "");
  }
  return "";
}

}  // namespace orujo::internal::relational
