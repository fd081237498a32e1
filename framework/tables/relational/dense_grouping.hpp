// Groups by one key whose values lie close to each other, or by none: each has its place in an array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/tables/relational/group_states.hpp"
#include "framework/tables/relational/keys.hpp"
#include "framework/tables/relational/plan.hpp"
#include "system/delegates/completion_event.hpp"

namespace orujo::internal::relational {

// One core's part. It has an entry for every possible key and adds the rows that it meets. At the end each
// core gets the states of a range of entries from all cores.
class dense_grouping {
 public:
  // True if the range is known, and the array small, or much smaller than the number of rows.
  static bool suits(const plan_node& of, const execute_options& options);

  // [task; suspends; collective over the job]
  explicit dense_grouping(const plan_node& of);
  dense_grouping(const dense_grouping&) = delete;
  dense_grouping& operator=(const dense_grouping&) = delete;

  // [task] The values are what the aggregates are of.
  void take(const key_batch& keys, const std::vector<vec>& values);
  // [task; suspends; collective over the job] Returns when the groups of all cores have come.
  void finish();
  // The calling core's groups: those from `position` on, as many as a batch has, as the plan's slots. Returns
  // how many, and where the next ones are; 0 at the end.
  std::size_t show(std::size_t& position, std::vector<column>& keys, std::vector<column>& aggregates,
                   overflow_place& overflow) const;

 private:
  std::size_t first_of(int core) const;
  void find_places(const key_batch& keys);
  void send_range(int core);
  void merge(std::size_t place, std::span<const word> states);

  const group_states states_;
  const bool has_key_;
  const key_range range_;
  const std::size_t width_, places_;  // the last is that of NULL, or the only one, without a key
  large_array<word> words_;
  std::vector<std::uint64_t> at_;  // where in words_ the states of the rows of a batch are
  by_core<dense_grouping*> peers_;
  delegates::completion_event sent_;
};

}  // namespace orujo::internal::relational
