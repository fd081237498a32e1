#include "applications/harness/harness.hpp"

#include <fmt/format.h>
#include <gflags/gflags.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <ctime>
#include <fstream>
#include <string>
#include <utility>

#include "applications/harness/core_shares.hpp"
#include "system/base/flags.hpp"
#include "system/base/identity.hpp"
#include "system/base/printable.hpp"
#include "system/base/version.hpp"
#include "system/files/file_flags.hpp"
#include "system/report/merged_steps.hpp"

DEFINE_int32(trials, 1, "number of runs on the loaded data");
DEFINE_bool(verify, false, "check the result by an independent computation; status 1 if it is wrong");
DEFINE_string(stats_json, "", "file for the statistics of the run, as one JSON object; -: stdout");

static const orujo::flag_rule trials_rule(
    "trials", [] { return FLAGS_trials >= 1 && FLAGS_trials <= 10'000; },
    "from 1 to 10000: run again for more");

static const orujo::internal::files::file_flag written_stats("stats_json",
                                                             orujo::internal::files::file_flag::written);

static const orujo::internal::base::telling_flags told_by_all{"trials", "verify", "stats_json"};

namespace orujo::internal::harness {

int trials() { return FLAGS_trials; }
bool verify() { return FLAGS_verify; }
bool wants_stats() { return !FLAGS_stats_json.empty(); }

namespace {

// Version, host, moment (UTC) and the words of the command: where the statistics come from.
base::json told_of_process() {
  std::array<char, HOST_NAME_MAX + 1> host{};
  ::gethostname(host.data(), host.size() - 1);
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> date{};
  std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  base::json command = base::json::array();
  std::ifstream words("/proc/self/cmdline", std::ios::binary);
  for (std::string word; std::getline(words, word, '\0');) command.push_back(base::printable(word));
  return {{"version", base::version()}, {"host", host.data()}, {"date", date.data()}, {"command", command}};
}

}  // namespace

status write_stats(const stats& s, files::output_file& to) {
  if (!to.wanted()) return {};
  base::json all;
  all["application"] = s.application;
  all[s.input] = s.about_input;
  all["locales"] = locales();
  all["cores"] = cores();
  all["trials"] = s.trials;
  all["verified"] = s.verified ? base::json(*s.verified) : base::json();
  all.update(s.further);
  all["run"] = told_of_process();
  base::json of_job = told_of_job();
  of_job.update(s.job);
  all.update(of_job);
  to.write(all.dump(2) + "\n");
  return to.finish();
}

std::string engineering(double number) {
  for (const char* unit : {"", " k", " M", " G"}) {
    if (number < 999.5) return fmt::format("{:.3g}{}", number, unit);
    number /= 1000;
  }
  return fmt::format("{:.3g} T", number);
}

std::string job_shape_text(const job_shape& of) {
  return fmt::format("{} x {}", counted(of.locales(), "locale"), counted(of.cores_of(0), "core"));
}

result<files::output_file> open_stats() {
  auto file = files::output_file::open(FLAGS_stats_json);
  if (file.ok() && wants_stats()) report::begin_step_logs();
  return file;
}

}  // namespace orujo::internal::harness
