// Rows by their keys: the build side of a join.
#pragma once

#include <cstddef>
#include <cstdint>
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
    std::size_t buckets = 16;
    while (buckets < rows_.rows) buckets *= 2;
    heads_.assign(buckets, none);
    next_.resize(rows_.rows);
    for (std::size_t row = rows_.rows; row-- > 0;) {
      std::uint64_t hash = hash_of_nothing;
      bool null = false;
      for (std::size_t k = 0; k < keys_; ++k) {
        null |= rows_.columns[k].null(row);
        hash = hash_with(hash, rows_.columns[k][row], false);
      }
      if (null) continue;
      std::uint32_t& head = heads_[hash & (heads_.size() - 1)];
      next_[row] = head;
      head = static_cast<std::uint32_t>(row);
    }
  }

  const row_part& rows() const { return rows_; }
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&heads_[hash & (heads_.size() - 1)]); }
  // The first row of that hash's bucket that has the keys of row k of a batch; then the next one.
  std::uint32_t first(const key_batch& keys, std::size_t k) const {
    return equal_from(heads_[keys.hashes[k] & (heads_.size() - 1)], keys, k);
  }
  std::uint32_t next(std::uint32_t row, const key_batch& keys, std::size_t k) const {
    return equal_from(next_[row], keys, k);
  }

 private:
  std::uint32_t equal_from(std::uint32_t row, const key_batch& keys, std::size_t k) const {
    for (; row != none; row = next_[row]) {
      bool equal = true;
      for (std::size_t key = 0; key < keys_ && equal; ++key)
        equal = rows_.columns[key][row] == keys.keys[key].words[k];
      if (equal) break;
    }
    return row;
  }

  template <class T>
  using many = std::vector<T, memory::allocator_with_room<T>>;
  row_part rows_;
  std::size_t keys_;
  many<std::uint32_t> heads_, next_;  // by bucket; by row
};

}  // namespace orujo::relational
