// The metrics of all cores of the job (system/observe/metrics.hpp).
#pragma once

#include "system/observe/metrics.hpp"

namespace orujo::internal::report {

// [task; suspends] The metrics of all cores, merged. Each core answers with its values when it is asked; all
// are asked at once. Only the caller takes part, so this works at any time. Costs one message each way and
// one more per 4 KiB.
observe::metric_values merged_metrics();

// [task; suspends] Sets all metrics of all cores to zero, and the traffic of merged_traffic(). A message
// under way meanwhile counts at one end only.
void reset_metrics();

}  // namespace orujo::internal::report
