// Reports of every program about its job, on request: settings at the start, metrics at the end.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "system/base/status.hpp"

namespace orujo::internal::report {

// Computed values that belong to the settings: name, and amount with its unit.
using settings_table = std::vector<std::pair<std::string, std::string>>;

// With --print_settings, prints all flags of the project with their values to stderr, then the table and the
// machine's measures. Warns once per process if the measures of the machine are ignored.
void print_settings(const settings_table& computed);

// Prints a value that is found later, from one core; value() is called only if it is printed.
void tell_setting(const std::string& name, const std::function<std::string()>& value);

// [task; suspends; on core 0] Runs main_task, with --trace_json under a trace (job_trace.hpp). Afterwards
// --metrics_json writes the job's metrics to a file, and --print_metrics prints them to stderr. Fails before
// main_task with usage if two flags name a file that one of them writes (file_flags.hpp), and with io_error
// if a file cannot be written. Writes nothing if main_task rejects its flags, input or checkpoint.
status run_with_reports(const std::function<status()>& main_task);

}  // namespace orujo::internal::report
