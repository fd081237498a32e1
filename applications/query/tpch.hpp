// Tables of the shape of TPC-H's, made of random numbers.
#pragma once

#include <string>
#include <vector>

#include "framework/tables/relational/tables.hpp"

namespace orujo::query {

// Of "tpch:SCALE": customer, orders and lineitem, with 150,000, 1,500,000 and about 6,000,000 rows times the
// scale, and the columns, keys and ranges that the queries 1, 3 and 6 look at. The draws are our own: answers
// are not those that the benchmark publishes. usage where the text is no such one.
result<std::vector<relational::made_table>> tpch_tables(const std::string& specification);

}  // namespace orujo::query
