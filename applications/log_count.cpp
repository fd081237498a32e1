// Groups the lines of tables and logs by a column, and counts them or sums up another column.
#include <fmt/format.h>
#include <gflags/gflags.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "applications/log_count/decimal.hpp"
#include "applications/tally/table_flags.hpp"
#include "applications/tally/tally.hpp"
#include "framework/formats/text_tokens.hpp"
#include "framework/tables/mapreduce/table_input.hpp"
#include "framework/verify/group_oracle.hpp"
#include "framework/verify/plain_table.hpp"

DEFINE_string(group_by, "1", "column that gives the group of a line: name, or number from 1 on");
DEFINE_string(sum, "", "column to sum up per group: name, or number from 1 on; empty: count lines");

namespace orujo::internal {
namespace {

using log_count::decimal;
using mapreduce::input_files, mapreduce::line_mistake, mapreduce::table_shape;

// The flags are the same at every locale.
mapreduce::table_request wanted_columns() {
  std::vector<std::string> columns = {FLAGS_group_by};
  if (!FLAGS_sum.empty()) columns.push_back(FLAGS_sum);
  return tally::table_request_from_flags(std::move(columns), !FLAGS_sum.empty());
}

result<table_shape> shape_of(const input_files& files) {
  return mapreduce::find_table(files, wanted_columns());
}

struct emit_lines {
  template <class Emit>
  status operator()(const input_files& files, Emit& emit) const {
    const auto shape = shape_of(files);
    if (!shape.ok()) return shape.status();
    std::string quoted;
    const bool sums = !FLAGS_sum.empty();
    return mapreduce::read_rows(
        files, shape.value(), [&](std::span<const formats::table_field> fields) -> line_mistake {
          const auto value = sums ? log_count::parse_decimal(fields[1].text) : decimal::one();
          if (!value)
            return {
                fields[1].column,
                fmt::format(
                    "{} is not a number; expected decimal digits, at most 18 before the point and 9 after it",
                    formats::shown(fields[1].text))};
          const std::string_view key = fields[0].value(quoted);
          if (!mapreduce::is_utf8(key))
            return {
                fields[0].column,
                "a group whose name is not UTF-8; expected UTF-8: convert it with iconv -f LATIN1 -t UTF-8"};
          emit(key, *value);
          return {};
        });
  }
};

result<tally::serial_result<decimal>> group_serially(const input_files& files) {
  const auto wanted = wanted_columns();
  const auto table = verify::read_plain_table(mapreduce::paths_of(files), {wanted.separator, wanted.header});
  if (!table.ok()) return table.status();
  const auto groups =
      verify::group_rows(table.value(), table.value().column(FLAGS_group_by),
                         FLAGS_sum.empty() ? std::nullopt : std::optional(table.value().column(FLAGS_sum)));
  tally::serial_result<decimal> found;
  for (const auto& [name, sum] : groups)
    found.emplace(name, __int128{sum.whole} * decimal::per_one + sum.billionths);
  return found;
}

status main_task() {
  const tally::nouns lines{"log_count", "lines", "group", "groups", FLAGS_sum.empty() ? "lines" : "sum"};
  return tally::run<decimal, emit_lines, decltype(&group_serially), decltype(&log_count::text_of)>(
             lines, emit_lines(), &group_serially, &log_count::text_of)
      .all();
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "log_count: number of lines, or sum of a column, for each value of another column.\n\n"
      "  bin/orujo run log_count --input=access.log --separator=blanks --group_by=1 --sum=10\n"
      "  bin/orujo run -n 2 log_count --input=sales/ --group_by=town --sum=price --output=towns.txt",
      &orujo::internal::main_task);
}
