// The common parts of all applications: flags, the statistics file, numbers for people.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "system/base/counted.hpp"
#include "system/base/identity.hpp"
#include "system/base/json.hpp"
#include "system/base/shape.hpp"
#include "system/base/status.hpp"
#include "system/files/output_file.hpp"
#include "system/files/standard_output.hpp"

namespace orujo::internal::harness {

// Prints to stdout. Returns also if that fails; the job then ends with io_error.
template <class... T>
void print(fmt::format_string<T...> format, const T&... values) {
  files::print(fmt::vformat(format, fmt::make_format_args(values...)));
}

int trials();        // --trials
bool verify();       // --verify
bool wants_stats();  // --stats_json

using base::counted;
using base::grouped;
// "152 M"
std::string engineering(double number);

// "2 locales x 4 cores"; the cores are those of locale 0.
std::string job_shape_text(const job_shape& of = shape());

// [task; suspends] Opens the file of --stats_json, and starts the log of supersteps.
result<files::output_file> open_stats();

// The content of --stats_json, an object with the same keys in every application
// (docs/reference/metrics.md).
struct stats {
  std::string application;
  std::string input;  // the key of what it ran on
  base::json about_input;
  base::json trials = base::json::array();
  std::optional<bool> verified = std::nullopt;  // not requested
  base::json further = base::json::object();    // the application's own keys
  base::json job = base::json::object();        // replaces some of told_of_job() (core_shares.hpp)
};
// [task; suspends]
status write_stats(const stats& s, files::output_file& to);

}  // namespace orujo::internal::harness

// Programs of users call it orujo::harness.
namespace orujo {
namespace harness = internal::harness;
}
