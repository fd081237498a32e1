// Detects that a job makes no progress: a locale is stopped or gone, a core is stuck, or all tasks wait.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "system/base/by_core.hpp"
#include "system/base/shape.hpp"
#include "system/base/watcher.hpp"
#include "system/node/pulse.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::watch {

// Measures the time for which something has made no progress. Pure, so that tests can drive it.
class stillness {
 public:
  // Call it at each check with a count that grows with progress. Returns the time without growth. A late
  // check adds `most` only, because the watchdog itself was stopped then.
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
// - with 76 if another locale gives no sign of life for `patience`. A running watchdog is the sign, so
//   locales whose cores compute for long are alive, and so is one that a debugger holds. The locales of a
//   node read each other's pulses in shared memory. The first locale of each node sends its node's pulse to
//   locale 0 by messages, and receives that of locale 0.
// - with 75 if every core of the job has had nothing to do for `patience`, though the main task has not
//   ended. If all are on one node at most 5 s are needed, because nothing is under way in shared memory for
//   that time. All cores report their tasks first.
// - with 75 if one of this locale's cores waits for a system lock for `patience` and uses no CPU time.
//
// It prints a line once, and the job goes on,
//
// - if a core waits for `patience` for anything else of the system, such as a disk.
// - if a core is busy for `patience`, and at least as many cores are at rest as are not. A busy core starts
//   no task, handles no message and has no turn without work. A task or a handler computes, or a task yields
//   repeatedly. A long computation cannot be distinguished from an endless loop.
//
// All times are of the monotonic clock. Time in which the watchdog itself does not run counts for little,
// because jobs may be stopped and continued. On one node the watchdog calls no MPI function but MPI_Abort.
class watchdog {
 public:
  // A `patience` of 0 watches nothing. Pulses are by locale, null if not visible. `exchange` sends the pulse
  // of this node to other nodes and receives theirs. It returns false if it cannot at the moment.
  using exchange = std::function<bool(const node::pulse& of_node)>;
  watchdog(std::chrono::nanoseconds patience, locale_id me, int cores, std::vector<node::pulse*> pulses,
           exchange with_nodes = {});
  ~watchdog();
  watchdog(const watchdog&) = delete;
  // True if a watchdog of this process runs.
  static bool any_lives() { return alive_.load() > 0; }
  static constexpr const char* advice = " (--watchdog_seconds, see docs/how_to/debugging.md)";
  // Call it when the cores have stopped: it tells other nodes not to wait for more pulses. Nothing is
  // exchanged afterwards.
  void leave();

 private:
  using duration = std::chrono::nanoseconds;
  struct core_watch {
    std::uint64_t idle_turns = 0, work = 0;
    stillness all;         // of these and the CPU time
    stillness progress;    // of these alone
    duration cpu_time{0};  // at their last growth
    bool told_stuck = false, told_busy = false;
  };
  struct stuck_core {
    std::int64_t number;
    enum class reason { lock, system, busy } by;
  };

  duration check();
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
  const by_locale<node::pulse*> pulses_;
  node::pulse& mine_;
  by_locale<stillness> peers_;
  std::map<std::int64_t, core_watch> by_core_;
  const exchange with_nodes_;  // empty if this locale does not speak for its node to others
  std::atomic<bool> heard_of_nodes_{false};
  std::mutex exchanging_;
  bool left_ = false;  // under that lock
  static inline std::atomic<int> alive_{0};
  std::chrono::steady_clock::time_point checked_;
  std::optional<base::watcher> thread_;
};

}  // namespace orujo::internal::watch
