#include "applications/tally/table_flags.hpp"

#include <gflags/gflags.h>

#include <sstream>
#include <utility>

#include "system/base/flags.hpp"

DEFINE_string(separator, "auto",
              "separator of the fields of a line: comma, tab, semicolon, pipe, blanks, none (a line is one "
              "field), or auto (detected in the first lines)");
DEFINE_bool(header, false, "read the names of the columns from the first line of each file");

namespace orujo::tally {
namespace {

const flag_rule separator_rule(
    "separator", [] { return mapreduce::separator_named(FLAGS_separator).has_value(); },
    mapreduce::separator_names);

}  // namespace

mapreduce::table_request table_request_from_flags(std::vector<std::string> columns) {
  return {*mapreduce::separator_named(FLAGS_separator), FLAGS_header, std::move(columns)};
}

std::vector<std::string> parts_of_list(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream from(list);
  for (std::string part; std::getline(from, part, ',');) parts.push_back(part);
  return parts;
}

}  // namespace orujo::tally
