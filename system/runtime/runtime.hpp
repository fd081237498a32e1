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
// Parses the flags, starts the cores of this locale, runs `main_task` as a task on core 0 of the job (it may
// suspend), and returns the exit status of the job: that of the status main_task returned, whose message core
// 0 prints. Started by mpirun or srun, the process is one locale of many; otherwise it is the only one
// (--locales=N, for tests and trials: N locales in this process).
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
      0;  // of this locale; 0: the CPUs it may use, shared with the node's other locales that may use them
  bool pin = false;  // each core to a CPU, where there are enough
  std::size_t stack_bytes = 128 << 10;
  std::size_t main_stack_bytes = 8 << 20;
  std::uint64_t chaos_seed = 0;
  delegates::steal_scope steal = delegates::steal_scope::job;
  tasks::closure_checks check_closures = tasks::closure_checks::of_debug_sources;
  std::chrono::nanoseconds watchdog = std::chrono::seconds(60);  // its patience (watchdog.hpp); 0: none
  messages::messenger_options messenger;
  messages::parcel_options parcels;
};

// As the command line says; after the flags are parsed.
job_options options_from_flags();

// On stderr, in one line like the tools of the system: who, what, where, what to do.
void print_failure(const status& failure);

// What a locale's messages take at most, by its settings: blocks in flight to every core, and parcels.
struct message_memory {
  std::uint64_t blocks, parcels;
  std::uint64_t sum() const { return blocks + parcels; }
};
message_memory message_memory_of(locale_id locale, const job_shape& shape, const job_options& options);

// Runs one locale of a job on options.cores threads of its own until main_task, which runs on the first core
// of locale 0, has returned; returns its status's code at every locale. Core 0 prints what is wrong.
// Collective over the locales.
exit_status run_locale(transport::transport& link, const job_options& options,
                       const std::function<status()>& main_task);

// The same for a whole job of `locales` locales in this process over the loopback transport.
exit_status run_loopback(int locales, const job_options& options, const std::function<status()>& main_task);

// What those two are made of, for who has other ends.
struct job_life {
  // The main task: what it returns is the job's end.
  std::function<exit_status()> main;
  // On this thread, before its core runs: from then on nothing is refused any more.
  std::function<void(messages::messenger& first)> begins;
  // On this thread, when the cores have stopped, and are still there.
  std::function<void()> ends;
};
// What main returned, without a sentence; or why the job has not begun, the same at every locale. What only
// one locale finds amiss ends the process by fail(), which throws job_error where that is wanted (fatal.hpp).
status live(transport::transport& link, const job_options& options, const job_life& life);
// The same over the loopback transport; the calling thread is core 0's.
status live_in_process(int locales, const job_options& options, const job_life& life);

}  // namespace orujo::runtime
