// The life of a process: flags, logging, and MPI if a launcher has started it.
#include <fmt/format.h>
#include <gflags/gflags.h>
#include <unistd.h>

#include "system/base/check.hpp"
#include "system/base/fatal.hpp"
#include "system/base/flags.hpp"
#include "system/base/identity.hpp"
#include "system/base/last_word.hpp"
#include "system/base/terminal.hpp"
#include "system/base/version.hpp"
#include "system/files/standard_output.hpp"
#include "system/runtime/process.hpp"
#include "system/runtime/runtime.hpp"
#include "system/transport/launch.hpp"
#include "system/transport/mpi.hpp"
#include "system/watch/memory_guard.hpp"
#include "system/watch/neighbour_watch.hpp"
#include "system/watch/signals.hpp"
#include "system/watch/task_monitor.hpp"

DECLARE_int32(locales);
DECLARE_uint64(chaos_seed);
DECLARE_uint32(watchdog_seconds);

namespace orujo::internal::runtime {
namespace {

exit_status run_parsed(const result<base::parsed_flags>& parsed, const std::string& usage,
                       transport::transport* link, const transport::launch_facts& launch,
                       const std::function<status()>& main_task) {
  const bool alone = !link || link->locales() == 1;
  const bool speaks = alone ? launch.speaks : link->locale() == 0;
  const bool help = parsed.ok() && (parsed.value().help || parsed.value().version);
  if (help && speaks) {
    files::print(parsed.value().help
                     ? base::help_text(usage, parsed.value().help_full, base::terminal_width(STDOUT_FILENO))
                     : fmt::format("orujo {}\n", base::version()));
  }
  status mistake = parsed.ok() ? check_command_line(parsed.value(), link, launch) : parsed.status();
  if (help) mistake = files::finish_standard_output();
  if (!mistake.ok() && speaks) print_failure(mistake);
  if (!mistake.ok() || help) return mistake.code();
  const watch::memory_guard guard(link ? link->locale() : 0, link ? 1 : FLAGS_locales);
  if (link) return run_locale(*link, options_from_flags(), main_task);
  return run_loopback(FLAGS_locales, options_from_flags(), main_task);
}

}  // namespace

}  // namespace orujo::internal::runtime

namespace orujo::internal::runtime {

int run(int argc, char** argv, const std::string& usage, const std::function<status()>& main_task) {
  const runtime::process_of_job mine(runtime::process_of_job::main_thread::waits_for_job);
  if (const status taken = mine.taken(); !taken.ok()) base::misuse(taken.message());
  files::reserve_standard_descriptors();
  const result<base::parsed_flags> parsed = base::parse_flags(argc, argv);
  const transport::launch_facts launch = transport::look_at_launch();
  const int rank = launch.by_mpi ? launch.rank : 0;
  base::begin_last_word(rank);
  base::set_identity(rank, -1);  // a failure while MPI begins is named, too
  runtime::start_logging(rank);
  base::install_fatal_handlers();
  watch::install_signal_handlers();
  const watch::task_monitor monitor;
  const watch::neighbour_watch beside(std::chrono::seconds(launch.by_mpi ? FLAGS_watchdog_seconds : 0), rank);
  std::unique_ptr<transport::transport> link;
  if (launch.by_mpi) {
    const watch::mpi_start starting;
    link = transport::make_mpi(&argc, &argv, FLAGS_chaos_seed);
  }
  base::set_identity(link ? link->locale() : 0, -1);
  const exit_status ended = runtime::run_parsed(parsed, usage, link.get(), launch, main_task);
  base::leave_last_word(base::last_word::ended, ended);
  link.reset();
  return static_cast<int>(ended);
}

}  // namespace orujo::internal::runtime
