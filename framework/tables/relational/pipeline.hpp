// The state that the steps of a pipeline share.
#pragma once

#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "framework/tables/relational/formula.hpp"

namespace orujo::internal::relational {

// Takes the rows that a step hands on; they are good until it returns.
using consumer = std::function<void(const batch&)>;

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
  // To be filled with values, none of which is null.
  word* words(std::size_t i) {
    space& to = values_[i];
    to.words.resize(batch_rows);
    made_.slots[static_cast<std::size_t>(slots_[i])] = {to.words.data(), nullptr};
    return to.words.data();
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

inline bool is_true(const vec& v, std::size_t k, kind type) {
  return !v.null(k) && (type == kind::real ? real_of(v.words[k]) != 0 : v.words[k] != 0);
}

// The rows for which all conditions are true.
inline void choose(const std::vector<formula>& conditions, const batch& rows, overflow_place& overflow,
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

}  // namespace orujo::internal::relational
