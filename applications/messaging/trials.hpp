// The result of a trial of operations on words: a line for people and an object for --stats_json.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "applications/harness/harness.hpp"

namespace orujo::internal::messaging {

struct measured {
  std::uint64_t operations;  // over the whole job
  double seconds;
  std::size_t message_bytes;  // of one operation, both ways if there is a reply
};

// "4,194,304 updates in 0.0612 s: 68.5 M updates/s, 34.3 M per core, 8 bytes each". `noun` in the plural.
std::string describe(const measured& m, const char* noun);

// Adds an object with "seconds" and NOUN_per_second.
void add_trial(harness::stats& to, const measured& m, const char* noun);

}  // namespace orujo::internal::messaging
