// Jobs that write checkpoints and jobs that go on from them, one after the other in this process.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "system/checkpoint/settings.hpp"
#include "system/runtime/runtime.hpp"

namespace orujo::internal::checkpoint {

struct split {
  int locales, cores;
};

// The status of the job whose main task this is.
inline exit_status run_job(split on, const settings& how, const std::function<status()>& main_task) {
  use(how);
  runtime::job_options options;
  options.cores = on.cores;
  options.check_closures = tasks::closure_checks::all;
  const exit_status ended = runtime::run_loopback(on.locales, options, main_task);
  use({});
  return ended;
}

// Runs a job, and expects that it ends well.
inline void expect_job(split on, const settings& how, const std::function<void()>& main_task) {
  EXPECT_EQ(run_job(on, how,
                    [&] {
                      main_task();
                      return status();
                    }),
            exit_status::ok);
}

}  // namespace orujo::internal::checkpoint
