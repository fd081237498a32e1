// Lines of tables grouped by a column, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "system/base/status.hpp"

namespace orujo::verify {

struct decimal_sum {
  std::int64_t whole = 0, billionths = 0;  // of one sign, the latter below 10^9 both ways
};

// Any thread. Columns count from 0. sum_of: the column that is summed up, else lines count 1. separator: ' '
// is any blanks. Takes well-formed tables only; fails where a file cannot be read.
result<std::map<std::string, decimal_sum, std::less<>>> group_lines(const std::vector<std::string>& paths,
                                                                    char separator, bool header,
                                                                    std::size_t group_by,
                                                                    std::optional<std::size_t> sum_of);

}  // namespace orujo::verify
