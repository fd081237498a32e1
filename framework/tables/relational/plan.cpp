#include "framework/tables/relational/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "framework/formats/text_tokens.hpp"
#include "framework/tables/relational/bind.hpp"
#include "framework/tables/relational/planning.hpp"
#include "system/base/check.hpp"
#include "system/base/counted.hpp"

namespace orujo::internal::relational {
namespace {

using step = plan_node::step;
using form = expression::form;

// The rest of a query's plan stands on this.
class planner {
 public:
  planner(const tables& data, const query_texts& texts) : data_(data), texts_(texts) {}

  struct planned {
    plan_node node;
    std::vector<output> outputs;
  };

  planned query(const query_text& q) {
    if (q.united.empty()) return block(q);
    planned made = united(q);
    std::vector<order_key> keys;
    for (const ordering& by : q.order) keys.push_back(key_of(by, output_named(by.by, made.outputs)));
    return ordered(std::move(made), std::move(keys), q);
  }

  int slots() const { return slots_.count; }
  const std::map<int, table_column>& columns() const { return columns_; }
  bool mixes_numbers() const { return mixes_numbers_; }

 private:
  int new_slot() { return slots_.add(); }

  // --- UNION

  planned united(const query_text& q) {
    std::vector<planned> parts;
    for (std::size_t k = 0; k < q.united.size(); ++k) {
      parts.push_back(query(q.united[k]));
      if (k + 1 != q.once) continue;
      planned once = distinct(united(std::move(parts)));
      parts.clear();
      parts.push_back(std::move(once));
    }
    return parts.size() == 1 ? std::move(parts[0]) : united(std::move(parts));
  }

  planned united(std::vector<planned> parts) {
    planned made{{.does = step::unite, .expected = 0}, parts[0].outputs};
    for (const planned& part : parts) {
      if (part.outputs.size() != made.outputs.size())
        throw query_error{0, fmt::format("UNION of {} and of {}; expected as many", made.outputs.size(),
                                         base::counted(part.outputs.size(), "column"))};
      for (std::size_t k = 0; k < made.outputs.size(); ++k) {
        output& to = made.outputs[k];
        const output& from = part.outputs[k];
        if ((to.type == kind::text) != (from.type == kind::text))
          throw query_error{0,
                            fmt::format("UNION of {} and {} in column {}; expected values of one type",
                                        name_of(to.type), name_of(from.type), k + 1),
                            (to.type == kind::text ? to : from).slot};
        mixes_numbers_ |= from.type != to.type;
        if (from.type == kind::real) to.type = kind::real;
      }
    }
    for (output& o : made.outputs) o.slot = new_slot();
    for (planned& part : parts) {
      std::vector<std::pair<int, formula>> values;
      for (std::size_t k = 0; k < made.outputs.size(); ++k) {
        formula f = slot_formula(part.outputs[k].slot, part.outputs[k].type);
        values.emplace_back(made.outputs[k].slot,
                            made.outputs[k].type == kind::real ? as_real(std::move(f)) : std::move(f));
      }
      made.node.expected += part.node.expected;
      made.node.of.push_back(computed(std::move(part.node), std::move(values)));
    }
    return made;
  }

  planned distinct(planned of) {
    plan_node made{.does = step::group, .expected = of.node.expected / 4};
    for (output& o : of.outputs) {
      const int slot = new_slot();
      made.values.emplace_back(slot, slot_formula(o.slot, o.type));
      o.slot = slot;
    }
    made.of.push_back(std::move(of.node));
    return {std::move(made), std::move(of.outputs)};
  }

  // --- ORDER BY, LIMIT

  static order_key key_of(const ordering& by, const output& o) {
    return {o.slot, o.type, by.descending, by.nulls_first.value_or(!by.descending)};
  }

  // Finds a column by number or name. Throws if there is none.
  static const output& output_named(const expression& by, const std::vector<output>& outputs) {
    if (const output* found = find_output(by, outputs)) return *found;
    throw query_error{by.at,
                      "ORDER BY an expression that is not selected, after DISTINCT or UNION; expected the "
                      "name or number of a column that is selected"};
  }
  static const output* find_output(const expression& by, const std::vector<output>& outputs) {
    if (by.is == form::integer) {
      if (by.number < 1 || by.number > std::ssize(outputs))
        throw query_error{by.at, fmt::format("ORDER BY column {}; expected a number from 1 to {}", by.number,
                                             outputs.size())};
      return &outputs[static_cast<std::size_t>(by.number) - 1];
    }
    if (by.is != form::column || !by.table.empty()) return nullptr;
    const output* found = nullptr;
    for (const output& o : outputs) {
      if (in_small_letters(o.name) == in_small_letters(by.name) && !found) found = &o;
    }
    return found;
  }

