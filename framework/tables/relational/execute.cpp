#include "framework/tables/relational/execute.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>

#include "framework/tables/relational/dense_grouping.hpp"
#include "framework/tables/relational/grouping.hpp"
#include "framework/tables/relational/probe.hpp"
#include "framework/tables/relational/row_exchange.hpp"
#include "framework/tables/relational/sort_rows.hpp"
#include "system/base/identity.hpp"
#include "system/base/ticks.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/delegate.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::relational {
namespace {

using step = plan_node::step;

constexpr std::size_t batches_between_yields = 16;

class executor {
 public:
  executor(const plan& of, const tables& data, const execute_options& options)
      : plan_(of), data_(data), options_(options), figures_(of.steps) {}

  executed run() {
    executed made;
    made.rows.columns.resize(plan_.outputs.size());
    since_ = base::ticks();
    pull(plan_.root, plan_.root.number, [&](const batch& rows) {
      for (std::size_t k = 0; k < plan_.outputs.size(); ++k)
        made.rows.columns[k].append(rows.slots[static_cast<std::size_t>(plan_.outputs[k].slot)], rows.rows);
      made.rows.rows += rows.rows;
    });
    turn_to(plan_.root.number);
    made.steps = std::move(figures_);
    return made;
  }

  const overflow_place& overflow() const { return overflow_; }

 private:
  // --- the consumers of time

  void turn_to(std::size_t number) {
    const std::uint64_t now = base::ticks();
    figures_[current_].seconds += static_cast<double>(now - since_);
    since_ = now;
    current_ = number;
  }

  // The rows of a step go to another one's `take`.
  void pull(const plan_node& of, std::size_t by, const consumer& take) {
    const std::size_t before = current_;
    turn_to(of.number);
    stream(of, [&](const batch& rows) {
      figures_[of.number].rows += rows.rows;
      turn_to(by);
      take(rows);
      turn_to(of.number);
    });
    turn_to(before);
  }

  batch empty_batch() const { return {0, std::vector<vec>(static_cast<std::size_t>(plan_.slots))}; }

  // --- the steps

  void stream(const plan_node& of, const consumer& to) {
    switch (of.does) {
      case step::one_row:
        return one_row(to);
      case step::scan:
        return scan(of, to);
      case step::filter:
        return filter(of, to);
      case step::compute:
        return compute(of, to);
      case step::join:
        return join(of, to);
      case step::group:
        return group(of, to);
      case step::unite:
        for (const plan_node& one : of.of) pull(one, of.number, to);
        return;
      case step::order:
        return order(of, to);
    }
  }

  void one_row(const consumer& to) {
    if (my_core() != 0) return;
    batch rows = empty_batch();
    rows.rows = 1;
    to(rows);
  }

  // Columns c of rows that this core has, as slots[c]; what has no slot, -1, is passed over.
  void scan_part(const row_part& part, const std::vector<std::pair<int, std::size_t>>& columns,
                 const consumer& to) {
    batch rows = empty_batch();
    std::size_t batches = 0;
    for (std::size_t first = 0; first < part.rows; first += batch_rows) {
      rows.rows = std::min(batch_rows, part.rows - first);
      for (const auto& [slot, c] : columns)
        rows.slots[static_cast<std::size_t>(slot)] = part.columns[c].all().from(first);
      to(rows);
      if (++batches % batches_between_yields == 0) tasks::yield();
    }
  }

  void scan(const plan_node& of, const consumer& to) { scan_part(data_.all[of.table].mine, of.columns, to); }

  void filter(const plan_node& of, const consumer& to) {
    copied_slots kept(of.live, empty_batch());
    std::vector<std::uint32_t> chosen;
    pull(of.of[0], of.number, [&](const batch& rows) {
      choose(of.conditions, rows, overflow_, chosen);
      if (chosen.size() == rows.rows) return to(rows);
      if (!chosen.empty()) to(kept.gather(rows, chosen));
    });
  }

  void compute(const plan_node& of, const consumer& to) {
    batch made = empty_batch();
    pull(of.of[0], of.number, [&](const batch& rows) {
      made = rows;
      for (const auto& [slot, f] : of.values)
        made.slots[static_cast<std::size_t>(slot)] = f.evaluate(rows, overflow_);
      to(made);
    });
  }

  // --- join

  // Its keys, then what is live of it.
  row_part gather_build(const plan_node& of) {
    const plan_node& build = of.of[1];
    row_part made;
    made.columns.resize(of.build_keys.size() + build.live.size());
    key_batch keys;
    pull(build, of.number, [&](const batch& rows) {
      keys.evaluate(of.build_keys, rows, overflow_);
      std::size_t c = 0;
      for (const vec& key : keys.keys) made.columns[c++].append(key, rows.rows);
      for (const int slot : build.live)
        made.columns[c++].append(rows.slots[static_cast<std::size_t>(slot)], rows.rows);
      made.rows += rows.rows;
    });
    return made;
  }

