// What has been aggregated of the rows of groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/tables/relational/plan.hpp"

namespace orujo::relational {

// How the states of a group's aggregates lie one behind the other, as words that can travel:
//
//   how many rows | state of each aggregate
//
// A state: of a count of rows nothing more; of a count of values how many are null; of a sum of integers 128
// bits, of a sum or average of reals the sum, then how many are null; of min and max the value, and how many
// are not. Zeros are a group without rows. Without aggregates rows are counted only if `counts_rows`.
class group_states {
 public:
  explicit group_states(const plan_node& group, bool counts_rows);

  std::size_t width() const { return width_; }
  // Of values [first, first + n) of what the aggregates are of: value k goes to the group at words + at[k].
  void add(word* words, std::span<const std::uint64_t> at, const std::vector<vec>& values, std::size_t first,
           std::size_t n) const;
  // One group's to another's.
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

}  // namespace orujo::relational
