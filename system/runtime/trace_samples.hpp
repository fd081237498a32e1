// The curves of a trace: what every core is at now and then (docs/how_to/debugging.md#trace).
#pragma once

#include <memory>

#include "system/delegates/completion_event.hpp"

namespace orujo::runtime {

// While there is a trace, a task per core that looks every millisecond, or as soon after as the core lets
// others run: tasks that could run, messages that it has sent and handled since, and, at the first core of a
// locale, how much memory its process has.
class trace_samples {
 public:
  // [task; suspends] After begin_trace_here() at all cores.
  void begin();
  // [task; suspends] After end_trace_here() at all cores. Takes a millisecond.
  void end();

 private:
  std::unique_ptr<delegates::completion_event> over_;
};

}  // namespace orujo::runtime
