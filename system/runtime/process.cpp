#include "system/runtime/process.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <gflags/gflags.h>
#include <glog/logging.h>
#include <pthread.h>
#include <stdlib.h>

#include <atomic>
#include <string>

#include "system/base/fatal.hpp"
#include "system/base/identity.hpp"
#include "system/base/task_name.hpp"
#include "system/files/replacement_file.hpp"
#include "system/tasks/scheduler.hpp"

DECLARE_int32(locales);

namespace orujo::internal::runtime {
namespace {

std::atomic<bool> job_lives{false}, main_waits{false};

// Statuses that a process can pass on through MPI_Abort; 0 would look like success.
exit_status status_of_exit(int given) {
  return given > 0 && given < 126 ? static_cast<exit_status>(given) : exit_status::broken_invariant;
}

// False before the cores run, because an MPI that cannot begin prints its own message.
bool is_amid_job() {
  if (base::is_core()) return true;
  bool any_core = false;
  if (main_waits) tasks::for_each_running_core([&](const tasks::running_core&) { any_core = true; });
  return any_core;
}

void on_process_exit(int given, void*) {
  if (!job_lives || base::is_failing() || !is_amid_job()) return;
  const std::string task = base::name_of_task();
  base::fail(status_of_exit(given),
             fmt::format("exit({}) in the middle of the job: return a status from the main task instead{}",
                         given, task.empty() ? "" : fmt::format(" ({})", task)));
}

void in_forked_child() {
  if (!job_lives.exchange(false)) return;
  tasks::scheduler::leave_job_in_child();
  base::leave_job_in_child();
  files::leave_replacement_files();
  base::set_abort_hook(nullptr);
}

void watch_process() {
  static const bool watched = [] {
    ::on_exit(&on_process_exit, nullptr);
    pthread_atfork(nullptr, nullptr, &in_forked_child);
    return true;
  }();
  (void)watched;
}

// Refuses a process that MPI finds alone, although a launcher has started several, or that was started by a
// launcher unknown to MPI. A user who passes --locales=1 intends that.
status check_alone(const std::string& others) {
  if (others.empty() || !google::GetCommandLineFlagInfoOrDie("locales").is_default) return {};
  return {exit_status::usage,
          fmt::format(
              "{}, but MPI sees only this process: each would run the whole job. Use the mpirun of the MPI "
              "that this program is built with, srun --mpi=pmix, or --locales=1 for jobs of one locale each",
              others)};
}

// The flag that people forget, in programs that read a file.
std::string flag_of_file(const std::string& argument) {
  gflags::CommandLineFlagInfo about;
  for (const char* const flag : {"graph", "input"}) {
    if (gflags::GetCommandLineFlagInfo(flag, &about))
      return fmt::format(", for a file --{}={}", flag, argument);
  }
  return {};
}

}  // namespace

process_of_job::process_of_job(main_thread has)
    : mine_(!base::is_forked_child() && !base::is_core() && !job_lives.exchange(true)) {
  if (!mine_) return;
  watch_process();
  main_waits = has == main_thread::waits_for_job;
}
process_of_job::~process_of_job() {
  if (mine_) job_lives = false;
}
status process_of_job::taken() const {
  if (mine_) return {};
  if (base::is_forked_child())
    return {exit_status::misuse,
            "a job in a process that one with a job has forked: it shares that job's MPI. Call exec in the "
            "child"};
  return {exit_status::misuse,
          "a job in a process that has one already, by orujo::run or a session: one must have ended before "
          "the next begins"};
}

void start_logging(int rank) {
  FLAGS_logtostderr = true;
  FLAGS_minloglevel = rank == 0 ? google::GLOG_INFO : google::GLOG_WARNING;
  if (!google::IsGoogleLoggingInitialized()) google::InitGoogleLogging(program_invocation_short_name);
}

status check_command_line(const base::parsed_flags& parsed, const transport::transport* link,
                          const transport::launch_facts& launch) {
  if (!parsed.arguments.empty()) {
    return {exit_status::usage, fmt::format("unexpected argument '{}': flags begin with --{}",
                                            parsed.arguments[0], flag_of_file(parsed.arguments[0]))};
  }
  if (link && FLAGS_locales > 1) {
    return {exit_status::usage, fmt::format("--locales={}: a launcher has started {} already; remove it",
                                            FLAGS_locales, link->locales())};
  }
  if (!link || link->locales() == 1) return check_alone(launch.others);
  return {};
}

}  // namespace orujo::internal::runtime
