// The flags --separator and --header, for lines that are rows of a table.
#pragma once

#include <string>
#include <vector>

#include "framework/tables/mapreduce/table_input.hpp"

namespace orujo::internal::tally {

// of_numbers: one of the columns has numbers in all rows. --header=auto is a header where a column is given
// by its name, none where the columns are given by numbers and may hold any text, and else what find_table()
// finds.
mapreduce::table_request table_request_from_flags(std::vector<std::string> columns, bool of_numbers);

// "a,b,3" as its parts.
std::vector<std::string> parts_of_list(const std::string& list);

}  // namespace orujo::internal::tally
