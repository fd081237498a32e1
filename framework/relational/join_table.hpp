// Rows by their keys: the build side of a join.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "framework/relational/keys.hpp"
#include "framework/relational/syntax.hpp"

namespace orujo::relational {

// One core's, which others of its locale may read once it is built. The first columns of the rows are keys.
class join_table {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  // Rows with a NULL among their keys equal nothing.
  join_table(row_part rows, std::size_t keys) : rows_(std::move(rows)), keys_(keys) {
    require_numbers_for(rows_.rows);
    next_.assign(rows_.rows, none);
    if (!index_densely()) {
      std::size_t places = 16;
      while (places < 2 * rows_.rows) places *= 2;
      places_.resize(places);
      mask_ = places - 1;
    }
    for (std::size_t row = rows_.rows; row-- > 0;) insert(static_cast<std::uint32_t>(row));
  }

  const row_part& rows() const { return rows_; }

  // Looking up is three steps, to be done for many keys each, so that none waits for memory: ask for the
  // place; ask for the row that may be there; compare.
  void prefetch(const key_batch& keys, std::size_t k) const {
    if (dense_.empty()) {
      __builtin_prefetch(&places_[keys.hashes[k] & mask_]);
    } else {
      __builtin_prefetch(&dense_[std::min(dense_.size() - 1, dense_place(keys.keys[0].words[k]))]);
    }
  }
  void prefetch_row(const key_batch& keys, std::size_t k) const {
    if (!dense_.empty() || keys_ == 0) return;
    const std::uint64_t hash = keys.hashes[k], place = places_[hash & mask_];
    if ((place & upper_half) != (hash & upper_half)) return;
    const std::uint32_t row = static_cast<std::uint32_t>(place) - 1;
    __builtin_prefetch(rows_.columns[0].all().words + row);
    if (any_equal_) __builtin_prefetch(&next_[row]);
  }
  // The first row that has the keys of row k of a batch; then the next one.
  std::uint32_t first(const key_batch& keys, std::size_t k) const {
    if (!dense_.empty()) {
      const std::size_t place = dense_place(keys.keys[0].words[k]);
      return place < dense_.size() ? dense_[place] : none;
    }
    const std::uint64_t hash = keys.hashes[k];
    for (std::size_t at = hash & mask_; places_[at]; at = (at + 1) & mask_) {
      if ((places_[at] & upper_half) != (hash & upper_half)) continue;
      const std::uint32_t row = static_cast<std::uint32_t>(places_[at]) - 1;
      bool equal = true;
      for (std::size_t key = 0; key < keys_ && equal; ++key)
        equal = rows_.columns[key][row] == keys.keys[key].words[k];
      if (equal) return row;
    }
    return none;
  }
  std::uint32_t next(std::uint32_t row) const { return any_equal_ ? next_[row] : none; }

 private:
  static constexpr std::uint64_t upper_half = ~std::uint64_t{0} << 32;

  std::size_t dense_place(word key) const {
    return static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(least_);
  }

  // One key, whose values lie so close to each other that they are places themselves.
  bool index_densely() {
    if (keys_ != 1 || rows_.rows == 0) return false;
    const column& key = rows_.columns[0];
    const word* const words = key.all().words;
    const auto [least, greatest] = std::minmax_element(words, words + rows_.rows);
    least_ = *least;
    const std::size_t range = dense_place(*greatest);
    if (range / most_dense > rows_.rows * static_cast<std::size_t>(cores())) return false;
    dense_.assign(range + 1, none);
    return true;
  }

  void insert(std::uint32_t row) {
    if (!dense_.empty()) {
      if (rows_.columns[0].null(row)) return;
      std::uint32_t& first_row = dense_[dense_place(rows_.columns[0][row])];
      any_equal_ |= first_row != none;
      next_[row] = std::exchange(first_row, row);
      return;
    }
    std::uint64_t hash = hash_of_nothing;
    for (std::size_t k = 0; k < keys_; ++k) {
      if (rows_.columns[k].null(row)) return;
      hash = hash_with(hash, rows_.columns[k][row], false);
    }
    std::size_t at = hash & mask_;
    for (; places_[at]; at = (at + 1) & mask_) {
      if ((places_[at] & upper_half) != (hash & upper_half)) continue;
      const std::uint32_t other = static_cast<std::uint32_t>(places_[at]) - 1;
      bool equal = true;
      for (std::size_t k = 0; k < keys_ && equal; ++k)
        equal = rows_.columns[k][row] == rows_.columns[k][other];
      if (!equal) continue;
      next_[row] = other;
      any_equal_ = true;
      break;
    }
    places_[at] = (hash & upper_half) | (row + 1);
  }

  static constexpr std::size_t most_dense = 4;  // places for each key, of all cores'

  row_part rows_;
  const std::size_t keys_;
  std::size_t mask_ = 0;
  word least_ = 0;
  bool any_equal_ = false;
  large_array<std::uint32_t> dense_;  // by key - least_: the first row of the key; empty: by places_
  large_array<std::uint64_t>
      places_;  // upper half of the hash | row + 1, of the first row of these keys; 0: free
  large_array<std::uint32_t> next_;  // by row: of the same keys
};

}  // namespace orujo::relational
