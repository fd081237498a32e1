#include "framework/verify/value_comparison.hpp"

#include <fmt/format.h>

#include "system/base/counted.hpp"

namespace orujo::verify::detail {

std::string text_of(double value) { return fmt::format("{}", value); }
std::string text_of(float value) { return fmt::format("{}", value); }
std::string text_of(std::uint64_t value) { return std::to_string(value); }
std::string text_of(std::int64_t value) { return std::to_string(value); }

std::string describe(const comparison_counts& counts, const std::string& what, const std::string& first) {
  if (!counts.same_vertices) {
    return fmt::format("the graphs differ: {} where the serial oracle has {}, or other ids",
                       base::counted(counts.seen, "vertex", "vertices"), counts.expected);
  }
  if (counts.different == 0) {
    const std::string within =
        counts.tolerance > 0 ? fmt::format(", within {:.2g} of each", counts.tolerance) : "";
    if (counts.seen == 1) return fmt::format("the only one of the {} is the serial oracle's{}", what, within);
    return fmt::format("all {} {} are the serial oracle's{}", counts.seen, what, within);
  }
  return fmt::format("{} of {} {} differ; {}", counts.different, counts.seen, what, first);
}

}  // namespace orujo::verify::detail
