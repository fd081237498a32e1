// The clock of layout_lab.
#pragma once

#include <ctime>

namespace orujo::internal::layout_lab {

// CPU time of the calling thread, which may have to share its processor.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace orujo::internal::layout_lab
