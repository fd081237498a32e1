// A job in a child process of its own, for tests of how jobs end.
#pragma once

#include <cstdlib>

#include "system/base/fatal.hpp"
#include "system/runtime/runtime.hpp"

namespace orujo::internal::runtime {

// Runs `main_task` on core 0 of a job of two locales, and ends the process as main() would.
[[noreturn]] inline void end_as_job(status (*main_task)(), int cores_of_locale = 1) {
  base::install_fatal_handlers();
  job_options options;
  options.cores = cores_of_locale;
  std::_Exit(static_cast<int>(run_loopback(2, options, main_task)));
}

}  // namespace orujo::internal::runtime
