// Metrics and trace events of a program, which --print_metrics, --metrics_json and --trace_json show beside
// those of the runtime (docs/reference/metrics.md).
#pragma once

// IWYU pragma: begin_exports
#include "system/loops/merged_metrics.hpp"
#include "system/loops/merged_traffic.hpp"
#include "system/observe/metrics.hpp"
#include "system/observe/trace.hpp"
// IWYU pragma: end_exports

namespace orujo {

using loops::merged_metrics, loops::merged_traffic, loops::reset_metrics;
using observe::counter, observe::histogram, observe::summary;
using observe::trace_counter, observe::trace_instant, observe::trace_scope;

}  // namespace orujo
