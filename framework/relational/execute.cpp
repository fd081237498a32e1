#include "framework/relational/execute.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>

#include "framework/relational/group_table.hpp"
#include "framework/relational/join_table.hpp"
#include "framework/relational/row_exchange.hpp"
#include "framework/relational/sort_rows.hpp"
#include "system/base/identity.hpp"
#include "system/base/ticks.hpp"
#include "system/delegates/delegate.hpp"
#include "system/loops/collectives.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::relational {
namespace {

using step = plan_node::step;
using consumer = std::function<void(const batch&)>;

// A build side of so many bytes goes to every core whole.
constexpr std::uint64_t most_broadcast_bytes = std::uint64_t{1} << 20;
// Groups wait in a table of so many to be sent to their cores; where that has less than two rows for each, in
// one that caches hold.
constexpr std::size_t most_waiting_groups = std::size_t{1} << 17, few_waiting_groups = std::size_t{1} << 12;
constexpr std::size_t batches_between_yields = 16;

// Values that a step copies, a batch of them in each slot.
class copied_slots {
 public:
  copied_slots(const std::vector<int>& slots, const batch& like) : slots_(slots), values_(slots.size()) {
    made_.slots.resize(like.slots.size());
  }
  // Rows chosen[0..n) of those of the batch that the step's live slots have.
  const batch& gather(const batch& from, std::span<const std::uint32_t> chosen) {
    made_.rows = chosen.size();
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const vec& v = from.slots[static_cast<std::size_t>(slots_[i])];
      gather_one(i, v, chosen);
    }
    return made_;
  }
  void gather_one(std::size_t i, const vec& v, std::span<const std::uint32_t> chosen) {
    if (v.words == nullptr) return;  // of another side of a join
    space& to = values_[i];
    to.words.resize(batch_rows);
    for (std::size_t k = 0; k < chosen.size(); ++k) to.words[k] = v.words[chosen[k]];
    if (v.nulls) {
      to.nulls.resize(batch_rows);
      for (std::size_t k = 0; k < chosen.size(); ++k) to.nulls[k] = v.nulls[chosen[k]];
    }
    made_.slots[static_cast<std::size_t>(slots_[i])] = {to.words.data(), v.nulls ? to.nulls.data() : nullptr};
  }
  // value_of(k, value) says whether it is null.
  template <class ValueOf>
  void gather_values(std::size_t i, std::size_t rows, const ValueOf& value_of) {
    space& to = values_[i];
    to.words.assign(batch_rows, 0);
    to.nulls.resize(batch_rows);
    for (std::size_t k = 0; k < rows; ++k) to.nulls[k] = value_of(k, to.words[k]);
    made_.slots[static_cast<std::size_t>(slots_[i])] = {to.words.data(), to.nulls.data()};
  }
  batch& made() { return made_; }
  const std::vector<int>& slots() const { return slots_; }

 private:
  struct space {
    std::vector<word> words;
    std::vector<std::uint8_t> nulls;
  };
  const std::vector<int>& slots_;
  std::vector<space> values_;
  batch made_;
};

bool is_true(const vec& v, std::size_t k, kind type) {
  return !v.null(k) && (type == kind::real ? real_of(v.words[k]) != 0 : v.words[k] != 0);
}

// Those rows for which all conditions are true.
void choose(const std::vector<formula>& conditions, const batch& rows, overflow_place& overflow,
            std::vector<std::uint32_t>& chosen) {
  chosen.resize(rows.rows);
  std::iota(chosen.begin(), chosen.end(), 0u);
  for (const formula& f : conditions) {
    if (chosen.empty()) return;
    const vec v = f.evaluate(rows, overflow);
    std::size_t kept = 0;
    for (const std::uint32_t k : chosen) {
      chosen[kept] = k;
      kept += is_true(v, k, f.type);
    }
    chosen.resize(kept);
  }
}

class executor {
 public:
  executor(const plan& of, const tables& data) : plan_(of), data_(data), figures_(of.steps) {}

