// The rows of a join: those of its probe side, with the equal ones of the build side.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "framework/relational/join_table.hpp"
#include "framework/relational/pipeline.hpp"
#include "framework/relational/plan.hpp"

namespace orujo::relational {

// Pairs of rows: of a batch of the probe side, and of the build side.
class probe {
 public:
  probe(int slots, overflow_place& overflow, const plan_node& of, const std::vector<const join_table*>& parts,
        const consumer& to)
      : overflow_(overflow), of_(of), parts_(parts), to_(to), needed_(of.live) {
    for (const formula& f : of.conditions) add_slots(f);
    made_ =
        std::make_unique<copied_slots>(needed_, batch{0, std::vector<vec>(static_cast<std::size_t>(slots))});
    kept_ =
        std::make_unique<copied_slots>(of.live, batch{0, std::vector<vec>(static_cast<std::size_t>(slots))});
    for (const int slot : needed_) {
      const auto found = std::ranges::find(of.of[1].live, slot);
      build_column_.push_back(found == of.of[1].live.end() ? -1
                                                           : static_cast<int>(found - of.of[1].live.begin()) +
                                                                 static_cast<int>(of.build_keys.size()));
    }
  }

  void take(const batch& rows) {
    keys_.evaluate(of_.probe_keys, rows, overflow_);
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
      choose(of_.conditions, made, overflow_, chosen_);
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

  overflow_place& overflow_;
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

}  // namespace orujo::relational
