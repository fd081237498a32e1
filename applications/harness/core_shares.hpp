// Work, waiting and traffic of the cores, for --stats_json (docs/reference/metrics.md has the keys).
#pragma once

#include <vector>

#include "system/base/json.hpp"

namespace orujo::internal::harness {

// [task; suspends] Members for an object at the end of a program: its supersteps, if it has any, the seconds
// that each core worked and waited in them, and the traffic between locales.
base::json told_of_job();

// Measures which cores worked and which waited from here to the call of finish(). Two messages per core each.
class core_meter {
 public:
  core_meter();                             // [task; suspends]
  base::json finish(double seconds) const;  // [task; suspends] as in told_of_job()

 private:
  std::vector<double> before_;  // seconds waited, by core
};

}  // namespace orujo::internal::harness
