#include "framework/verify/value_comparison.hpp"

#include <fmt/format.h>

#include "framework/verify/edge_comparison.hpp"
#include "system/base/counted.hpp"

namespace orujo::internal::verify::detail {

std::string text_of(double value) { return fmt::format("{}", value); }
std::string text_of(float value) { return fmt::format("{}", value); }
std::string text_of(std::uint64_t value) { return std::to_string(value); }
std::string text_of(std::int64_t value) { return std::to_string(value); }

namespace {

std::string within(double tolerance) {
  return tolerance > 0 ? fmt::format(", within {:.2g} of each", tolerance) : "";
}

std::string describe_all(std::size_t seen, const std::string& what, double tolerance) {
  if (seen == 1)
    return fmt::format("the only one of the {} is the serial oracle's{}", what, within(tolerance));
  return fmt::format("all {} {} are the serial oracle's{}", seen, what, within(tolerance));
}

}  // namespace

std::string describe(const comparison_counts& counts, const std::string& what, const std::string& first) {
  if (!counts.same_vertices) {
    return fmt::format("the graphs differ: {} where the serial oracle has {}, or other ids",
                       base::counted(counts.seen, "vertex", "vertices"), counts.expected);
  }
  if (counts.different == 0) return describe_all(counts.seen, what, counts.tolerance);
  return fmt::format("{} of {} {} differ; {}", counts.different, counts.seen, what, first);
}

std::string describe_edges(std::size_t seen, std::size_t expected, const std::string& what,
                           double tolerance) {
  if (seen != expected)
    return fmt::format("{} where the serial oracle has {}", base::counted(seen, "edge"), expected);
  return describe_all(seen, what, tolerance);
}

}  // namespace orujo::internal::verify::detail
