// Rows by their keys: the build side of a join.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "framework/tables/relational/key_range.hpp"

namespace orujo::internal::relational {

// One core's part, which other cores of its locale may read once it is built. The first columns of the rows
// are keys. Rows with a NULL among them equal nothing.
//
// If there is one key and its values are dense enough, the rows lie in its order. A bit per possible value
// says whether the key exists, and most probes without a match read nothing else. Counts of smaller keys give
// the index of a key, and an array the begin of its rows. Both are left out if each value is a key with one
// row. Otherwise rows of equal keys are a chain, and a table of hashes has its first one.
class join_table {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  // Each takes a bit and a half: together no more than what hashes take.
  static constexpr std::uint64_t most_places_of_row = 128;

  // apart: of a key_range of the first column.
  join_table(row_part rows, std::size_t keys, int apart) : rows_(std::move(rows)), keys_(keys) {
    require_numbers_for(rows_.rows);
    if (keys_ == 1) range_ = key_range::of(rows_.columns[0], apart);
    if (range_.is_dense(rows_.rows, most_places_of_row)) {
      order_by_place();
    } else {
      build_chains();
    }
  }

  const column& values(std::size_t column_of_rows) const { return rows_.columns[column_of_rows]; }
  bool needs_hashes() const { return places_ == 0; }

  // A look-up is four steps, each of them for many keys, so that none waits for memory. They test whether
  // there may be a row, prefetch the slot, prefetch the row that may be there, and compare.
  bool may_match(const key_batch& keys, std::size_t k) const {
    if (needs_hashes()) return !keys.any_null(k);
    const std::uint64_t place = std::min(places_, range_.place(keys.keys[0].words[k]));
    const bool there = bits_.empty() ? place < places_ : bits_[place / 64] >> place % 64 & 1;
    return there && !keys.keys[0].null(k);
  }
  void prefetch(const key_batch& keys, std::size_t k) const {
    if (needs_hashes()) {
      __builtin_prefetch(&heads_[keys.hashes()[k] & mask_]);
    } else if (!bits_.empty()) {
      __builtin_prefetch(&before_[range_.place(keys.keys[0].words[k]) / 64]);
    }
  }
  void prefetch_row(const key_batch& keys, std::size_t k) const {
    if (!needs_hashes()) {
      if (!begins_.empty()) __builtin_prefetch(&begins_[number_of(range_.place(keys.keys[0].words[k]))]);
      return;
    }
    if (keys_ == 0) return;
    const std::uint64_t hash = keys.hashes()[k];
    for (std::size_t at = hash & mask_; heads_[at]; at = (at + 1) & mask_) {
      if ((heads_[at] & upper_half) != (hash & upper_half)) continue;
      const std::uint32_t row = static_cast<std::uint32_t>(heads_[at]) - 1;
      __builtin_prefetch(rows_.columns[0].all().words + row);
      if (any_equal_) __builtin_prefetch(&next_[row]);
      return;
    }
  }
  // visit(row) for each row that has the keys of row k of a batch, which may match.
  template <class Visit>
  void for_each_match(const key_batch& keys, std::size_t k, const Visit& visit) const {
    if (needs_hashes()) {
      for (std::uint32_t row = first(keys, k); row != none; row = any_equal_ ? next_[row] : none) visit(row);
      return;
    }
    const std::uint32_t number = number_of(range_.place(keys.keys[0].words[k]));
    if (begins_.empty()) return visit(number);
    for (std::uint32_t row = begins_[number]; row < begins_[number + 1]; ++row) visit(row);
  }

 private:
  static constexpr std::uint64_t upper_half = ~std::uint64_t{0} << 32;

  // The number of keys before that of a place.
  std::uint32_t number_of(std::uint64_t place) const {
    if (bits_.empty()) return static_cast<std::uint32_t>(place);
    const std::uint64_t below = bits_[place / 64] & ((std::uint64_t{1} << place % 64) - 1);
    return before_[place / 64] + static_cast<std::uint32_t>(std::popcount(below));
  }

