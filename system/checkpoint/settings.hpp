// Settings of checkpoints: when and where a job writes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "system/base/status.hpp"

namespace orujo::internal::checkpoint {

// Time between checkpoints, in seconds or steps. If both are 0, young_interval() chooses it.
struct interval {
  double seconds = 0;
  std::uint64_t steps = 0;
  bool is_automatic() const { return seconds == 0 && steps == 0; }
  friend bool operator==(const interval&, const interval&) = default;
};

// Reads "30s", "10" or "10 supersteps", "auto". Anything else is a usage error that lists these.
result<interval> parse_interval(std::string_view text);

// The best interval in seconds between checkpoints that take `cost` seconds, if a job fails once in mean_time
// seconds. (Young, "A first order approximation to the optimum checkpoint interval", Communications of the
// ACM 17(9), 1974.)
double young_interval(double cost, double mean_time);

struct settings {
  std::string folder;  // empty: none are written
  interval every = {.seconds = 30};
  bool resume = false;
  double mean_time_between_failures = 86400;  // seconds, of the job
};

// The settings of the last use(), or those of the flags. Any thread.
settings current_settings();

// [any thread, before the job's next run] Replaces the flags, for tests and programs that set them
// themselves. The next run forgets the job's earlier checkpoints. Call it at each locale alike.
void use(const settings& chosen);
// The number of calls of use().
std::uint64_t settings_changes();

}  // namespace orujo::internal::checkpoint
