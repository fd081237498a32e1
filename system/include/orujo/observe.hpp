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

using internal::observe::counter, internal::observe::histogram, internal::observe::summary;
using internal::observe::trace_counter, internal::observe::trace_instant, internal::observe::trace_scope;
using internal::report::merged_metrics, internal::report::merged_traffic, internal::report::reset_metrics;

}  // namespace orujo
