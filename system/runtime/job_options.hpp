// The options of a job, and what its messages may take under them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "system/base/shape.hpp"
#include "system/delegates/stealing.hpp"
#include "system/messages/messenger.hpp"
#include "system/messages/post_office.hpp"
#include "system/tasks/check_closure.hpp"

namespace orujo::internal::runtime {

struct job_options {
  int cores =
      0;  // of this locale. 0: the CPUs it may use, shared with other locales of the node that may use them
  bool pin = false;  // each core to a CPU, where there are enough
  std::size_t stack_bytes = 128 << 10;
  std::size_t main_stack_bytes = 8 << 20;
  std::uint64_t chaos_seed = 0;
  bool steal = true;  // idle cores take public tasks of others
  tasks::closure_checks check_closures = tasks::closure_checks::of_debug_sources;
  std::chrono::nanoseconds watchdog = std::chrono::seconds(60);  // its patience (watchdog.hpp), or 0 for none
  // About how much the messages of all cores together have under way to one core. With many cores, fewer
  // blocks are in flight to each, at least 2.
  std::uint64_t message_bytes_per_core = 32 << 20;
  messages::messenger_options messenger;
  messages::parcel_options parcels;
};

// As the command line says; after the flags are parsed.
job_options options_from_flags();

// Blocks of a core's messages that may be in flight to each other core.
std::uint32_t blocks_between(const job_shape& shape, const job_options& options);
// Memory limits of a locale's messages under its settings: blocks in flight to every core, and parcels.
struct message_memory {
  std::uint64_t blocks, parcels;
  std::uint64_t sum() const { return blocks + parcels; }
};
message_memory message_memory_of(locale_id locale, const job_shape& shape, const job_options& options);

}  // namespace orujo::internal::runtime
