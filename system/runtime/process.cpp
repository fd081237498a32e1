#include "system/runtime/process.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <gflags/gflags.h>
#include <glog/logging.h>

#include <atomic>
#include <string>

#include "system/base/identity.hpp"

DECLARE_int32(locales);

namespace orujo::runtime {
namespace {

std::atomic<bool> job_lives{false};

// A process that MPI finds alone, or that no launcher known to MPI has started. Who gives --locales=1 means
// it.
status check_alone(const std::string& others) {
  if (others.empty() || !google::GetCommandLineFlagInfoOrDie("locales").is_default) return {};
  return {exit_status::usage,
          fmt::format(
              "{}, but MPI finds this process alone: each would run the whole job. Use the mpirun of the MPI "
              "that this program is built with, srun --mpi=pmix, or --locales=1 for jobs of one locale each",
              others)};
}

// Of programs that read one: people leave its flag out.
std::string flag_of_file(const std::string& argument) {
  gflags::CommandLineFlagInfo about;
  for (const char* const flag : {"graph", "input"}) {
    if (gflags::GetCommandLineFlagInfo(flag, &about))
      return fmt::format(", for a file --{}={}", flag, argument);
  }
  return {};
}

}  // namespace

process_of_job::process_of_job() : mine_(my_identity().core < 0 && !job_lives.exchange(true)) {}
process_of_job::~process_of_job() {
  if (mine_) job_lives = false;
}
status process_of_job::taken() const {
  if (mine_) return {};
  return {exit_status::misuse,
          "a job in a process that has one already, by orujo::run or a session: one must have ended before "
          "the next begins"};
}

void start_logging(int rank) {
  FLAGS_logtostderr = true;
  FLAGS_minloglevel = rank == 0 ? google::GLOG_INFO : google::GLOG_WARNING;
  if (!google::IsGoogleLoggingInitialized()) google::InitGoogleLogging(program_invocation_short_name);
}

status check_command_line(const parsed_flags& parsed, const transport::transport* link,
                          const transport::launch_facts& launch) {
  if (!parsed.arguments.empty()) {
    return {exit_status::usage, fmt::format("unexpected argument '{}': flags begin with --{}",
                                            parsed.arguments[0], flag_of_file(parsed.arguments[0]))};
  }
  if (link && FLAGS_locales > 1) {
    return {exit_status::usage, fmt::format("--locales={}: a launcher has started {} already; leave it out",
                                            FLAGS_locales, link->locales())};
  }
  if (!link || link->locales() == 1) return check_alone(launch.others);
  return {};
}

}  // namespace orujo::runtime
