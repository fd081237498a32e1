// The flags --separator and --header, for lines that are rows of a table.
#pragma once

#include <string>
#include <vector>

#include "framework/tables/mapreduce/table_input.hpp"

namespace orujo::tally {

mapreduce::table_request table_request_from_flags(std::vector<std::string> columns);

// "a,b,3" as its parts.
std::vector<std::string> parts_of_list(const std::string& list);

}  // namespace orujo::tally
