#include "system/runtime/runtime.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <unistd.h>

#include <thread>

#include "system/base/printable.hpp"
#include "system/files/standard_output.hpp"
#include "system/report/job_report.hpp"
#include "system/runtime/locale.hpp"

namespace orujo::internal::runtime {

void print_failure(const status& failure) {
  const std::string line =
      fmt::format("{}: {}\n", program_invocation_short_name, base::printable(failure.message()));
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

namespace {

// Runs the main task of a program, and its reports.
exit_status run_and_report(const std::function<status()>& main_task) {
  status last = report::run_with_reports(main_task);
  if (const status printed = files::finish_standard_output(); last.ok()) last = printed;
  if (!last.ok()) print_failure(last);
  return last.code();
}

// Runs the first core on a thread of its own, as the others do. State of a core ends with its thread, so the
// caller's thread is no core afterwards, and keeps its affinity.
template <class Live>
exit_status run_on_thread(const std::function<status()>& main_task, bool speaks, const Live& live) {
  const job_life life{.main = [&main_task] { return run_and_report(main_task); }, .begins = {}, .ends = {}};
  status ended;
  std::thread first([&] { ended = live(life); });
  first.join();
  if (speaks && !ended.message().empty()) print_failure(ended);
  return ended.code();
}

}  // namespace

exit_status run_locale(transport::transport& link, const job_options& options,
                       const std::function<status()>& main_task) {
  return run_on_thread(main_task, link.locale() == 0,
                       [&](const job_life& life) { return live(link, options, life); });
}

exit_status run_loopback(int locales, const job_options& options, const std::function<status()>& main_task) {
  return run_on_thread(main_task, true,
                       [&](const job_life& life) { return live_in_process(locales, options, life); });
}

}  // namespace orujo::internal::runtime
