// A process's life: flags, logging, MPI where a launcher has started it.
#include "system/runtime/runtime.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <gflags/gflags.h>
#include <glog/logging.h>

#include "system/base/fatal.hpp"
#include "system/base/flags.hpp"
#include "system/base/identity.hpp"
#include "system/base/last_word.hpp"
#include "system/base/standard_output.hpp"
#include "system/runtime/signals.hpp"
#include "system/runtime/task_monitor.hpp"
#include "system/transport/launch.hpp"
#include "system/transport/mpi.hpp"

DECLARE_int32(locales);
DECLARE_uint64(chaos_seed);

namespace orujo::runtime {
namespace {

void start_logging(int rank) {
  FLAGS_logtostderr = true;
  FLAGS_minloglevel = rank == 0 ? google::GLOG_INFO : google::GLOG_WARNING;
  if (!google::IsGoogleLoggingInitialized()) google::InitGoogleLogging(program_invocation_short_name);
}

// A process that MPI finds alone, or that no launcher known to MPI has started. Who gives --locales=1 means
// it.
status check_alone() {
  const std::string others = transport::launched_with_others();
  if (others.empty() || !google::GetCommandLineFlagInfoOrDie("locales").is_default) return {};
  return {exit_status::usage,
          fmt::format(
              "{}, but MPI finds this process alone: each would run the whole job. Use the mpirun of the MPI "
              "that this program is built with, srun --mpi=pmix, or --locales=1 for jobs of one locale each",
              others)};
}

// What parsing alone does not find.
status check_command_line(const parsed_flags& parsed, const transport::transport* link) {
  if (!parsed.arguments.empty()) {
    return {exit_status::usage,
            fmt::format("unexpected argument '{}': flags begin with --", parsed.arguments[0])};
  }
  if (link && FLAGS_locales > 1) {
    return {exit_status::usage, fmt::format("--locales={}: a launcher has started {} already; leave it out",
                                            FLAGS_locales, link->locales())};
  }
  if (!link || link->locales() == 1) return check_alone();
  return {};
}

exit_status run_parsed(const result<parsed_flags>& parsed, const std::string& usage,
                       transport::transport* link, const std::function<status()>& main_task) {
  const bool speaks = (link && link->locales() > 1 ? link->locale() : transport::launched_rank()) == 0;
  const bool help = parsed.ok() && parsed.value().help;
  if (help && speaks) print(help_text(usage, parsed.value().help_full));
  status mistake = parsed.ok() ? check_command_line(parsed.value(), link) : parsed.status();
  if (help) mistake = finish_standard_output();
  if (!mistake.ok() && speaks) print_failure(mistake);
  if (!mistake.ok() || help) return mistake.code();
  if (link) return run_locale(*link, options_from_flags(), main_task);
  return run_loopback(FLAGS_locales, options_from_flags(), main_task);
}

}  // namespace

}  // namespace orujo::runtime

namespace orujo {

int run(int argc, char** argv, const std::string& usage, const std::function<status()>& main_task) {
  reserve_standard_descriptors();
  const result<parsed_flags> parsed = parse_flags(argc, argv);
  const bool launched = transport::launched_by_mpi();
  const int rank = launched ? transport::launched_rank() : 0;
  begin_last_word(rank);
  runtime::start_logging(rank);
  install_fatal_handlers();
  runtime::install_signal_handlers();
  const runtime::task_monitor monitor;
  std::unique_ptr<transport::transport> link;
  if (launched) link = transport::make_mpi(&argc, &argv, FLAGS_chaos_seed);
  set_identity(link ? link->locale() : 0, -1);
  const exit_status ended = runtime::run_parsed(parsed, usage, link.get(), main_task);
  leave_last_word(last_word::ended, ended);
  link.reset();
  return static_cast<int>(ended);
}

}  // namespace orujo
