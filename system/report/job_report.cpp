#include "system/report/job_report.hpp"

#include <fmt/format.h>
#include <gflags/gflags.h>
#include <glog/logging.h>

#include <cstdio>

#include "system/base/flags.hpp"
#include "system/base/identity.hpp"
#include "system/files/file_flags.hpp"
#include "system/files/output_file.hpp"
#include "system/machine/measures.hpp"
#include "system/report/job_trace.hpp"
#include "system/report/merged_metrics.hpp"
#include "system/report/merged_traffic.hpp"

DEFINE_bool(print_settings, false, "print all flags with their effective values at the start, on stderr");
DEFINE_bool(print_metrics, false, "print the runtime's metrics at the end, on stderr");
DEFINE_string(metrics_json, "", "file for the runtime's metrics, as one JSON object");

static const orujo::internal::files::file_flag written_metrics("metrics_json",
                                                               orujo::internal::files::file_flag::written);
static const orujo::internal::base::everyday_flags everyday_of_reports{"print_metrics"};

namespace orujo::internal::report {

void print_settings(const settings_table& computed) {
  const machine::known_measures& known = machine::this_machine();
  LOG_IF(WARNING, !known.complaint.empty()) << known.complaint;
  if (!FLAGS_print_settings) return;
  std::string text = "settings:\n" + base::settings_text();
  for (const auto& [name, value] : computed) text += fmt::format("  {}: {}\n", name, value);
  text += fmt::format("  measures of this machine: {}\n", machine::measures_summary(known));
  std::fputs(text.c_str(), stderr);
}

void tell_setting(const std::string& name, const std::function<std::string()>& value) {
  if (FLAGS_print_settings) std::fputs(fmt::format("  {}: {}\n", name, value()).c_str(), stderr);
}

namespace {

std::string summed_up(const observe::metric_values& of) {
  return fmt::format(
      "{} core{} ran {} tasks, {} of them taken from other cores, and sent {} messages, {} of them to other "
      "locales, in {} bytes and {} parcels:\n",
      cores(), cores() == 1 ? "" : "s", of.count_of("tasks.run"), of.count_of("tasks.stolen"),
      of.count_of("messages.sent.same_locale") + of.count_of("messages.sent.other_locale"),
      of.count_of("messages.sent.other_locale"), of.count_of("blocks.bytes"), of.count_of("parcels.sent"));
}

status report_metrics(files::output_file& file) {
  if (!FLAGS_print_metrics && !file.wanted()) return {};
  const observe::metric_values metrics = report::merged_metrics();
  const messages::traffic_table traffic = report::merged_traffic();
  if (FLAGS_print_metrics)
    std::fputs(fmt::format("metrics: {}{}{}", summed_up(metrics), metrics.text(), traffic.text()).c_str(),
               stderr);
  file.write(fmt::format("{{\n\"locales\": {},\n\"cores\": {},\n\"metrics\": {},\n{}\n}}\n", locales(),
                         cores(), metrics.json(), traffic.json_members()));
  return file.finish();
}

// A job that has not begun its work has nothing to report, and writes nothing.
bool was_refused(const status& ended) {
  switch (ended.code()) {
    case exit_status::usage:
    case exit_status::bad_data:
    case exit_status::no_input:
    case exit_status::bad_checkpoint:
      return true;
    default:
      return false;
  }
}

}  // namespace

status run_with_reports(const std::function<status()>& main_task) {
  if (status clash = files::check_file_flags(); !clash.ok()) return clash;
  result<files::output_file> metrics_file = files::output_file::open(FLAGS_metrics_json);
  if (!metrics_file.ok()) return metrics_file.status();
  result<job_trace> trace = job_trace::open();
  if (!trace.ok()) return trace.status();
  trace.value().begin();
  const status last = main_task();
  trace.value().end();
  if (was_refused(last)) return last;
  const status written =
      report_metrics(metrics_file.value());  // before the trace is gathered, which sends messages
  const status traced = trace.value().write();
  if (!last.ok()) return last;
  return written.ok() ? traced : written;
}

}  // namespace orujo::internal::report
