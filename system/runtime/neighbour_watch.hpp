// Notices a locale that is stopped while there is no watchdog yet, or none any more.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "system/base/identity.hpp"

namespace orujo::runtime {

// While MPI begins and ends, all wait for all, without an end, and nobody sees another one's pulse
// (watchdog.hpp). So until this process's watchdog lives, and when it has ended, a thread looks at the next
// locale's process, as its last word names it (base/last_word.hpp), and ends the job with 76 if that has been
// stopped for `patience`. One that is only slow is not stopped. Where no launcher asks for last words, and on
// other nodes, there is nothing to look at.
class neighbour_watch {
 public:
  // `patience` of 0: watches nothing.
  neighbour_watch(std::chrono::nanoseconds patience, locale_id me);
  ~neighbour_watch();
  neighbour_watch(const neighbour_watch&) = delete;

 private:
  void watch();
  // "locale 3 (process 4711, T (stopped))", or empty.
  std::string stopped_neighbour() const;

  const std::chrono::nanoseconds patience_;
  const locale_id me_;
  std::mutex lock_;
  std::condition_variable ends_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace orujo::runtime
