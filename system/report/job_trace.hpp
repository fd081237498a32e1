// The trace of a whole job: begun on all cores, gathered and written by core 0 at the end.
#pragma once

#include <utility>

#include "system/base/by_core.hpp"
#include "system/base/shape.hpp"
#include "system/base/status.hpp"
#include "system/files/output_file.hpp"
#include "system/observe/trace_json.hpp"
#include "system/report/trace_samples.hpp"

namespace orujo::internal::report {

// Used on core 0, by the main task. Has no effect without --trace_json. Takes --trace_events_per_core times
// 56 bytes on every core. Gathering takes a few MiB on core 0, and half of that on the core that sends its
// trace.
class job_trace {
 public:
  // Returns io_error if the file cannot be written.
  static result<job_trace> open();
  // [task; suspends] Compares the locales' clocks, then has all cores record.
  void begin();
  // [task; suspends] Ends the recording on all cores.
  void end();
  // [task; suspends] Call it after end(). Compares the clocks again and writes the file, or returns io_error.
  // Reports the number of dropped events.
  status write();

 private:
  explicit job_trace(files::output_file file) : file_(std::move(file)) {}
  void write_header();
  void write_core(core_id core, const observe::trace_clock& clock);

  files::output_file file_;
  trace_samples samples_;
  by_locale<observe::clock_point> at_begin_, at_end_;
  by_core<std::uint64_t> dropped_;  // events, by core
  std::uint64_t origin_ = 0;        // in ticks of this core
};

}  // namespace orujo::internal::report
