// The metrics of all cores of the job (system/observe/metrics.hpp).
#pragma once

#include "system/observe/metrics.hpp"

namespace orujo::loops {

// [task; suspends] Returns every core's metrics at the time of its answer, merged in the order of cores. All
// cores are asked at a time, by one message each way and one more per 4 KiB. Only the caller takes part, so
// this works at any time.
observe::metric_values merged_metrics();

// [task; suspends] Sets all metrics and the traffic (merged_traffic.hpp) of all cores to zero. A message
// under way meanwhile counts at one end only.
void reset_metrics();

}  // namespace orujo::loops
