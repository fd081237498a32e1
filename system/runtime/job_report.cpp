#include "system/runtime/job_report.hpp"

#include <fmt/format.h>
#include <gflags/gflags.h>

#include <cstdio>

#include "system/base/flags.hpp"
#include "system/base/output_file.hpp"
#include "system/loops/merged_metrics.hpp"
#include "system/loops/merged_traffic.hpp"
#include "system/messages/identity.hpp"

DEFINE_bool(print_settings, false, "print all flags with their effective values at the start, on stderr");
DEFINE_bool(print_metrics, false, "print what the runtime counted at the end, on stderr");
DEFINE_string(metrics_json, "", "file for what the runtime counted, as one JSON object");

namespace orujo::runtime {

void print_settings(const settings_table& computed) {
  if (!FLAGS_print_settings) return;
  std::string text = "settings:\n" + settings_text();
  for (const auto& [name, value] : computed) text += fmt::format("  {}: {}\n", name, value);
  std::fputs(text.c_str(), stderr);
}

status run_with_metrics(const std::function<status()>& main_task) {
  result<output_file> file = output_file::open(FLAGS_metrics_json);
  if (!file.ok()) return file.status();
  const status last = main_task();
  if (!FLAGS_print_metrics && !file.value().wanted()) return last;
  const observe::metric_values metrics = loops::merged_metrics();
  const messages::traffic_table traffic = loops::merged_traffic();
  if (FLAGS_print_metrics) fmt::print(stderr, "metrics:\n{}{}", metrics.text(), traffic.text());
  file.value().write(fmt::format("{{\n\"locales\": {},\n\"cores\": {},\n\"metrics\": {},\n{}\n}}\n",
                                 locales(), cores(), metrics.json(), traffic.json_members()));
  const status written = file.value().finish();
  return last.ok() ? written : last;
}

}  // namespace orujo::runtime
