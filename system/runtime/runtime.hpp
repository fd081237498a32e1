// A job's life: flags, processes and cores, the main task, the end.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <type_traits>

#include "system/base/shape.hpp"
#include "system/base/status.hpp"
#include "system/delegates/stealing.hpp"
#include "system/messages/messenger.hpp"
#include "system/messages/parcels.hpp"
#include "system/tasks/check_closure.hpp"
#include "system/tasks/scheduler.hpp"
#include "system/transport/transport.hpp"

namespace orujo {

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

}  // namespace orujo

namespace orujo::runtime {

struct job_options {
  int cores =
      0;  // of this locale. 0: the CPUs it may use, shared with other locales of the node that may use them
  bool pin = false;  // each core to a CPU, where there are enough
  std::size_t stack_bytes = 128 << 10;
  std::size_t main_stack_bytes = 8 << 20;
  std::uint64_t chaos_seed = 0;
  delegates::steal_scope steal = delegates::steal_scope::job;
  tasks::closure_checks check_closures = tasks::closure_checks::of_debug_sources;
  std::chrono::nanoseconds watchdog = std::chrono::seconds(60);  // its patience (watchdog.hpp), or 0 for none
  messages::messenger_options messenger;
  messages::parcel_options parcels;
};

// As the command line says; after the flags are parsed.
job_options options_from_flags();

// On stderr, in one line like the tools of the system: who, what, where, what to do.
void print_failure(const status& failure);

// Memory limits of a locale's messages under its settings: blocks in flight to every core, and parcels.
struct message_memory {
  std::uint64_t blocks, parcels;
  std::uint64_t sum() const { return blocks + parcels; }
};
message_memory message_memory_of(locale_id locale, const job_shape& shape, const job_options& options);

// Runs one locale of a job on options.cores threads of its own, until main_task has returned. The task runs
// on the first core of locale 0. Returns its status's code at every locale; core 0 prints its message.
// Collective over the locales.
exit_status run_locale(transport::transport& link, const job_options& options,
                       const std::function<status()>& main_task);

// The same for a whole job of `locales` locales in this process over the loopback transport.
exit_status run_loopback(int locales, const job_options& options, const std::function<status()>& main_task);

// The parts of these two, for callers that begin and end a job in other ways.
struct job_life {
  // The main task, whose result is the job's end.
  std::function<exit_status()> main;
  // On this thread, before its core runs: from then on nothing can be refused.
  std::function<void(messages::messenger& first)> begins;
  // On this thread, when the cores have stopped, and are still there.
  std::function<void()> ends;
};
// Returns the code of main, without a message, or the reason why the job has not begun, the same at every
// locale. A fault of one locale only ends the process by fail(), or throws job_error if that is wanted
// (fatal.hpp).
status live(transport::transport& link, const job_options& options, const job_life& life);
// The same over the loopback transport; the calling thread is core 0's.
status live_in_process(int locales, const job_options& options, const job_life& life);

}  // namespace orujo::runtime
