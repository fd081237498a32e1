// What every program tells about its job when asked: settings at the start, metrics at the end.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "system/base/status.hpp"

namespace orujo::runtime {

// Computed values that belong to the settings: what, and how much of which unit.
using settings_table = std::vector<std::pair<std::string, std::string>>;

// With --print_settings: all flags of the project with their values, then the table and what is known of this
// machine, on stderr. Warns where the machine's measures are passed over, once per process.
void print_settings(const settings_table& computed);

// The same for a value that is found later, from one core; value() is called only where it is told.
void tell_setting(const std::string& name, const std::function<std::string()>& value);

// [task; suspends; on core 0] Runs main_task, with --trace_json under a trace (job_trace.hpp); then with
// --metrics_json writes the job's metrics to the file, and with --print_metrics to stderr. Before main_task
// fails with usage where two flags name a file that one of them writes (file_flags.hpp), and with io_error
// where a file cannot be written. Writes nothing where main_task refuses its flags, input or checkpoint.
status run_with_reports(const std::function<status()>& main_task);

}  // namespace orujo::runtime
