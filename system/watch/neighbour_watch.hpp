// Detects a stopped locale before its watchdog begins and after it has ended.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "system/base/identity.hpp"
#include "system/base/watcher.hpp"

namespace orujo::internal::watch {

// All processes wait for all others while MPI begins and ends, without a limit, and have no view of each
// other's pulses (watchdog.hpp). Before this process's watchdog begins, and after it has ended, a thread
// therefore checks the process of the next locale. It finds the process by its last word
// (base/last_word.hpp), and ends the job with 76 if the process has been stopped for `patience`. A slow
// process is not a stopped one. Processes on other nodes are not checked, nor any if no launcher asks for
// last words.
class neighbour_watch {
 public:
  // `patience` of 0: watches nothing.
  neighbour_watch(std::chrono::nanoseconds patience, locale_id me);
  neighbour_watch(const neighbour_watch&) = delete;

 private:
  // Returns "locale 3 (process 4711, T (stopped))", or an empty string.
  std::string stopped_neighbour() const;

  const std::chrono::nanoseconds patience_;
  const locale_id me_;
  std::optional<base::watcher> thread_;
};

}  // namespace orujo::internal::watch
