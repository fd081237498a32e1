// The rows of a join: those of its probe side, with the equal ones of the build side.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "framework/tables/relational/join_table.hpp"
#include "framework/tables/relational/pipeline.hpp"
#include "framework/tables/relational/plan.hpp"

namespace orujo::internal::relational {

// Pairs of rows: of a batch of the probe side, and of the build side.
class probe {
 public:
  // route: which of the parts has the rows of a key.
  probe(int slots, overflow_place& overflow, const plan_node& of, const std::vector<const join_table*>& parts,
        const key_route& route, const consumer& to)
      : overflow_(overflow), of_(of), parts_(parts), route_(route), to_(to), needed_(of.live) {
    for (const formula& f : of.conditions) add_slots(f);
    made_ =
        std::make_unique<copied_slots>(needed_, batch{0, std::vector<vec>(static_cast<std::size_t>(slots))});
    kept_ =
        std::make_unique<copied_slots>(of.live, batch{0, std::vector<vec>(static_cast<std::size_t>(slots))});
    for (const int slot : needed_) {
      std::vector<vec>& values = build_values_.emplace_back();
      const auto found = std::ranges::find(of.of[1].live, slot);
      if (found == of.of[1].live.end()) continue;
      const auto column = of.build_keys.size() + static_cast<std::size_t>(found - of.of[1].live.begin());
      for (const join_table* part : parts) values.push_back(part->values(column).all());
    }
  }

  void take(const batch& rows) {
    keys_.evaluate(of_.probe_keys, rows, overflow_);
    part_of_.assign(rows.rows, 0);
    if (parts_.size() > 1) route_.owners(keys_, part_of_);
    find_candidates();
    for (const std::uint32_t k : candidates_) parts_[part_of_[k]]->prefetch(keys_, k);
    for (const std::uint32_t k : candidates_) parts_[part_of_[k]]->prefetch_row(keys_, k);
    matched_.assign(rows.rows, 0);
    for (const std::uint32_t k : candidates_) {
      parts_[part_of_[k]]->for_each_match(keys_, k, [&](std::uint32_t row) {
        add(k, row, part_of_[k]);
        if (pairs_ == batch_rows) hand_on(rows);
      });
    }
    hand_on(rows);
    if (of_.how == join_kind::left) {
      for (std::uint32_t k = 0; k < rows.rows; ++k) {
        if (!matched_[k]) add(k, join_table::none, 0);
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

  // Rows that may match.
  void find_candidates() {
    candidates_.resize(keys_.rows);
    std::size_t found = 0;
    for (std::uint32_t k = 0; k < keys_.rows; ++k) {
      candidates_[found] = k;
      found += parts_[part_of_[k]]->may_match(keys_, k);
    }
    candidates_.resize(found);
  }

  void add(std::uint32_t k, std::uint32_t row, std::uint32_t part) {
    probes_[pairs_] = k;
    rows_[pairs_] = row;
    parts_of_pairs_[pairs_++] = part;
  }

  void hand_on(const batch& rows, bool unmatched = false) {
    if (pairs_ == 0) return;
    const std::span<const std::uint32_t> probes(probes_.data(), pairs_);
    // Every row of the batch once, in its order: there is nothing to copy.
    std::uint32_t expected = 0;
    const bool as_they_are =
        pairs_ == rows.rows && std::ranges::all_of(probes, [&](std::uint32_t k) { return k == expected++; });
    batch& made = made_->made();
    made.rows = pairs_;
    for (std::size_t i = 0; i < needed_.size(); ++i) {
      const vec& of_probe = rows.slots[static_cast<std::size_t>(needed_[i])];
      if (!build_values_[i].empty()) {
        gather_build(i, unmatched);
      } else if (as_they_are) {
        made.slots[static_cast<std::size_t>(needed_[i])] = of_probe;
      } else {
        made_->gather_one(i, of_probe, probes);
      }
    }
    if (unmatched || of_.conditions.empty()) {
      if (of_.how == join_kind::left) {
        for (const std::uint32_t k : probes) matched_[k] = 1;
      }
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
  void gather_build(std::size_t i, bool unmatched) {
    const std::vector<vec>& parts = build_values_[i];
    if (unmatched) return made_->gather_values(i, pairs_, [](std::size_t, word&) { return true; });
    for (std::size_t k = 0; k < pairs_; ++k) __builtin_prefetch(parts[parts_of_pairs_[k]].words + rows_[k]);
    if (std::ranges::any_of(parts, [](const vec& v) { return v.nulls != nullptr; })) {
      made_->gather_values(i, pairs_, [&](std::size_t k, word& value) {
        const vec& from = parts[parts_of_pairs_[k]];
        value = from.words[rows_[k]];
        return from.null(rows_[k]);
      });
    } else {
      word* const to = made_->words(i);
      for (std::size_t k = 0; k < pairs_; ++k) to[k] = parts[parts_of_pairs_[k]].words[rows_[k]];
    }
  }

  overflow_place& overflow_;
  const plan_node& of_;
  const std::vector<const join_table*>& parts_;
  const key_route& route_;
  const consumer& to_;
  std::vector<int> needed_;  // live, or in conditions
  // The columns of the build side by needed slot, of each part. A slot of the probe side has none.
  std::vector<std::vector<vec>> build_values_;
  std::unique_ptr<copied_slots> made_, kept_;
  key_batch keys_;
  std::vector<std::uint32_t> part_of_, candidates_;
  std::vector<std::uint8_t> matched_;
  std::vector<std::uint32_t> chosen_;
  // Pairs that have been found and not handed on.
  std::size_t pairs_ = 0;
  std::array<std::uint32_t, batch_rows> probes_, rows_, parts_of_pairs_;
};

}  // namespace orujo::internal::relational
