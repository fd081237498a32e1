// The step logs of all cores, put together (system/observe/step_log.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "system/observe/step_log.hpp"

namespace orujo::internal::report {

// [task; suspends] Starts an empty log at every core.
void begin_step_logs();

// Figures over the cores that took part.
struct merged_step {
  observe::step what;
  double seconds = 0;  // of the calling core
  double mean_busy = 0, most_busy = 0;
  double mean_waited = 0, most_waited = 0;
};

struct merged_steps {
  std::vector<merged_step> steps;
  std::uint64_t left_out = 0;        // supersteps that were not recorded
  std::vector<double> busy, waited;  // seconds in all supersteps, by core
};

// [task; suspends] Ends the logs and returns them merged. Call it from the core whose tasks start the
// supersteps. Costs two messages per core, and more for many supersteps.
merged_steps end_step_logs();

// [task; suspends] Seconds that each core has waited since the job began, by core. Costs two messages per
// core.
std::vector<double> waited_by_core();

}  // namespace orujo::internal::report