  void order_by_place() {
    const column& keys = rows_.columns[0];
    places_ = range_.places();
    bits_.assign(places_ / 64 + 1, 0);
    for (std::size_t row = 0; row < rows_.rows; ++row) {
      if (!keys.null(row)) set_bit(range_.place(keys[row]));
    }
    before_.reserve(bits_.size());
    std::uint32_t keys_there = 0;
    for (const std::uint64_t bits : bits_) {
      before_.push_back(keys_there);
      keys_there += static_cast<std::uint32_t>(std::popcount(bits));
    }
    if (keys_there == places_) bits_ = {}, before_ = {};
    large_array<std::uint32_t> to(rows_.rows, none);
    for (std::size_t row = 0; row < rows_.rows; ++row) {
      if (!keys.null(row)) to[row] = number_of(range_.place(keys[row]));
    }
    if (keys_there < range_.rows) set_begins(to, keys_there);
    for (std::size_t c = 1; c < rows_.columns.size(); ++c)
      rows_.columns[c] = rows_.columns[c].placed(to, range_.rows);
    rows_.columns[0] = {};
    rows_.rows = range_.rows;
  }
  void set_bit(std::uint64_t place) { bits_[place / 64] |= std::uint64_t{1} << place % 64; }
  // to: the numbers of the rows' keys, which become the places of the rows.
  void set_begins(large_array<std::uint32_t>& to, std::uint32_t keys_there) {
    begins_.assign(keys_there + 1, 0);
    for (const std::uint32_t number : to) begins_[number == none ? keys_there : number] += number != none;
    std::uint32_t end = 0;
    for (std::uint32_t& rows_there : begins_)
      rows_there = end += rows_there;  // where they end, until the last of them has its place
    for (std::size_t row = rows_.rows; row-- > 0;) {
      if (to[row] != none) to[row] = --begins_[to[row]];
    }
  }

  void build_chains() {
    next_.assign(rows_.rows, none);
    std::size_t heads = 16;
    while (heads < 2 * rows_.rows) heads *= 2;
    heads_.resize(heads);
    mask_ = heads - 1;
    std::vector<std::uint64_t> hashes;
    for (std::size_t last = rows_.rows; last > 0;) {
      const std::size_t first_row = last - std::min(last, batch_rows);
      hashes.assign(last - first_row, hash_of_nothing);
      for (std::size_t row = first_row; row < last; ++row) {
        std::uint64_t& hash = hashes[row - first_row];
        for (std::size_t k = 0; k < keys_; ++k) hash = hash_with(hash, rows_.columns[k][row], false);
        __builtin_prefetch(&heads_[hash & mask_], 1);
      }
      for (; last > first_row; --last)
        insert(static_cast<std::uint32_t>(last - 1), hashes[last - 1 - first_row]);
    }
  }

  void insert(std::uint32_t row, std::uint64_t hash) {
    for (std::size_t k = 0; k < keys_; ++k) {
      if (rows_.columns[k].null(row)) return;
    }
    std::size_t at = hash & mask_;
    for (; heads_[at]; at = (at + 1) & mask_) {
      if ((heads_[at] & upper_half) != (hash & upper_half)) continue;
      const std::uint32_t other = static_cast<std::uint32_t>(heads_[at]) - 1;
      bool equal = true;
      for (std::size_t k = 0; k < keys_ && equal; ++k)
        equal = rows_.columns[k][row] == rows_.columns[k][other];
      if (!equal) continue;
      next_[row] = other;
      any_equal_ = true;
      break;
    }
    heads_[at] = (hash & upper_half) | (row + 1);
  }

  std::uint32_t first(const key_batch& keys, std::size_t k) const {
    const std::uint64_t hash = keys.hashes()[k];
    for (std::size_t at = hash & mask_; heads_[at]; at = (at + 1) & mask_) {
      if ((heads_[at] & upper_half) != (hash & upper_half)) continue;
      const std::uint32_t row = static_cast<std::uint32_t>(heads_[at]) - 1;
      bool equal = true;
      for (std::size_t key = 0; key < keys_ && equal; ++key)
        equal = rows_.columns[key][row] == keys.keys[key].words[k];
      if (equal) return row;
    }
    return none;
  }

  row_part rows_;
  const std::size_t keys_;
  key_range range_;

  std::uint64_t places_ = 0;  // of keys that lie close; 0: by hashes
  // A bit by place, and one more: whether there is a key. By 64 of them the number of keys before. Empty:
  // everywhere.
  large_array<std::uint64_t> bits_;
  large_array<std::uint32_t> before_;
  large_array<std::uint32_t> begins_;  // by number of the key, and the end; empty: the number is the row

  std::size_t mask_ = 0;
  bool any_equal_ = false;
  // Upper half of the hash | row + 1, of the first row with these keys. 0: free.
  large_array<std::uint64_t> heads_;
  large_array<std::uint32_t> next_;  // by row: of the same keys
};

}  // namespace orujo::internal::relational
