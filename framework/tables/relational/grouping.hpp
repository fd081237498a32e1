// Groups on their way to the cores that own their keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "framework/tables/relational/group_table.hpp"
#include "framework/tables/relational/row_exchange.hpp"
#include "system/delegates/completion_event.hpp"

namespace orujo::internal::relational {

// One core's, by any keys. Rows are combined before they travel, as map_reduce() does
// (framework/tables/mapreduce/map_reduce.hpp); where keys hardly repeat, rows travel as they are.
class grouping {
 public:
  // [task; suspends; collective over the job]
  grouping(const plan_node& of, const execute_options& options);
  grouping(const grouping&) = delete;
  grouping& operator=(const grouping&) = delete;

  // [task] May suspend where much is under way. The values are what the aggregates are of.
  void take(const key_batch& keys, const std::vector<vec>& values);
  // [task; suspends; collective over the job] Returns when all groups of all cores have come.
  void finish();
  // As dense_grouping's.
  std::size_t show(std::size_t& position, std::vector<column>& keys, std::vector<column>& aggregates,
                   overflow_place& overflow) const;

 private:
  // The number of full tables whose rows are not combined after one in which few rows shared a key.
  static constexpr std::size_t fulls_not_combined = 16;

  void take_singly(const key_batch& keys, const std::vector<vec>& values);
  void take_received();
  void send_waiting();
  void flush(core_id to);

  group_table mine_, waiting_;
  const std::size_t most_waiting_;  // groups
  bool keys_repeat_ = true;         // all rows go to the waiting table; else none does
  std::size_t rows_taken_ = 0;      // since that is known
  by_core<grouping*> peers_;
  by_core<std::vector<word>> packets_;  // of groups
  delegates::completion_event sent_;

  // Rows that travel: their keys, and of each aggregate that has one the value.
  std::vector<std::size_t> values_that_travel_;
  row_part received_;
  std::unique_ptr<row_exchange> rows_;

  std::vector<std::uint32_t> owners_;
  key_batch received_keys_;
  std::vector<vec> received_values_, columns_;
};

}  // namespace orujo::internal::relational
