// Groups on their way to the cores that own their keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/relational/group_table.hpp"
#include "system/delegates/completion_event.hpp"

namespace orujo::relational {

// One core's. Rows are combined before they travel, as map_reduce() does
// (framework/mapreduce/map_reduce.hpp).
class grouping {
 public:
  // [task; suspends; collective over the job]
  grouping(const plan_node& of, const execute_options& options);
  grouping(const grouping&) = delete;
  grouping& operator=(const grouping&) = delete;

  // [task] May suspend where much is under way. The values are what the aggregates are of.
  void take(const key_batch& keys, const std::vector<vec>& values, std::size_t rows);
  // [task; suspends; collective over the job] Returns when all groups of all cores have come. has_keys: else
  // there is one group, even of no rows.
  void finish(bool has_keys);
  // The calling core's own.
  const group_table& groups() const { return mine_; }

 private:
  void send_waiting();
  void flush(std::size_t to);

  const execute_options options_;
  group_table mine_, waiting_;
  bool keys_repeat_ = true;  // all rows go to the waiting table; else those of the core's own keys past it
  std::size_t rows_waiting_ = 0;
  std::vector<grouping*> peers_;
  std::vector<std::vector<word>> packets_;  // by core
  std::vector<std::uint32_t> chosen_;
  delegates::completion_event sent_;
};

}  // namespace orujo::relational
