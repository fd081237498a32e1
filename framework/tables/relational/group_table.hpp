// Groups of rows by their keys, found by hashes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/tables/relational/group_states.hpp"
#include "framework/tables/relational/keys.hpp"
#include "framework/tables/relational/plan.hpp"

namespace orujo::internal::relational {

// One core's part, by open addressing. A group is a row of words, which can be sent as it is:
//
//   bits of the keys that are null, 64 in a word | keys | states of the aggregates
class group_table {
 public:
  explicit group_table(const plan_node& group);

  std::size_t size() const { return size_; }
  std::size_t width() const { return width_; }
  std::span<const word> row(std::size_t group) const { return {rows_.data() + group * width_, width_}; }
  std::uint64_t hash_of(std::span<const word> row) const;

  // Adds the rows of a batch: their keys, and what the aggregates are of.
  void add(const key_batch& keys, const std::vector<vec>& values);
  // Adds groups of another table of the same plan, one after the other.
  void merge(std::span<const word> rows);
  void clear();

  // Values of groups [first, first + n), as the plan's slots.
  void show(std::size_t first, std::size_t n, std::vector<column>& keys, std::vector<column>& aggregates,
            overflow_place& overflow) const;

 private:
  bool same_keys(const word* row, const key_batch& keys, std::size_t k) const;
  std::uint32_t find_or_add(std::uint64_t hash, const auto& is_it, const auto& fill);
  std::uint32_t find_or_add_row(const key_batch& keys, std::size_t k);
  std::uint64_t states_of(std::uint32_t group) const { return group * width_ + head_; }
  // at_
  void find_groups(const key_batch& keys);
  void find_few_groups(const key_batch& keys);
  void prefetch_row(std::uint64_t hash) const;
  void merge_row(const word* from, std::uint64_t hash);
  void grow();

  group_states states_;
  std::size_t keys_, null_words_, head_, width_, size_ = 0;
  large_array<word> rows_;
  large_array<std::uint64_t> places_;  // upper half of the hash | group + 1
  std::size_t mask_;
  struct recent {
    word key = 0;
    std::uint32_t group_and_one = 0;  // 0: none
  };
  std::vector<recent> recent_;     // of a single key
  std::vector<std::uint64_t> at_;  // where in rows_ the states of the rows of a batch are
  std::vector<std::uint64_t> hashes_of_rows_;
};

}  // namespace orujo::internal::relational
