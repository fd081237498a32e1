// Metrics and trace events of a program, which --print_metrics, --metrics_json and --trace_json show beside
// those of the runtime (docs/reference/metrics.md).
#pragma once

// IWYU pragma: begin_exports
#include "system/observe/metrics.hpp"
#include "system/observe/trace.hpp"
#include "system/report/merged_metrics.hpp"
#include "system/report/merged_traffic.hpp"
// IWYU pragma: end_exports

namespace orujo {

using observe::counter, observe::histogram, observe::summary;
using observe::trace_counter, observe::trace_instant, observe::trace_scope;
using report::merged_metrics, report::merged_traffic, report::reset_metrics;

}  // namespace orujo
