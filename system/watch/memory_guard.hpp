// Ends the job with a message just before the system would kill it for lack of memory.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "system/base/shape.hpp"
#include "system/base/watcher.hpp"

namespace orujo::internal::watch {

// The rate at which a process uses the remaining memory, check by check. Pure, so that tests can drive it.
class memory_pace {
 public:
  // At a check: `left` is the remaining bytes, `taken` the bytes that the process has taken, counted from any
  // start. Returns true if the remaining bytes will not last until the check after next at the current rate.
  // A process that takes little is left alone however little remains, because it has what it needs.
  bool runs_out(std::uint64_t left, std::uint64_t taken);
  std::uint64_t grown() const { return grown_; }  // since the previous check
  // Time to the next check, long before a process with `threads` threads can take the remaining memory.
  static std::chrono::milliseconds until_next_look(std::uint64_t left, int threads);

 private:
  bool looked_ = false;
  std::uint64_t left_ = 0, taken_ = 0, grown_ = 0;
};

// A thread that checks the memory left by the node and the control groups. From 64 MiB on it also checks
// --memory_budget_bytes, for the memory that the process takes beyond its size at the start. It ends the job
// with no_resource before the kernel kills the process, whatever the memory is for: stacks, arrays or
// libraries. It does nothing under the sanitizers, which take memory of their own. A check costs 0.1 ms at
// most. There is one every millisecond if memory is short, and two a second if there is plenty. The thread
// has priority over all others if the system allows it.
class memory_guard {
 public:
  // `me` is the locale in messages. Several locales are in one process if they are its threads.
  explicit memory_guard(locale_id me = 0, int locales_of_process = 1);
  memory_guard(const memory_guard&) = delete;

 private:
  std::chrono::milliseconds check();
  std::uint64_t left(std::uint64_t taken) const;

  const std::uint64_t budget_, at_first_;
  const int threads_;
  memory_pace pace_;
  bool outranks_ = false;
  std::optional<base::watcher> thread_;
};

}  // namespace orujo::internal::watch
