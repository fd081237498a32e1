#include "applications/tally/table_flags.hpp"

#include <gflags/gflags.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>

#include "system/base/flags.hpp"

DEFINE_string(
    separator, "auto",
    "what is between the fields of a line: comma, tab, semicolon, pipe, blanks, or auto: found out");
DEFINE_bool(header, false, "the first line of each file has the names of the columns");

namespace orujo::tally {
namespace {

constexpr std::pair<std::string_view, char> separators[] = {
    {"auto", 0}, {"comma", ','}, {"tab", '\t'}, {"semicolon", ';'}, {"pipe", '|'}, {"blanks", ' '}};

const auto* chosen_separator() {
  return std::ranges::find(separators, FLAGS_separator, [](const auto& one) { return one.first; });
}
const flag_rule separator_rule(
    "separator", [] { return chosen_separator() != std::end(separators); },
    "auto, comma, tab, semicolon, pipe or blanks");

}  // namespace

mapreduce::table_request table_request_from_flags(std::vector<std::string> columns) {
  return {chosen_separator()->second, FLAGS_header, std::move(columns)};
}

std::vector<std::string> parts_of_list(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream from(list);
  for (std::string part; std::getline(from, part, ',');) parts.push_back(part);
  return parts;
}

}  // namespace orujo::tally
