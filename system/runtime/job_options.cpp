#include "system/runtime/job_options.hpp"

#include <gflags/gflags.h>

#include "system/base/flags.hpp"
#include "system/messages/room.hpp"

DEFINE_int32(cores, 0,
             "cores (threads) of this locale; 0: the CPUs it may use, shared with its node's locales");
DEFINE_int32(locales, 1,
             "number of locales inside this one process, without a launcher, for tests and trials");
DEFINE_bool(pin, true, "bind each core to a CPU where there are enough of them");
DEFINE_uint64(stack_bytes, 128 << 10, "stack of a task, in bytes");
DEFINE_uint64(flush_age_us, 0,
              "flush timeout in microseconds: age at which a busy core sends a partly filled block; 0: 50, "
              "and up to 2000 if it writes to many cores of other locales");
DEFINE_uint32(blocks_in_flight, 0,
              "send window: blocks of 16 KiB sent to a core and not yet handled, before senders wait; 0: "
              "from the delay");
DEFINE_uint64(message_bytes_per_core, 32 << 20,
              "approximate limit, in bytes, of the messages that all cores together have under way to one "
              "core; with many cores, fewer blocks are in flight to each, at least 2");
DEFINE_uint64(parcel_bytes, 64 << 10, "largest message between locales, in bytes");
DEFINE_bool(steal, true, "let idle cores take public tasks of others");
DEFINE_bool(
    check_closures, false,
    "check closures that travel for references to the sender's variables; not given: in sources compiled "
    "without NDEBUG, in all closures there, elsewhere in those of loops and of delegates that wait or spawn");
DEFINE_uint32(watchdog_seconds, 60,
              "time in seconds without a sign of life from a locale after which the job is ended; sooner if "
              "all tasks wait for each other; 0: never");
DEFINE_uint64(chaos_seed, 0,
              "seed to shuffle scheduling at random and to delay messages or, between processes, wait for "
              "their receivers; 0: off");

static const orujo::internal::base::everyday_flags everyday{"cores"};

namespace orujo::internal::runtime {
namespace {

const flag_rule cores_rule(
    "cores", [] { return FLAGS_cores >= 0 && FLAGS_cores <= 4096; }, "from 0 to 4096");
const flag_rule locales_rule(
    "locales", [] { return FLAGS_locales >= 1 && FLAGS_locales <= 256; }, "from 1 to 256");
const flag_rule stack_rule(
    "stack_bytes", [] { return FLAGS_stack_bytes >= 16384 && FLAGS_stack_bytes <= 1u << 30; },
    "from 16384 to 2^30");
const flag_rule age_rule(
    "flush_age_us", [] { return FLAGS_flush_age_us <= 1'000'000; }, "0, or at most 1000000");
const flag_rule blocks_rule(
    "blocks_in_flight", [] { return FLAGS_blocks_in_flight != 1; }, "0, or at least 2");
const flag_rule parcel_rule(
    "parcel_bytes",
    [] { return FLAGS_parcel_bytes >= messages::block_bytes && FLAGS_parcel_bytes <= 1u << 30; },
    "from 16384 to 2^30");
const flag_rule watchdog_rule(
    "watchdog_seconds", [] { return FLAGS_watchdog_seconds <= 1'000'000; }, "at most 1000000");

}  // namespace

job_options options_from_flags() {
  job_options options;
  options.cores = FLAGS_cores;
  options.pin = FLAGS_pin;
  options.stack_bytes = FLAGS_stack_bytes;
  options.chaos_seed = FLAGS_chaos_seed;
  options.steal = FLAGS_steal;
  if (!gflags::GetCommandLineFlagInfoOrDie("check_closures").is_default)
    options.check_closures = FLAGS_check_closures ? tasks::closure_checks::all : tasks::closure_checks::none;
  options.watchdog = std::chrono::seconds(FLAGS_watchdog_seconds);
  if (FLAGS_flush_age_us > 0) {
    options.messenger.flush_age_ns = FLAGS_flush_age_us * 1000;
  } else {
    options.messenger.most_flush_age_ns = 2'000'000;
  }
  options.message_bytes_per_core = FLAGS_message_bytes_per_core;
  options.messenger.more_when_far = FLAGS_blocks_in_flight == 0;
  if (FLAGS_blocks_in_flight > 0) options.messenger.blocks_in_flight = FLAGS_blocks_in_flight;
  options.parcels.parcel_bytes = FLAGS_parcel_bytes;
  options.parcels.flush_age_ns = options.messenger.flush_age_ns;
  return options;
}

std::uint32_t blocks_between(const job_shape& shape, const job_options& options) {
  return messages::blocks_between(static_cast<std::uint64_t>(shape.cores()),
                                  options.messenger.blocks_in_flight, options.message_bytes_per_core);
}

message_memory message_memory_of(locale_id locale, const job_shape& shape, const job_options& options) {
  const auto mine = static_cast<std::uint64_t>(shape.cores_of(locale)),
             cores = static_cast<std::uint64_t>(shape.cores()),
             locales = static_cast<std::uint64_t>(shape.locales());
  return {mine * cores * blocks_between(shape, options) * messages::block_bytes,
          messages::most_parcel_bytes(locales, options.parcels)};
}

}  // namespace orujo::internal::runtime
