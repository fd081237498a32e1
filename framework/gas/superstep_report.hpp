// What a run tells of its supersteps: the line on the terminal, and with GLOG_v=2 one of the log for each.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>

#include "system/observe/progress.hpp"

namespace orujo::gas::detail {

// How much the last superstep changed, where the program says it; else less than 0.
template <class Program>
double change_of(const Program& program) {
  if constexpr (requires {
                  { program.change } -> std::convertible_to<double>;
                })
    return static_cast<double>(program.change);
  return -1;
}

// Of one run; tells at core 0 only.
class superstep_report {
 public:
  // most: supersteps; those of run_options.
  superstep_report(int most, std::uint64_t vertices);

  // [task] number: from 1 on; active: vertices; change: change_of().
  void begins(int number, std::uint64_t active, double change);
  // The one that has begun.
  void ends(bool pushed, std::uint64_t active);

 private:
  std::optional<observe::progress_line> line_;
  const int most_;
  const std::uint64_t vertices_;
  int number_ = 0;
  std::chrono::steady_clock::time_point begun_;
};

}  // namespace orujo::gas::detail
