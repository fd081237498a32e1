// Groups of rows by their keys, and what has been aggregated of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/relational/keys.hpp"
#include "framework/relational/plan.hpp"

namespace orujo::relational {

// One core's. Open addressing; a group is a row of words, which can travel as it is:
//
//   bits of the keys that are null, 64 in a word | keys | state of each aggregate
//
// A state: of a count its number, of a sum of integers 128 bits and how many, of a sum or average of reals
// the sum and how many, of min and max the value and how many.
class group_table {
 public:
  explicit group_table(const plan_node& group);

  std::size_t size() const { return size_; }
  std::size_t width() const { return width_; }
  std::span<const word> row(std::size_t group) const { return {rows_.data() + group * width_, width_}; }
  std::uint64_t hash_of(std::span<const word> row) const;

  // Adds rows of a batch, those that `chosen` has: their keys, and what the aggregates are of.
  void add(const key_batch& keys, const std::vector<vec>& values, std::span<const std::uint32_t> chosen);
  // Adds groups of another table of the same plan, one behind the other.
  void merge(std::span<const word> rows);
  // The only group there is without keys, if nothing has been added.
  void add_empty_group();
  void clear();

  // Values of groups [first, first + n), as the plan's slots.
  void show(std::size_t first, std::size_t n, std::vector<column>& keys, std::vector<column>& aggregates,
            overflow_place& overflow) const;

 private:
  enum class state : std::uint8_t { count_rows, count, sum_integers, sum_reals, least, greatest };
  struct shape {
    state what;
    bool real;      // of what it is of
    bool averages;  //
    std::size_t at, words, place_in_text;
  };
  static state state_of(const aggregate& a);

  bool same_keys(const word* row, const key_batch& keys, std::size_t k) const;
  std::uint32_t find_or_add(std::uint64_t hash, const auto& is_it, const auto& fill);
  std::uint32_t find_or_add_row(const key_batch& keys, std::size_t k);
  // groups_of_batch_
  void find_groups(const key_batch& keys, std::span<const std::uint32_t> chosen);
  void find_few_groups(const key_batch& keys, std::span<const std::uint32_t> chosen);
  void prefetch_row(std::uint64_t hash) const;
  void merge_row(const word* from, std::uint64_t hash);
  void update(const shape& s, const vec& v, std::span<const std::uint32_t> chosen);
  void grow();

  std::size_t keys_, null_words_, width_, size_ = 0;
  std::vector<kind> key_types_;
  std::vector<shape> shapes_;
  large_array<word> rows_;
  large_array<std::uint64_t> places_;  // upper half of the hash | group + 1
  std::size_t mask_;
  struct recent {
    word key = 0;
    std::uint32_t group_and_one = 0;  // 0: none
  };
  std::vector<recent> recent_;  // of a single key
  std::vector<std::uint32_t> groups_of_batch_;
  std::vector<std::uint64_t> hashes_of_rows_;
};

}  // namespace orujo::relational
