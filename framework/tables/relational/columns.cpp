#include "framework/tables/relational/columns.hpp"

#include <fmt/format.h>

#include "system/base/fatal.hpp"

namespace orujo::internal::relational {

void require_numbers_for(std::uint64_t rows) {
  if (rows > most_rows_of_core)
    base::fail(exit_status::no_resource,
               fmt::format("more than {} rows of a join, a group or an order at one core; use more cores",
                           most_rows_of_core));
}

}  // namespace orujo::internal::relational