  // To every core, or, where there is a route, to the owners of the keys.
  row_part deal_build(const row_part& mine, std::size_t keys, const key_route* route) {
    row_part received;
    row_exchange exchange(mine.columns.size(), received);
    std::vector<vec> columns, at_row;
    for (const column& c : mine.columns) columns.push_back(c.all());
    const auto parts = static_cast<std::size_t>(cores());
    key_batch of;
    std::vector<std::uint32_t> owners;
    for (std::size_t first = 0; first < mine.rows; first += batch_rows) {
      const std::size_t rows = std::min(batch_rows, mine.rows - first);
      at_row.clear();
      for (const vec& c : columns) at_row.push_back(c.from(first));
      if (route) {
        of.take({at_row.data(), keys}, rows);
        route->owners(of, owners);
        exchange.send(owners, at_row);
      }
      for (std::size_t c = 0; c < parts && !route; ++c) {
        owners.assign(rows, static_cast<std::uint32_t>(c));
        exchange.send(owners, at_row);
      }
      if (first / batch_rows % batches_between_yields == 0) tasks::yield();
    }
    exchange.finish();
    return received;
  }

  // Routes rows by ranges of the keys, if these are dense.
  static key_route route_of(const row_part& build, std::size_t keys, int apart) {
    key_range all{.apart = apart};
    if (keys == 1) all = key_range::of(build.columns[0], apart);
    const by_core<key_range> of_cores = collectives::all_gather(all);
    for (core_id c = 0; c < cores(); ++c) {
      if (c != my_core()) all.add(of_cores[c]);
    }
    const auto parts = static_cast<std::size_t>(cores());
    return all.is_dense(all.rows) ? key_route(all, parts, static_cast<std::uint32_t>(my_core()))
                                  : key_route(parts);
  }

  bool copies_pay(const plan_node& of, std::uint64_t build_bytes) const {
    const plan_node& probes = of.of[0];
    const double probe_bytes = probes.expected * static_cast<double>((probes.live.size() + 1) * sizeof(word));
    const bool less_travels = static_cast<double>(build_bytes) * cores() < probe_bytes;
    return build_bytes <= options_.few_build_bytes ||
           (locales() > 1 && build_bytes <= options_.most_copied_bytes && less_travels);
  }

  void join(const plan_node& of, const consumer& to) {
    row_part build = gather_build(of);
    const std::uint64_t rows = collectives::all_reduce(std::uint64_t{build.rows});
    const std::size_t width = build.columns.size();
    const bool to_all = of.build_keys.empty() || copies_pay(of, rows * (width + 1) * sizeof(word));
    const std::size_t keys = of.build_keys.size();
    const int apart = keys == 1 && of.build_keys[0].type == kind::text ? dictionary::code_bits_apart : 0;
    const key_route route = to_all ? key_route(1) : route_of(build, keys, apart);
    build = deal_build(build, keys, to_all ? nullptr : &route);
    const auto table = std::make_unique<const join_table>(std::move(build), keys, apart);
    // Cores of one locale read each other's.
    std::vector<const join_table*> parts = {table.get()};
    if (!to_all && locales() == 1) parts = collectives::all_gather(table.get());
    const auto by = std::make_unique<probe>(plan_.slots, overflow_, of, parts, route, to);
    if (to_all || locales() == 1) {
      pull(of.of[0], of.number, [&](const batch& rows_of_probe) { by->take(rows_of_probe); });
    } else {
      row_part probes;
      std::vector<std::pair<int, std::size_t>> columns;
      for (std::size_t k = 0; k < of.of[0].live.size(); ++k) columns.emplace_back(of.of[0].live[k], k);
      deal_probes(of, route, probes);
      scan_part(probes, columns, [&](const batch& rows_of_probe) { by->take(rows_of_probe); });
    }
    if (parts.size() > 1) collectives::barrier();  // others are done with this core's table
  }

  void deal_probes(const plan_node& of, const key_route& route, row_part& received) {
    const std::vector<int>& live = of.of[0].live;
    row_exchange exchange(live.size(), received);
    key_batch keys;
    std::vector<vec> columns;
    std::vector<std::uint32_t> owners;
    pull(of.of[0], of.number, [&](const batch& rows) {
      keys.evaluate(of.probe_keys, rows, overflow_);
      columns.clear();
      for (const int slot : live) columns.push_back(rows.slots[static_cast<std::size_t>(slot)]);
      route.owners(keys, owners);
      exchange.send(owners, columns);
    });
    exchange.finish();
  }

