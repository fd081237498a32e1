// The metrics of all cores of the job (system/observe/metrics.hpp).
#pragma once

#include "system/observe/metrics.hpp"

namespace orujo::loops {

// [task; suspends] Every core's metrics as they are when asked, merged in the order of cores; asks all at a
// time, one message each way and one more per 4 KiB. Only the caller takes part, so this works at any time.
observe::metric_values merged_metrics();

// [task; suspends] Sets all metrics of all cores to zero, and the traffic (merged_traffic.hpp): a
// message under way meanwhile counts at one end only.
void reset_metrics();

}  // namespace orujo::loops
