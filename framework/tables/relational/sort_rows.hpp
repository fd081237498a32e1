// Rows in the order of some of their columns.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "framework/tables/relational/columns.hpp"
#include "framework/tables/relational/plan.hpp"

namespace orujo::internal::relational {

// keys: whose slots are numbers of columns. Any core by itself; keeps the first `most`.
void sort_here(row_part& rows, const std::vector<order_key>& keys, std::optional<std::uint64_t> most = {});

// [task; suspends; collective over the job] Sorts all cores' rows: core 0 gets the first ones. Only the first
// `limit` after the first `offset` stay. Up to `few` rows go to core 0. Otherwise each core gets a range by a
// sample of all. Blelloch et al., "A Comparison of Sorting Algorithms for the Connection Machine CM-2", SPAA
// 1991.
row_part sort_rows(row_part mine, const std::vector<order_key>& keys, std::optional<std::uint64_t> limit,
                   std::uint64_t offset, std::uint64_t few);

}  // namespace orujo::internal::relational