  executed run() {
    executed made;
    made.rows.columns.resize(plan_.outputs.size());
    since_ = ticks();
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
  // --- who uses the time

  void turn_to(std::size_t number) {
    const std::uint64_t now = ticks();
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
        pull(of.of[0], of.number, to);
        pull(of.of[1], of.number, to);
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

  // To every core, or to the owners of the keys.
  row_part deal_build(row_part mine, std::size_t keys, bool to_all) {
    row_part received;
    row_exchange exchange(mine.columns.size(), received);
    std::vector<vec> columns;
    for (const column& c : mine.columns) columns.push_back(c.all());
    const auto parts = static_cast<std::size_t>(cores());
    for (std::size_t row = 0; row < mine.rows; ++row) {
      if (to_all) {
        for (std::size_t c = 0; c < parts; ++c) exchange.send(c, columns, row);
      } else {
        std::uint64_t hash = hash_of_nothing;
        for (std::size_t k = 0; k < keys; ++k)
          hash = hash_with(hash, columns[k].words[row], columns[k].null(row));
        exchange.send(owner_of(hash, parts), columns, row);
      }
      if (row % 16384 == 0) tasks::yield();
    }
    exchange.finish();
    return received;
  }

  void join(const plan_node& of, const consumer& to) {
    row_part build = gather_build(of);
    const std::uint64_t rows = loops::all_reduce(std::uint64_t{build.rows});
    const std::size_t width = build.columns.size();
    const bool to_all = of.build_keys.empty() || rows * (width + 1) * sizeof(word) <= most_broadcast_bytes;
    build = deal_build(std::move(build), of.build_keys.size(), to_all);
    const auto table = std::make_unique<const join_table>(std::move(build), of.build_keys.size());
    // Cores of one locale look into each other's.
    std::vector<const join_table*> parts = {table.get()};
    if (!to_all && locales() == 1) parts = loops::all_gather(table.get());
    const auto by = std::make_unique<probe>(*this, of, parts, to);
    if (to_all || locales() == 1) {
      pull(of.of[0], of.number, [&](const batch& rows_of_probe) { by->take(rows_of_probe); });
    } else {
      row_part probes;
      std::vector<std::pair<int, std::size_t>> columns;
      for (std::size_t k = 0; k < of.of[0].live.size(); ++k) columns.emplace_back(of.of[0].live[k], k);
      deal_probes(of, probes);
      scan_part(probes, columns, [&](const batch& rows_of_probe) { by->take(rows_of_probe); });
    }
    if (parts.size() > 1) loops::barrier();  // others are done with this core's table
  }

  void deal_probes(const plan_node& of, row_part& received) {
    const std::vector<int>& live = of.of[0].live;
    row_exchange exchange(live.size(), received);
    key_batch keys;
    std::vector<vec> columns;
    pull(of.of[0], of.number, [&](const batch& rows) {
      keys.evaluate(of.probe_keys, rows, overflow_);
      columns.clear();
      for (const int slot : live) columns.push_back(rows.slots[static_cast<std::size_t>(slot)]);
      for (std::size_t k = 0; k < rows.rows; ++k)
        exchange.send(owner_of(keys.hashes[k], static_cast<std::size_t>(cores())), columns, k);
    });
    exchange.finish();
  }

  // Pairs of rows: of a batch of the probe side, and of the build side.
  class probe {
   public:
    probe(executor& by, const plan_node& of, const std::vector<const join_table*>& parts, const consumer& to)
        : by_(by), of_(of), parts_(parts), to_(to), needed_(of.live) {
      for (const formula& f : of.conditions) add_slots(f);
      made_ = std::make_unique<copied_slots>(needed_, by.empty_batch());
      kept_ = std::make_unique<copied_slots>(of.live, by.empty_batch());
      for (const int slot : needed_) {
        const auto found = std::ranges::find(of.of[1].live, slot);
        build_column_.push_back(found == of.of[1].live.end()
                                    ? -1
                                    : static_cast<int>(found - of.of[1].live.begin()) +
                                          static_cast<int>(of.build_keys.size()));
      }
    }

    void take(const batch& rows) {
      keys_.evaluate(of_.probe_keys, rows, by_.overflow_);
      part_of_.resize(rows.rows);
      for (std::size_t k = 0; k < rows.rows; ++k) {
        part_of_[k] = parts_[parts_.size() == 1 ? 0 : owner_of(keys_.hashes[k], parts_.size())];
        part_of_[k]->prefetch(keys_, k);
      }
      for (std::size_t k = 0; k < rows.rows; ++k) part_of_[k]->prefetch_row(keys_, k);
      matched_.assign(rows.rows, 0);
      for (std::uint32_t k = 0; k < rows.rows; ++k) {
        if (keys_.any_null(k)) continue;
        const join_table& table = *part_of_[k];
        for (std::uint32_t row = table.first(keys_, k); row != join_table::none; row = table.next(row)) {
          add(k, row, &table);
          if (pairs_ == batch_rows) hand_on(rows);
        }
      }
      hand_on(rows);
      if (of_.how == join_kind::left) {
        for (std::uint32_t k = 0; k < rows.rows; ++k) {
          if (!matched_[k]) add(k, join_table::none, parts_[0]);
        }
        hand_on(rows, true);
      }
    }

   private:
    void add_slots(const formula& f) {
      if (f.does == operation::slot && std::ranges::find(needed_, f.slot) == needed_.end())
        needed_.push_back(f.slot);
      for (const formula& one : f.of) add_slots(one);
    }

    void add(std::uint32_t k, std::uint32_t row, const join_table* table) {
      probes_[pairs_] = k;
      rows_[pairs_] = row;
      tables_[pairs_++] = table;
    }

    void hand_on(const batch& rows, bool unmatched = false) {
      if (pairs_ == 0) return;
      const std::span<const std::uint32_t> probes(probes_.data(), pairs_);
      batch& made = made_->made();
      made.rows = pairs_;
      for (std::size_t i = 0; i < needed_.size(); ++i) {
        if (build_column_[i] < 0) {
          made_->gather_one(i, rows.slots[static_cast<std::size_t>(needed_[i])], probes);
        } else {
          gather_build(i);
        }
      }
      if (unmatched || of_.conditions.empty()) {
        for (const std::uint32_t k : probes) matched_[k] = 1;
        to_(made);
      } else {
        choose(of_.conditions, made, by_.overflow_, chosen_);
        for (const std::uint32_t k : chosen_) matched_[probes_[k]] = 1;
        if (chosen_.size() == made.rows) {
          to_(made);
        } else if (!chosen_.empty()) {
          to_(kept_->gather(made, chosen_));
        }
      }
      pairs_ = 0;
    }

    // Rows that are none are null.
    void gather_build(std::size_t i) {
      for (std::size_t k = 0; k < pairs_; ++k) {
        if (rows_[k] != join_table::none)
          __builtin_prefetch(
              tables_[k]->rows().columns[static_cast<std::size_t>(build_column_[i])].all().words + rows_[k]);
      }
      made_->gather_values(i, pairs_, [&](std::size_t k, word& value) {
        if (rows_[k] == join_table::none) return true;
        const column& from = tables_[k]->rows().columns[static_cast<std::size_t>(build_column_[i])];
        const bool null = from.null(rows_[k]);
        value = null ? 0 : from[rows_[k]];
        return null;
      });
    }

    executor& by_;
    const plan_node& of_;
    const std::vector<const join_table*>& parts_;
    const consumer& to_;
    std::vector<int> needed_;  // live, or in conditions
    std::vector<int> build_column_;
    std::unique_ptr<copied_slots> made_, kept_;
    key_batch keys_;
    std::vector<const join_table*> part_of_;
    std::vector<std::uint8_t> matched_;
    std::vector<std::uint32_t> chosen_;
    // Pairs that have been found and not handed on.
    std::size_t pairs_ = 0;
    std::array<std::uint32_t, batch_rows> probes_, rows_;
    std::array<const join_table*, batch_rows> tables_;
  };

  // --- group

  class grouping {
   public:
    explicit grouping(const plan_node& of)
        : mine_(of), waiting_(of), packets_(static_cast<std::size_t>(cores())) {
      peers_ = loops::all_gather(this);
    }

    // All rows go to the waiting table; where keys hardly repeat, those of the core's own keys go past it.
    void take(const key_batch& keys, const std::vector<vec>& values, std::size_t rows) {
      const auto me = static_cast<std::size_t>(my_core()), parts = packets_.size();
      chosen_.resize(rows);
      std::iota(chosen_.begin(), chosen_.end(), 0u);
      if (keys_repeat_) {
        waiting_.add(keys, values, chosen_);
      } else {
        const auto others = std::partition(chosen_.begin(), chosen_.end(), [&](std::uint32_t k) {
          return owner_of(keys.hashes[k], parts) == me;
        });
        mine_.add(keys, values, {chosen_.begin(), others});
        waiting_.add(keys, values, {others, chosen_.end()});
        rows -= static_cast<std::size_t>(others - chosen_.begin());
      }
      rows_waiting_ += rows;
      if (waiting_.size() < (keys_repeat_ ? most_waiting_groups : few_waiting_groups)) return;
      keys_repeat_ = rows_waiting_ >= 2 * waiting_.size();
      rows_waiting_ = 0;
      send_waiting();
    }

    // [collective]
    void finish(bool has_keys) {
      send_waiting();
      for (std::size_t c = 0; c < packets_.size(); ++c) flush(c);
      sent_.wait();
      loops::barrier();
      if (!has_keys && owner_of(hash_of_nothing, packets_.size()) == static_cast<std::size_t>(my_core()))
        mine_.add_empty_group();
    }
    const group_table& groups() const { return mine_; }

   private:
    static constexpr std::size_t most_words =
        delegates::messenger::max_payload_bytes(sizeof(void*)) / sizeof(word);

    void send_waiting() {
      for (std::size_t g = 0; g < waiting_.size(); ++g) {
        const std::span<const word> row = waiting_.row(g);
        const std::size_t to = owner_of(waiting_.hash_of(row), packets_.size());
        if (to == static_cast<std::size_t>(my_core())) {
          mine_.merge(row);
          continue;
        }
        if (packets_[to].size() + row.size() > most_words) flush(to);
        packets_[to].insert(packets_[to].end(), row.begin(), row.end());
      }
      waiting_.clear();
    }

    void flush(std::size_t to) {
      if (packets_[to].empty()) return;
      delegates::async_call(
          sent_, static_cast<core_id>(to),
          [peer = peers_[to]](std::span<const std::byte> payload) {
            peer->mine_.merge({reinterpret_cast<const word*>(payload.data()), payload.size() / sizeof(word)});
          },
          std::as_bytes(std::span(packets_[to])));
      packets_[to].clear();
    }

    group_table mine_, waiting_;
    bool keys_repeat_ = true;
    std::size_t rows_waiting_ = 0;
    std::vector<grouping*> peers_;
    std::vector<std::vector<word>> packets_;  // by core
    std::vector<std::uint32_t> chosen_;
    delegates::completion_event sent_;
  };

  void group(const plan_node& of, const consumer& to) {
    const auto all = std::make_unique<grouping>(of);
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
      all->take(keys, values, rows.rows);
    });
    all->finish(!of.values.empty());
    std::vector<column> key_columns, aggregate_columns;
    batch made = empty_batch();
    const group_table& groups = all->groups();
    for (std::size_t first = 0; first < groups.size(); first += batch_rows) {
      made.rows = std::min(batch_rows, groups.size() - first);
      groups.show(first, made.rows, key_columns, aggregate_columns, overflow_);
      for (std::size_t k = 0; k < key_columns.size(); ++k)
        made.slots[static_cast<std::size_t>(of.values[k].first)] = key_columns[k].all();
      for (std::size_t a = 0; a < aggregate_columns.size(); ++a)
        made.slots[static_cast<std::size_t>(of.aggregates[a].slot)] = aggregate_columns[a].all();
      to(made);
      if (first / batch_rows % batches_between_yields == 0) tasks::yield();
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
    rows = sort_rows(std::move(rows), keys, of.limit, of.offset);
    std::vector<std::pair<int, std::size_t>> columns;
    for (std::size_t c = 0; c < slots.size(); ++c) columns.emplace_back(slots[c], c);
    scan_part(rows, columns, to);
  }

  const plan& plan_;
  const tables& data_;
  std::vector<step_figures> figures_;
  std::uint64_t since_ = 0;
  std::size_t current_ = 0;
  overflow_place overflow_;
};

}  // namespace

result<executed> execute(const plan& of, const tables& data, const std::string& text) {
  executor one(of, data);
  executed made = one.run();
  const overflow_place& overflow = one.overflow();
  const status mine =
      !overflow.any ? status()
                    : status(exit_status::bad_data,
                             query_mistake(text, overflow.at,
                                           "integers beyond 64 bits; write CAST(... AS REAL), or 1.0 * ...")
                                 .message());
  if (status failed = loops::first_failure(mine); !failed.ok()) return failed;
  std::vector<double> sums;
  for (const step_figures& f : made.steps) {
    sums.push_back(static_cast<double>(f.rows));
    sums.push_back(f.seconds * 1e-9 * ns_per_tick() / cores());
  }
  loops::all_reduce(sums);
  for (std::size_t k = 0; k < made.steps.size(); ++k)
    made.steps[k] = {static_cast<std::uint64_t>(sums[2 * k]), sums[2 * k + 1]};
  return made;
}

}  // namespace orujo::relational
