// The states of aggregates over the rows of groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/tables/relational/plan.hpp"

namespace orujo::internal::relational {

// Layout of the states of a group's aggregates, as words that can be sent:
//
//   how many rows | state of each aggregate
//
// A count of rows has no state. A count of values has the number of nulls. A sum of integers has 128 bits, a
// sum or average of reals the sum. Both then have the number of nulls. min and max have the value, and the
// number of values that are not null. Zeros are a group without rows. Without aggregates rows are counted
// only if `counts_rows`.
class group_states {
 public:
  explicit group_states(const plan_node& group, bool counts_rows);

  std::size_t width() const { return width_; }
  // Adds the arguments [first, first + n) of the aggregates. Argument k goes to the group at words + at[k].
  void add(word* words, std::span<const std::uint64_t> at, const std::vector<vec>& values, std::size_t first,
           std::size_t n) const;
  // Adds the states of one group to those of another.
  void merge(word* to, const word* from) const;
  // The aggregates of the groups at words + at[k], a column for each.
  void show(const word* words, std::span<const std::uint64_t> at, std::vector<column>& aggregates,
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
  static std::size_t words_of(state s);
  void add_one(const shape& s, word* words, std::span<const std::uint64_t> at, const vec& v) const;

  std::size_t width_ = 0;
  std::vector<shape> shapes_;
};

}  // namespace orujo::internal::relational
