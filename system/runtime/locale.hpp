// One locale of a job: its cores, and what they share.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "system/base/status.hpp"
#include "system/collectives/meeting.hpp"
#include "system/machine/topology.hpp"
#include "system/memory/heap_segments.hpp"
#include "system/messages/post_office.hpp"
#include "system/node/alarms.hpp"
#include "system/runtime/agreed_job.hpp"
#include "system/runtime/core.hpp"
#include "system/runtime/core_threads.hpp"
#include "system/transport/transport.hpp"
#include "system/watch/watchdog.hpp"

namespace orujo::internal::runtime {

// How a job begins and ends.
struct job_life {
  // The main task, whose result is the job's end.
  std::function<exit_status()> main;
  // On this thread, before its core runs: from then on nothing can be refused.
  std::function<void(messages::messenger& first)> begins;
  // On this thread, when the cores have stopped, and are still there.
  std::function<void()> ends;
};

// Its cores have threads from the begin on, and run in run().
class locale {
 public:
  // Collective over the locales. no_resource if the system has no thread for a core.
  locale(transport::transport& link, agreed_job agreed);
  locale(const locale&) = delete;

  // Once: runs the cores, the first of them on the calling thread, until the main task has returned. Returns
  // the job's status. Collective over the locales.
  exit_status run(const job_life& life);

 private:
  std::vector<std::unique_ptr<core>> make_cores();
  void run_core(std::size_t core_of_locale);

  transport::transport& link_;
  const agreed_job job_;
  const int cores_here_;
  const node::alarms alarms_;
  const memory::heap_segments segments_;
  messages::post_office post_;
  collectives::meeting meeting_;
  std::vector<std::unique_ptr<core>> cores_;
  const std::vector<int> cpus_;  // by core; empty if cores are not bound to CPUs
  const std::vector<machine::core_place> places_;
  core_threads threads_;
  watch::watchdog watchdog_;
};

// Returns the code of main, without a message, or the reason why the job has not begun, the same at every
// locale. A fault of one locale only ends the process by fail(), or throws job_error if that is wanted
// (fatal.hpp).
status live(transport::transport& link, const job_options& options, const job_life& life);
// The same over the loopback transport; the calling thread is core 0's.
status live_in_process(int locales, const job_options& options, const job_life& life);

}  // namespace orujo::internal::runtime
