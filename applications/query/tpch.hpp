// Synthetic tables of TPC-H's shape.
#pragma once

#include <string>
#include <vector>

#include "framework/tables/relational/tables.hpp"

namespace orujo::internal::query {

// Parses "tpch:SCALE": the tables customer, orders and lineitem, with 150,000, 1,500,000 and about 6,000,000
// rows times the scale. They have the columns, keys and ranges that queries 1, 3 and 6 read. The random
// numbers are our own, so answers are not those that the benchmark publishes. Returns a usage error for other
// texts.
result<std::vector<relational::made_table>> tpch_tables(const std::string& specification);

}  // namespace orujo::internal::query
