// A line on the terminal that shows how far a long step is.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace orujo::observe {

// True when progress lines are wanted: --progress=on, or auto and stderr is a terminal (of the launcher,
// too).
bool progress_wanted();

// Rewrites one line on stderr at most ten times a second; erases it at the end. One at a time, used by one
// core.
class progress_line {
 public:
  progress_line();
  ~progress_line();
  progress_line(const progress_line&) = delete;

  // True when a new text would be shown now; saves making it otherwise.
  bool due() const;
  void show(std::string_view text);

 private:
  const bool wanted_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace orujo::observe
