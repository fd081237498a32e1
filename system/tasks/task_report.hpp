// Reports of all tasks: cores print them on request, and a debugger and the monitor find the tasks here.
#pragma once

#include <pthread.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "system/tasks/scheduler.hpp"

namespace orujo::tasks {

// A core whose scheduler runs. bin/gdb_tasks.py reads these fields: all are 8 bytes.
struct running_core {
  running_core* next;
  scheduler* core;
  std::int64_t locale, number;
  pthread_t thread;
  std::int64_t system_thread;  // gdb's LWP
};

// Registers the calling thread's core while it runs.
class core_registration {
 public:
  explicit core_registration(scheduler& core);
  ~core_registration();
  core_registration(const core_registration&) = delete;

 private:
  running_core here_;
};

// [any thread] Calls visit for every running core of this process. The cores continue to run, but none can
// end meanwhile.
void for_each_running_core(const std::function<void(const running_core&)>& visit);

// Lines for people that describe a stack: its functions, innermost first, without the scheduler's own.
std::vector<std::string> describe_frames(std::span<const void* const> codes);

// [any thread] Returns "[locale 3 core 1] ", or prints lines with that prefix by one write(2).
std::string core_prefix(std::int64_t locale, std::int64_t core);
void print_lines(const std::string& prefix, const std::vector<std::string>& lines);

}  // namespace orujo::tasks
