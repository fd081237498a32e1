// The curves of a trace: samples of every core's state (docs/reference/metrics.md#trace-events).
#pragma once

#include <memory>

#include "system/delegates/completion_event.hpp"

namespace orujo::internal::report {

// A task per core, while there is a trace, that samples every millisecond, or as soon after as the core lets
// others run. A sample has the number of ready tasks, and of messages sent and handled since the last one.
// The first core of a locale adds the memory of its process.
class trace_samples {
 public:
  // [task; suspends] After begin_trace_here() at all cores.
  void begin();
  // [task; suspends] After end_trace_here() at all cores. Takes a millisecond.
  void end();

 private:
  std::unique_ptr<delegates::completion_event> over_;
};

}  // namespace orujo::internal::report
