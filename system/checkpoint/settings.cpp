#include "system/checkpoint/settings.hpp"

#include <fmt/format.h>
#include <gflags/gflags.h>

#include <cmath>
#include <mutex>
#include <optional>

#include "system/base/flags.hpp"
#include "system/base/numbers.hpp"
#include "system/checkpoint/folder.hpp"
#include "system/files/file_flags.hpp"

static const orujo::internal::base::everyday_flags everyday_of_checkpoints{"checkpoint_dir", "resume"};

DEFINE_string(checkpoint_dir, "",
              "folder for checkpoints, visible to all locales; created if missing; empty: no checkpoints");
DEFINE_string(checkpoint_every, "30s",
              "interval between checkpoints: seconds (30s) or supersteps (10), or auto (from the cost of one "
              "and --checkpoint_mtbf_hours)");
DEFINE_double(checkpoint_mtbf_hours, 24,
              "mean time between failures of the job in hours, for --checkpoint_every=auto");
DEFINE_bool(resume, false, "continue from the last checkpoint in --checkpoint_dir, if there is one");

namespace orujo::internal::checkpoint {
namespace {

const files::file_flag written_checkpoints("checkpoint_dir", files::file_flag::written, &files_of_folder);
const flag_rule every_rule(
    "checkpoint_every", [] { return parse_interval(FLAGS_checkpoint_every).ok(); },
    "seconds such as 30s, a number of supersteps, or auto");
const flag_rule mtbf_rule(
    "checkpoint_mtbf_hours",
    [] { return FLAGS_checkpoint_mtbf_hours > 0 && FLAGS_checkpoint_mtbf_hours < 1e9; }, "above 0");
const flag_rule resume_rule(
    "resume", [] { return !FLAGS_resume || !FLAGS_checkpoint_dir.empty(); }, "with --checkpoint_dir");

const base::flag_need every_need(
    {"checkpoint_every"}, [] { return !FLAGS_checkpoint_dir.empty(); }, "with --checkpoint_dir");
const base::flag_need mtbf_need(
    {"checkpoint_mtbf_hours"},
    [] { return FLAGS_checkpoint_every == "auto" && !FLAGS_checkpoint_dir.empty(); },
    "with --checkpoint_every=auto and --checkpoint_dir");

std::mutex chosen_mutex;
std::optional<settings> chosen_settings;
std::uint64_t changes = 0;

}  // namespace

result<interval> parse_interval(std::string_view text) {
  interval made;
  if (text == "auto") return made;
  constexpr std::string_view unit = " supersteps";
  if (text.ends_with('s'))
    made.seconds = base::number_of<double>(text.substr(0, text.size() - 1)).value_or(0);
  if (made.seconds > 0 && made.seconds < 1e9) return made;
  made.seconds = 0;
  if (text.ends_with(unit)) text.remove_suffix(unit.size());
  made.steps = base::number_of<decltype(made.steps)>(text).value_or(0);
  if (made.steps > 0) return made;
  return status(exit_status::usage,
                fmt::format("'{}' is not an interval; expected 30s, 10 supersteps or auto", text));
}

double young_interval(double cost, double mean_time) { return std::sqrt(2 * cost * mean_time); }

settings current_settings() {
  const std::lock_guard lock(chosen_mutex);
  if (chosen_settings) return *chosen_settings;
  return {FLAGS_checkpoint_dir, parse_interval(FLAGS_checkpoint_every).value(), FLAGS_resume,
          FLAGS_checkpoint_mtbf_hours * 3600};
}

void use(const settings& chosen) {
  const std::lock_guard lock(chosen_mutex);
  chosen_settings = chosen;
  ++changes;
}

std::uint64_t settings_changes() {
  const std::lock_guard lock(chosen_mutex);
  return changes;
}

}  // namespace orujo::internal::checkpoint
