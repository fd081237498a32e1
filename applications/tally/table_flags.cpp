#include "applications/tally/table_flags.hpp"

#include <gflags/gflags.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include "system/base/flags.hpp"

DEFINE_string(separator, "auto",
              "separator of the fields of a line: comma, tab, semicolon, pipe, blanks, none (a line is one "
              "field), or auto (detected in the first lines)");
DEFINE_string(header, "auto",
              "header of the files, the names of columns in the first line: yes, no, or auto (detected)");

namespace orujo::internal::tally {
namespace {

const flag_rule separator_rule(
    "separator", [] { return mapreduce::separator_named(FLAGS_separator).has_value(); },
    mapreduce::separator_names);
const flag_rule header_rule(
    "header", [] { return FLAGS_header == "auto" || FLAGS_header == "yes" || FLAGS_header == "no"; },
    "auto, yes or no");
const base::switch_texts switches{"header"};

bool is_number_of_column(const std::string& column) {
  return !column.empty() && column.find_first_not_of("0123456789") == column.npos;
}

}  // namespace

mapreduce::table_request table_request_from_flags(std::vector<std::string> columns, bool of_numbers) {
  std::optional<bool> header;
  if (FLAGS_header != "auto") {
    header = FLAGS_header == "yes";
  } else if (!std::ranges::all_of(columns, is_number_of_column)) {
    header = true;
  } else if (!of_numbers) {
    header = false;
  }
  return {*mapreduce::separator_named(FLAGS_separator), header, std::move(columns)};
}

std::vector<std::string> parts_of_list(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream from(list);
  for (std::string part; std::getline(from, part, ',');) parts.push_back(part);
  return parts;
}

}  // namespace orujo::internal::tally
