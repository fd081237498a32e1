#include "applications/harness/harness.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <gflags/gflags.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "system/base/flags.hpp"
#include "system/messages/identity.hpp"

DEFINE_int32(trials, 1, "how many times to run");
DEFINE_bool(verify, false,
            "compare the result with a serial computation of another kind; fails (status 1) if they differ");
DEFINE_string(output, "", "file for the result, one line per vertex in ascending order of the ids");
DEFINE_string(stats_json, "", "file for the figures of the run, as one JSON object");
DEFINE_int32(top, 10, "how many of the foremost vertices to print");

static const orujo::flag_rule trials_rule(
    "trials", [] { return FLAGS_trials >= 1; }, "at least 1");
static const orujo::flag_rule top_rule(
    "top", [] { return FLAGS_top >= 0; }, "at least 0");

namespace orujo::harness {

int trials() { return FLAGS_trials; }
bool verify() { return FLAGS_verify; }
int top() { return FLAGS_top; }

namespace {

status cannot_write(const std::string& path) {
  return {exit_status::io_error, fmt::format("cannot write '{}': {}", path, std::strerror(errno))};
}

}  // namespace

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

output_file::output_file(output_file&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, nullptr)), failed_(other.failed_) {}

output_file::~output_file() {
  if (!file_) return;
  std::fclose(file_);
  std::remove((path_ + ".partial").c_str());
}

result<output_file> output_file::open(const std::string& path) {
  output_file made;
  made.path_ = path;
  if (path.empty()) return made;
  if (std::filesystem::is_directory(path)) {
    errno = EISDIR;
    return cannot_write(path);
  }
  made.file_ = std::fopen((path + ".partial").c_str(), "w");
  if (!made.file_) return cannot_write(path);
  return made;
}

void output_file::write(const std::string& text) {
  if (file_) failed_ = std::fputs(text.c_str(), file_) < 0 || failed_;
}

status output_file::finish() {
  if (!file_) return {};
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  const std::string partial = path_ + ".partial";
  if (failed_ || !closed || std::rename(partial.c_str(), path_.c_str()) != 0) {
    const status failure = cannot_write(path_);
    std::remove(partial.c_str());
    return failure;
  }
  return {};
}

result<outputs> outputs::from_flags() {
  if (!FLAGS_output.empty() && FLAGS_output == FLAGS_stats_json) {
    return status(exit_status::usage, "--output and --stats_json name the same file: give two");
  }
  auto values = output_file::open(FLAGS_output);
  if (!values.ok()) return values.status();
  auto stats = output_file::open(FLAGS_stats_json);
  if (!stats.ok()) return stats.status();
  return outputs{std::move(values).value(), std::move(stats).value()};
}

}  // namespace orujo::harness
