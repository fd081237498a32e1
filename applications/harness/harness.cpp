#include "applications/harness/harness.hpp"

#include <fmt/format.h>
#include <gflags/gflags.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "system/base/flags.hpp"
#include "system/messages/identity.hpp"

DEFINE_int32(trials, 1, "how many times to run");
DEFINE_bool(verify, false,
            "compare the result with a serial computation of another kind; fails (status 1) if they differ");
DEFINE_string(output, "", "file for the result, one line per vertex in ascending order of the ids");
DEFINE_string(stats_json, "", "file for the figures of the run, as one JSON object");
DECLARE_string(metrics_json);
DECLARE_string(trace_json);
DEFINE_int32(top, 10, "how many of the foremost vertices to print");

static const orujo::flag_rule trials_rule(
    "trials", [] { return FLAGS_trials >= 1; }, "at least 1");
static const orujo::flag_rule top_rule(
    "top", [] { return FLAGS_top >= 0; }, "at least 0");

namespace orujo::harness {

int trials() { return FLAGS_trials; }
bool verify() { return FLAGS_verify; }
int top() { return FLAGS_top; }

status write_stats(const report& r, output_file& to) {
  if (!to.wanted()) return {};
  nlohmann::ordered_json stats;
  stats["application"] = r.application;
  stats["graph"] = {{"vertices", r.vertices}, {"edges", r.edges}, {"source", r.source}};
  stats["locales"] = locales();
  stats["cores"] = cores();
  stats["trials"] = nlohmann::ordered_json::array();
  for (const trial& t : r.trials) {
    stats["trials"].push_back({{"seconds", t.seconds},
                               {"iterations", t.iterations},
                               {"edges_per_second", static_cast<double>(t.edges_processed) / t.seconds}});
  }
  stats["verified"] = r.verified ? nlohmann::ordered_json(*r.verified) : nlohmann::ordered_json(nullptr);
  stats["load_seconds"] = r.load_seconds;
  to.write(stats.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  return to.finish();
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string counted(int number, const char* noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string engineering(double number) {
  for (const char* unit : {"", " k", " M", " G"}) {
    if (number < 999.5) return fmt::format("{:.3g}{}", number, unit);
    number /= 1000;
  }
  return fmt::format("{:.3g} T", number);
}

result<outputs> outputs::from_flags() {
  const std::pair<const char*, const std::string*> files[] = {{"output", &FLAGS_output},
                                                              {"stats_json", &FLAGS_stats_json},
                                                              {"metrics_json", &FLAGS_metrics_json},
                                                              {"trace_json", &FLAGS_trace_json}};
  for (std::size_t a = 0; a < std::size(files); ++a) {
    for (std::size_t b = a + 1; b < std::size(files); ++b) {
      if (files[a].second->empty() || *files[a].second != *files[b].second) continue;
      return status(exit_status::usage, fmt::format("--{} and --{} name the same file: give two",
                                                    files[a].first, files[b].first));
    }
  }
  auto values = output_file::open(FLAGS_output);
  if (!values.ok()) return values.status();
  auto stats = output_file::open(FLAGS_stats_json);
  if (!stats.ok()) return stats.status();
  return outputs{std::move(values).value(), std::move(stats).value()};
}

}  // namespace orujo::harness
