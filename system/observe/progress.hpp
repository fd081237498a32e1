// A line on the terminal that shows the progress of a long step.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace orujo::internal::observe {

// True if progress lines are wanted: --progress=on, or auto with stderr (or the launcher's) a terminal.
// Or auto with a reader of progress_text().
bool progress_wanted();

// Any thread, between steps. For programs that show the line elsewhere than on a terminal, such as a
// notebook: from then on lines are kept for progress_text() and not written to stderr.
void keep_progress_text(bool keep);
// Any thread. The line of the innermost step that has lasted a second; empty if there is none.
std::string progress_text();

// A step of the job with a progress line. Once the step has lasted a second, a line on stderr shows its name,
// its progress, its time so far, and the remaining time if that is known. A thread of its own rewrites the
// line a few times a second, also while the step reports nothing, and erases it at the end. Among nested
// steps the innermost with a text is shown. With GLOG_v=1 a line of the log has the duration. One core uses
// it, and the last line created ends first.
class progress_line {
 public:
  explicit progress_line(std::string text = {});
  ~progress_line();
  progress_line(const progress_line&) = delete;

  // True if a new text would be shown, at most ten times a second. It saves the cost of unused texts.
  bool due() const;
  // `done` and `total` are in any unit. Without a total the remaining time is not shown.
  void show(std::string text, std::uint64_t done = 0, std::uint64_t total = 0);

 private:
  friend class progress_writer;
  std::string line(std::chrono::steady_clock::time_point now, std::size_t width) const;

  const bool wanted_;
  std::string text_;  // the writer's lock protects this and the next two
  std::string first_text_;
  std::uint64_t done_ = 0, total_ = 0;
  const std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_;
};

// Writes a line to the log for a superstep that has ended, with GLOG_v=2.
void log_superstep(int number, bool pushed, std::uint64_t active, double seconds);

}  // namespace orujo::internal::observe
