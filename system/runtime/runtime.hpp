// A job's life: flags, processes and cores, the main task, the end.
#pragma once

#include <functional>
#include <string>
#include <type_traits>

#include "system/base/status.hpp"
#include "system/runtime/job_options.hpp"
#include "system/transport/transport.hpp"

namespace orujo::internal::runtime {

// Runs a job; main() of a program returns its result:
//   int main(int argc, char** argv) {
//     return orujo::run(argc, argv, "what it does", [] { ...; return orujo::status(); });
//   }
// It parses the flags and starts the cores of this locale. Then it runs `main_task` as a task on core 0 of
// the job, where it may suspend. The result is the exit status of the job: that of the status main_task
// returned, whose message core 0 prints. A process started by mpirun or srun is one locale of many. Any other
// is the only one, and --locales=N puts N locales in it, for tests and trials.
int run(int argc, char** argv, const std::string& usage, const std::function<status()>& main_task);

// Not for callers: refuses main tasks of other types, in a sentence.
template <class F>
  requires(std::is_invocable_v<F&> && !std::is_convertible_v<F, std::function<status()>>)
int run(int, char**, const std::string&, F&&) {
  static_assert(
      std::is_invocable_r_v<status, F&>,
      "the main task of a job returns orujo::status, which becomes the job's exit status: end it with "
      "`return orujo::status();`");
  return 0;
}

// On stderr, in one line like the tools of the system: who, what, where, what to do.
void print_failure(const status& failure);

// Runs one locale of a job on options.cores threads of its own, until main_task has returned. The task runs
// on the first core of locale 0. Returns its status's code at every locale; core 0 prints its message.
// Collective over the locales.
exit_status run_locale(transport::transport& link, const job_options& options,
                       const std::function<status()>& main_task);

// The same for a whole job of `locales` locales in this process over the loopback transport.
exit_status run_loopback(int locales, const job_options& options, const std::function<status()>& main_task);

}  // namespace orujo::internal::runtime

namespace orujo {
using internal::runtime::run;
}