  // --- group

  void group(const plan_node& of, const consumer& to) {
    if (dense_grouping::suits(of, options_)) {
      group_by(*std::make_unique<dense_grouping>(of), of, to);
    } else {
      group_by(*std::make_unique<grouping>(of, options_), of, to);
    }
  }

  template <class Grouping>
  void group_by(Grouping& all, const plan_node& of, const consumer& to) {
    std::vector<formula> key_formulas;
    for (const auto& [slot, f] : of.values) key_formulas.push_back(f);
    key_batch keys;
    std::vector<vec> values(of.aggregates.size());
    pull(of.of[0], of.number, [&](const batch& rows) {
      keys.evaluate(key_formulas, rows, overflow_);
      for (std::size_t a = 0; a < values.size(); ++a) {
        if (of.aggregates[a].does != function::count_rows)
          values[a] = of.aggregates[a].of.evaluate(rows, overflow_);
      }
      all.take(keys, values);
    });
    all.finish();
    std::vector<column> key_columns, aggregate_columns;
    batch made = empty_batch();
    std::size_t position = 0, batches = 0;
    while ((made.rows = all.show(position, key_columns, aggregate_columns, overflow_)) > 0) {
      for (std::size_t k = 0; k < key_columns.size(); ++k)
        made.slots[static_cast<std::size_t>(of.values[k].first)] = key_columns[k].all();
      for (std::size_t a = 0; a < aggregate_columns.size(); ++a)
        made.slots[static_cast<std::size_t>(of.aggregates[a].slot)] = aggregate_columns[a].all();
      to(made);
      if (++batches % batches_between_yields == 0) tasks::yield();
    }
  }

  // --- order

  void order(const plan_node& of, const consumer& to) {
    std::vector<int> slots;  // by column
    std::vector<order_key> keys;
    const auto column_of = [&](int slot) {
      const auto found = std::ranges::find(slots, slot);
      const auto place = static_cast<int>(found - slots.begin());
      if (found == slots.end()) slots.push_back(slot);
      return place;
    };
    for (const auto* all : {&of.keys, &of.ties}) {
      for (order_key key : *all) {
        key.slot = column_of(key.slot);
        keys.push_back(key);
      }
    }
    for (const int slot : of.live) column_of(slot);
    row_part rows;
    rows.columns.resize(slots.size());
    const std::uint64_t most = of.limit.value_or(0) + of.offset;
    pull(of.of[0], of.number, [&](const batch& more) {
      for (std::size_t c = 0; c < slots.size(); ++c)
        rows.columns[c].append(more.slots[static_cast<std::size_t>(slots[c])], more.rows);
      rows.rows += more.rows;
      // The last ones of many will not be among the first.
      if (of.limit && most < rows.rows / 8 && rows.rows > 8 * batch_rows) sort_here(rows, keys, most);
    });
    rows = sort_rows(std::move(rows), keys, of.limit, of.offset, options_.few_rows);
    std::vector<std::pair<int, std::size_t>> columns;
    for (std::size_t c = 0; c < slots.size(); ++c) columns.emplace_back(slots[c], c);
    scan_part(rows, columns, to);
  }

  const plan& plan_;
  const tables& data_;
  const execute_options options_;
  std::vector<step_figures> figures_;
  std::uint64_t since_ = 0;
  std::size_t current_ = 0;
  overflow_place overflow_;
};

}  // namespace

result<executed> execute(const plan& of, const tables& data, const std::string& text,
                         const execute_options& options) {
  executor one(of, data, options);
  executed made = one.run();
  const overflow_place& overflow = one.overflow();
  const status mine =
      !overflow.any ? status()
                    : status(exit_status::bad_data,
                             query_mistake(text, overflow.at,
                                           "integers beyond 64 bits; write CAST(... AS REAL), or 1.0 * ...")
                                 .message());
  if (status failed = collectives::first_failure(mine); !failed.ok()) return failed;
  std::vector<double> sums;
  for (const step_figures& f : made.steps) {
    sums.push_back(static_cast<double>(f.rows));
    sums.push_back(f.seconds * 1e-9 * base::ns_per_tick() / cores());
  }
  collectives::all_reduce(sums);
  for (std::size_t k = 0; k < made.steps.size(); ++k)
    made.steps[k] = {static_cast<std::uint64_t>(sums[2 * k]), sums[2 * k + 1]};
  return made;
}

}  // namespace orujo::internal::relational
