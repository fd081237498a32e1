// Rows of tables grouped by a column, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "framework/verify/plain_table.hpp"

namespace orujo::internal::verify {

struct decimal_sum {
  std::int64_t whole = 0, billionths = 0;  // of one sign, the latter below 10^9 both ways
};

// Any thread. Columns count from 0. sum_of: the column that is summed up, else rows count 1.
std::map<std::string, decimal_sum, std::less<>> group_rows(const plain_table& table, std::size_t group_by,
                                                           std::optional<std::size_t> sum_of);

}  // namespace orujo::internal::verify