  static planned ordered(planned of, std::vector<order_key> keys, const query_text& q) {
    if (keys.empty() && !q.limit && q.offset == 0) return of;
    plan_node made{.does = step::order, .keys = std::move(keys), .limit = q.limit, .offset = q.offset};
    made.expected = q.limit ? static_cast<double>(*q.limit) : of.node.expected;
    for (const output& o : of.outputs) made.ties.push_back({o.slot, o.type});
    made.of.push_back(std::move(of.node));
    return {std::move(made), std::move(of.outputs)};
  }

  // --- SELECT

  planned block(const query_text& q) {
    std::vector<input> inputs;
    std::vector<relation> scope;
    for (const source& from : q.from) inputs.push_back(input_of(from, scope));
    check_aliases(q, scope);
    binder names(scope, texts_);
    for (const selected& item : q.items) {
      if (!item.name.empty()) names.know(in_small_letters(item.name), &item.what);
    }
    plan_node node = joined(q, std::move(inputs), scope, names);
    std::vector<selected> items = without_stars(q, scope);
    planned made = selected_from(q, std::move(node), items, names);
    mixes_numbers_ |= names.mixes_numbers();
    return made;
  }

  input input_of(const source& from, std::vector<relation>& scope) {
    input made{.node = {}, .slots = {}, .may_be_missing = from.join == join_kind::left, .from = &from};
    relation r{in_small_letters(from.alias), {}, {}};
    if (from.query) {
      planned inner = query(*from.query);
      for (const output& o : inner.outputs) r.columns.push_back({in_small_letters(o.name), o.slot, o.type});
      made.node = std::move(inner.node);
    } else {
      const table* const found = data_.find(from.table);
      if (!found)
        throw query_error{from.at,
                          fmt::format("no table {}; {}", formats::shown(from.table), tables_there_are())};
      made.node = {.does = step::scan,
                   .table = static_cast<std::size_t>(found - data_.all.data()),
                   .expected = static_cast<double>(found->rows)};
      r.others = found->others;
      for (std::size_t k = 0; k < found->names.size(); ++k) {
        const int slot = new_slot();
        made.node.columns.emplace_back(slot, k);
        columns_.emplace(slot, table_column{made.node.table, k});
        r.columns.push_back({in_small_letters(found->names[k].name), slot, found->names[k].type});
      }
    }
    rename(from, r);
    for (const scope_column& c : r.columns) made.slots.insert(c.slot);
    scope.push_back(std::move(r));
    return made;
  }

  // AS name (column, ...)
  static void rename(const source& from, relation& r) {
    require(from.columns.empty() || r.others.empty(),
            "a query that renames the columns of a table requires all of them; load them");
    if (from.columns.size() > r.columns.size())
      throw query_error{from.at,
                        fmt::format("{} for the {} of {}", base::counted(from.columns.size(), "name"),
                                    base::counted(r.columns.size(), "column"), formats::shown(from.alias))};
    for (std::size_t k = 0; k < from.columns.size(); ++k)
      r.columns[k].name = in_small_letters(from.columns[k]);
  }

  std::string tables_there_are() const {
    std::string told;
    for (const table& t : data_.all) told += (told.empty() ? "there is " : ", ") + t.name;
    return told.empty() ? "pass it by --table=NAME=FILE" : told;
  }

  static void check_aliases(const query_text& q, const std::vector<relation>& scope) {
    for (std::size_t k = 0; k < scope.size(); ++k) {
      for (std::size_t j = 0; j < k; ++j) {
        if (!scope[k].alias.empty() && scope[k].alias == scope[j].alias)
          throw query_error{q.from[k].at, fmt::format("two tables {}; give one another name: {} AS other",
                                                      formats::shown(q.from[k].alias), scope[k].alias)};
      }
    }
  }

  static std::vector<selected> without_stars(const query_text& q, const std::vector<relation>& scope) {
    std::vector<selected> items;
    for (const selected& item : q.items) {
      if (item.what.is != form::star) {
        items.push_back(item);
        continue;
      }
      const std::size_t before = items.size();
      for (const relation& r : scope) {
        if (!item.what.table.empty() && r.alias != in_small_letters(item.what.table)) continue;
        for (const scope_column& c : r.columns) {
          if (c.hidden && item.what.table.empty()) continue;
          items.push_back(
              {{.is = form::column, .name = c.name, .table = r.alias, .at = item.what.at}, c.name});
        }
      }
      if (items.size() == before)
        throw query_error{item.what.at, "a * without a table that has columns; expected FROM and a table"};
    }
    return items;
  }

