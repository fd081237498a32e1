// A line on the terminal that shows how far a long step is.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace orujo::observe {

// True when progress lines are wanted: --progress=on, or auto and stderr is a terminal (of the launcher,
// too).
bool progress_wanted();

// A step of the job, told about where that is wanted: once it has lasted a second, a line on stderr says what
// it is, how far, for how long, and how much longer where that is known; it is rewritten a few times a second
// by a thread of its own, also while the step says nothing, and erased at the end. Of steps within steps the
// innermost that has a text is shown. With GLOG_v=1 a line of the log tells how long it took. Used by one
// core; the last one made ends first.
class progress_line {
 public:
  explicit progress_line(std::string text = {});
  ~progress_line();
  progress_line(const progress_line&) = delete;

  // True when a new text would be shown; saves making it otherwise. At most ten times a second.
  bool due() const;
  // done of total: of whatever the step counts; without total nothing is said of the time to come.
  void show(std::string text, std::uint64_t done = 0, std::uint64_t total = 0);

 private:
  friend class progress_writer;
  std::string line(std::chrono::steady_clock::time_point now) const;

  const bool wanted_;
  std::string text_;  // this and the next two under the writer's lock
  std::string first_text_;
  std::uint64_t done_ = 0, total_ = 0;
  const std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_;
};

// With GLOG_v=2: a line of the log about a superstep that is over.
void log_superstep(int number, bool pushed, std::uint64_t active, double seconds);

}  // namespace orujo::observe
