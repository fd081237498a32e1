// Reports the supersteps of a run: a line on the terminal, and with GLOG_v=2 a line of the log for each.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>

#include "system/observe/progress.hpp"

namespace orujo::internal::gas::detail {

// The change in the last superstep, if the program has a member `change`; else less than 0.
template <class Program>
double change_of(const Program& program) {
  if constexpr (requires {
                  { program.change } -> std::convertible_to<double>;
                })
    return static_cast<double>(program.change);
  return -1;
}

// The number of supersteps that the run will have, if the program has a member planned_supersteps() that
// returns it; 0 if it is unknown.
template <class Program>
int planned_of(const Program& program) {
  if constexpr (requires {
                  { program.planned_supersteps() } -> std::convertible_to<int>;
                })
    return program.planned_supersteps();
  return 0;
}

// Reports one run, at core 0 only.
class superstep_report {
 public:
  // The argument `most` is run_options.most_supersteps, and `planned` is planned_of().
  superstep_report(int most, int planned, std::uint64_t vertices);

  // [task] Numbers start at 1. `active` counts vertices, and `change` is that of change_of().
  void begins(int number, std::uint64_t active, double change);
  // Ends the superstep that begins() has begun.
  void ends(bool pushed, std::uint64_t active);

 private:
  std::optional<observe::progress_line> line_;
  const int most_, planned_;
  const std::uint64_t vertices_;
  int number_ = 0;
  std::chrono::steady_clock::time_point begun_;
};

}  // namespace orujo::internal::gas::detail