  planned selected_from(const query_text& q, plan_node node, const std::vector<selected>& items,
                        binder& names) {
    std::vector<aggregate> aggregates;
    std::vector<formula> values, keys, by;
    for (const selected& item : items) values.push_back(names.bind(item.what, &aggregates));
    for (const expression& key : q.group_by) keys.push_back(group_key(key, items, names));
    std::vector<formula> having;
    if (q.having) split(names.bind(*q.having, &aggregates), having);
    std::vector<const output*> known(q.order.size());
    std::vector<output> outputs;
    for (std::size_t k = 0; k < items.size(); ++k)
      outputs.push_back({items[k].name.empty() ? name_of(items[k].what) : items[k].name, values[k].type, -1});
    std::vector<std::size_t> by_output(q.order.size(), items.size());
    for (std::size_t k = 0; k < q.order.size(); ++k) {
      const output* const found = find_output(q.order[k].by, outputs);
      by.push_back(found ? formula() : names.bind(q.order[k].by, &aggregates));
      if (found) by_output[k] = static_cast<std::size_t>(found - outputs.data());
      for (std::size_t v = 0; v < values.size() && !found; ++v) {
        if (by[k] == values[v]) by_output[k] = v;
      }
      if (by_output[k] == items.size() && q.distinct)
        throw query_error{q.order[k].by.at,
                          "ORDER BY an expression that is not selected, with DISTINCT; expected the name or "
                          "number of a column that is selected"};
    }
    if (!keys.empty() || !aggregates.empty() || q.having) {
      std::vector<int> key_slots;
      node = grouped(std::move(node), keys, aggregates, key_slots, slots_);
      for (std::vector<formula>* all : {&values, &having, &by}) {
        for (formula& f : *all) lift(f, keys, key_slots, aggregates);
      }
      node = filtered(std::move(node), std::move(having));
    }
    return finished(q, std::move(node), std::move(outputs), values, by, by_output);
  }

  planned finished(const query_text& q, plan_node node, std::vector<output> outputs,
                   const std::vector<formula>& values, const std::vector<formula>& by,
                   const std::vector<std::size_t>& by_output) {
    std::vector<std::pair<int, formula>> computed_values;
    const auto place = [&](const formula& f) {
      if (f.does == operation::slot) return f.slot;
      for (const auto& [slot, same] : computed_values) {
        if (same == f) return slot;
      }
      computed_values.emplace_back(new_slot(), f);
      return computed_values.back().first;
    };
    for (std::size_t k = 0; k < values.size(); ++k) outputs[k].slot = place(values[k]);
    std::vector<int> order_slots;
    for (std::size_t k = 0; k < by.size(); ++k)
      order_slots.push_back(by_output[k] < values.size() ? -1 : place(by[k]));
    planned made{computed(std::move(node), std::move(computed_values)), std::move(outputs)};
    if (q.distinct) made = distinct(std::move(made));
    std::vector<order_key> keys;
    for (std::size_t k = 0; k < by.size(); ++k) {
      const output key =
          by_output[k] < values.size() ? made.outputs[by_output[k]] : output{"", by[k].type, order_slots[k]};
      keys.push_back(key_of(q.order[k], key));
    }
    return ordered(std::move(made), std::move(keys), q);
  }

  static formula group_key(const expression& key, const std::vector<selected>& items, binder& names) {
    const expression* what = &key;
    if (key.is == form::integer) {
      if (key.number < 1 || key.number > std::ssize(items))
        throw query_error{key.at, fmt::format("GROUP BY column {}; expected a number from 1 to {}",
                                              key.number, items.size())};
      what = &items[static_cast<std::size_t>(key.number) - 1].what;
    }
    return names.bind(*what, nullptr, "GROUP BY");
  }

  const tables& data_;
  const query_texts& texts_;
  slot_count slots_;
  std::map<int, table_column> columns_;  // by slot
  bool mixes_numbers_ = false;
};

// Steps wait on the stack of one task for those below.
constexpr int deepest_plan = 64;

int depth_of(const plan_node& of) {
  int depth = 0;
  for (const plan_node& one : of.of) depth = std::max(depth, depth_of(one));
  return depth + 1;
}

}  // namespace

result<plan> make_plan(const statement& query, const tables& data, const query_texts& texts,
                       std::optional<table_column>* a_text) {
  return found_on_large_stack([&]() -> result<plan> {
    planner all(data, texts);
    try {
      auto [node, outputs] = all.query(query.query);
      plan of{std::move(node), std::move(outputs), {}, all.mixes_numbers(), all.slots(), 0};
      std::set<int> needed;
      for (const output& o : of.outputs) needed.insert(o.slot);
      set_live(of.root, needed, of.steps);
      std::map<int, key_range> known;
      set_ranges(of.root, data, known);
      std::map<int, table_column> columns;
      find_ordered_texts(of.root, data, columns, of.ordered_texts);
      if (depth_of(of.root) > deepest_plan)
        throw query_error{
            0, fmt::format("more than {} steps one after the other; ask in smaller queries", deepest_plan)};
      return of;
    } catch (const query_error& found) {
      const auto column = all.columns().find(found.text_slot);
      if (a_text && column != all.columns().end()) *a_text = column->second;
      return query_mistake(query.text, found.at, found.what);
    }
  });
}

}  // namespace orujo::internal::relational
