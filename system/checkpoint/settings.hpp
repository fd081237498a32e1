// When and where a job writes checkpoints.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "system/base/status.hpp"

namespace orujo::checkpoint {

// How often: so many seconds or steps after the last, or as pays best (0 of both).
struct interval {
  double seconds = 0;
  std::uint64_t steps = 0;
  bool is_automatic() const { return seconds == 0 && steps == 0; }
  friend bool operator==(const interval&, const interval&) = default;
};

// "30s", "10" or "10 supersteps", "auto". A usage error that says so of everything else.
result<interval> parse_interval(std::string_view text);

// Seconds between checkpoints that cost so many each, where the job is lost once in mean_time seconds: Young,
// "A first order approximation to the optimum checkpoint interval", Communications of the ACM 17(9), 1974.
double young_interval(double cost, double mean_time);

struct settings {
  std::string folder;  // empty: none are written
  interval every = {.seconds = 30};
  bool resume = false;
  double mean_time_between_failures = 86400;  // seconds, of the job
};

// The flags', or what use() was given last. Any thread.
settings current_settings();

// [any thread, before the job's next run] Instead of the flags; for tests and programs that know better. What
// the job knows of its last checkpoint is forgotten at its next run. At each locale the same.
void use(const settings& chosen);
// Grows with every use().
std::uint64_t settings_changes();

}  // namespace orujo::checkpoint
