// Notices that a job stands still: a locale that is stopped or gone, a core that is stuck, or tasks that all
// wait.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "system/base/shape.hpp"
#include "system/machine/pulse.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::runtime {

// What stands still, and for how long. Pure, so that tests can drive it.
class stillness {
 public:
  // At a look at something whose count grows as long as it lives: how long it has not. A look that comes
  // later than it should counts for `most`: who looks has stood still itself.
  std::chrono::nanoseconds look(std::uint64_t count, std::chrono::nanoseconds since_last_look,
                                std::chrono::nanoseconds most) {
    still_ += std::min(since_last_look, most);
    if (count != count_) still_ = std::chrono::nanoseconds(0);
    count_ = count;
    return still_;
  }
  std::chrono::nanoseconds still() const { return still_; }

 private:
  std::uint64_t count_ = 0;
  std::chrono::nanoseconds still_{0};
};

// A thread beside a locale's cores that ends the job
//
// - with 76 where another locale gives no sign of life for `patience`. A sign is that its watchdog runs:
//   locales whose cores compute for ever so long are alive, and so is one that a debugger holds. The locales
//   of a node see each other's pulses in shared memory. The first of each node tells locale 0 that of its
//   node by messages, and is told locale 0's;
// - with 75 where every core of the job has had nothing to do for `patience`, or 5 s where that is less and
//   all are on one node, though the main task has not ended: in shared memory nothing is on its way for so
//   long. All cores print where their tasks are first;
// - with 75 where one of this locale's cores waits for a lock of the system's for `patience` and uses no CPU
//   time.
//
// It prints a line once, and the job goes on,
//
// - where a core waits so long for anything else of the system, a disk say;
// - where a core is busy for `patience`, and at least as many cores are at rest as are not. A busy core
// begins
//   no task, handles no message and has no turn without work: a task or a handler computes, or a task yields
//   again and again. A long computation cannot be told from a loop without end.
//
// All times are of the monotonic clock, and what passes while the watchdog itself does not run counts for
// little: jobs may be stopped and continued. On one node it calls no MPI but MPI_Abort.
class watchdog {
 public:
  // `patience` of 0: watches nothing. Pulses by locale, null where they cannot be seen.
  // `exchange` passes on what other nodes are to know, and takes what they say; false if now is no time for
  // it.
  using exchange = std::function<bool(const machine::pulse& of_node)>;
  watchdog(std::chrono::nanoseconds patience, locale_id me, int cores, std::vector<machine::pulse*> pulses,
           exchange with_nodes = {});
  ~watchdog();
  watchdog(const watchdog&) = delete;
  // Of this process.
  static bool any_lives() { return alive_.load() > 0; }
  static constexpr const char* advice = " (--watchdog_seconds, see docs/how_to/debugging.md)";
  // The cores have stopped: other nodes are told not to wait for more. Nothing is exchanged afterwards.
  void leave();

 private:
  using duration = std::chrono::nanoseconds;
  struct core_watch {
    std::uint64_t idle_turns = 0, work = 0;
    stillness all;         // those, and its CPU time
    stillness progress;    // those alone
    duration cpu_time{0};  // when those last grew
    bool told_stuck = false, told_busy = false;
  };
  struct stuck_core {
    std::int64_t number;
    enum class reason { lock, system, busy } by;
  };

  void watch();
  bool ended_within(duration time) const;
  void look_at_cores(duration since);
  bool most_wait(int cores_at_rest) const;
  static bool is_at_rest(const tasks::scheduler& core, core_watch& before);
  void tell_of(const std::vector<stuck_core>& stuck);
  void look_at_peers(duration since);
  void look_at_job();
  void hear_of_nodes(duration most, bool leaving = false);
  void answer();
  template <class F>
  void await(const F& holds, duration most);
  void print_reports();

  const duration patience_, period_;
  const locale_id me_;
  const int cores_;
  const std::vector<machine::pulse*> pulses_;
  machine::pulse& mine_;
  std::vector<stillness> peers_;
  std::map<std::int64_t, core_watch> by_core_;
  const exchange with_nodes_;  // empty where this locale does not speak for its node to others
  std::atomic<bool> heard_of_nodes_{false};
  std::mutex exchanging_;
  bool left_ = false;  // under that lock
  int ending_ = -1;    // an event descriptor
  static inline std::atomic<int> alive_{0};
  std::thread thread_;
};

}  // namespace orujo::runtime
