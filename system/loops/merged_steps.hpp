// The step logs of all cores, put together (system/observe/step_log.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "system/observe/step_log.hpp"

namespace orujo::loops {

// [task; suspends] Every core begins an empty log.
void begin_step_logs();

// Over the cores that took part.
struct merged_step {
  observe::step what;
  double seconds = 0;  // of the calling core
  double mean_busy = 0, most_busy = 0;
  double mean_waited = 0, most_waited = 0;
};

struct merged_steps {
  std::vector<merged_step> steps;
  std::uint64_t left_out = 0;        // further ones, of which nothing was kept
  std::vector<double> busy, waited;  // seconds in all of these, by core
};

// [task; suspends] What the logs have; they end with it. From the core whose tasks begin the supersteps. Two
// messages per core, and more for many supersteps.
merged_steps end_step_logs();

// [task; suspends] How long each core has waited since the job began, in seconds, by core. Two messages per
// core.
std::vector<double> waited_by_core();

}  // namespace orujo::loops
