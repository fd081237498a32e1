// Random updates of a table that is spread over all cores, as in the RandomAccess benchmark of the HPC
// Challenge (GUPS: giga updates per second).
#include <gflags/gflags.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "applications/harness/core_shares.hpp"
#include "applications/harness/harness.hpp"
#include "applications/messaging/random_updates.hpp"
#include "applications/messaging/trials.hpp"
#include "system/base/flags.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_int32(log2_table, 26, "base-2 logarithm of the number of 64-bit words in the table of the whole job");
DEFINE_uint64(updates, 0, "random updates per trial of the whole job; 0: four per word");
DEFINE_string(op, "increment",
              "operation: increment or xor (asynchronous, aggregated into blocks), or fetch_add (each task "
              "waits for the previous value)");
DEFINE_int32(message_bytes, 0,
             "size of an update's message in bytes: 4, 8, 16, 32, 64, 128 or 256; 0: the smallest that the "
             "operation allows");
DEFINE_int32(tasks, 1000, "tasks per core, with --op=fetch_add; each waits for its reply");
DEFINE_uint64(seed, 1, "seed of the random numbers; each trial has another");

namespace orujo::internal {
namespace {

using messaging::operation;
using messaging::word;
using messaging::word_table;

operation chosen_operation() {
  return FLAGS_op == "xor"         ? operation::exclusive_or
         : FLAGS_op == "fetch_add" ? operation::fetch_add
                                   : operation::increment;
}
// The bytes that the operation must send: an offset, and for xor the value.
int smallest_message() {
  switch (chosen_operation()) {
    case operation::exclusive_or:
      return 16;
    case operation::fetch_add:
      return 8;
    case operation::increment:
      break;
  }
  return static_cast<int>(messaging::smallest_increment);
}

const flag_rule table_rule(
    "log2_table", [] { return FLAGS_log2_table >= 0 && FLAGS_log2_table <= 48; }, "from 0 to 48");
const flag_rule operation_rule(
    "op", [] { return FLAGS_op == "increment" || FLAGS_op == "xor" || FLAGS_op == "fetch_add"; },
    "increment, xor or fetch_add");
const flag_rule bytes_rule(
    "message_bytes",
    [] {
      const int b = FLAGS_message_bytes;
      return b == 0 || ((b == 4 || b == 8 || b == 16 || b == 32 || b == 64 || b == 128 || b == 256) &&
                        b >= smallest_message());
    },
    "4, 8, 16, 32, 64, 128 or 256, with --op=fetch_add at least 8, with --op=xor at least 16");
const flag_rule tasks_rule(
    "tasks", [] { return FLAGS_tasks >= 1 && FLAGS_tasks <= 10'000'000; }, "from 1 to 10000000");

const base::flag_need tasks_need(
    {"tasks"}, [] { return FLAGS_op == "fetch_add"; }, "with --op=fetch_add");

// Runs each core's share with messages of `Bytes` bytes; returns the sum of the replies.
template <std::size_t Bytes>
word update_here(operation op, delegates::event_ref event, word_table table, const messaging::draws& d) {
  switch (op) {
    case operation::fetch_add:
      if constexpr (Bytes >= 8)
        return messaging::fetch_and_increment<Bytes>(table, d, static_cast<std::size_t>(FLAGS_tasks));
      return 0;
    case operation::exclusive_or:
      if constexpr (Bytes >= 16) messaging::send_exclusive_ors<Bytes>(event, table, d);
      return 0;
    case operation::increment:
      messaging::send_increments<Bytes>(event, table, d);
  }
  return 0;
}
word update_here(int bytes, operation op, delegates::event_ref event, word_table table,
                 const messaging::draws& d) {
  switch (bytes) {
    case 4:
      return update_here<4>(op, event, table, d);
    case 8:
      return update_here<8>(op, event, table, d);
    case 16:
      return update_here<16>(op, event, table, d);
    case 32:
      return update_here<32>(op, event, table, d);
    case 64:
      return update_here<64>(op, event, table, d);
    case 128:
      return update_here<128>(op, event, table, d);
    default:
      return update_here<256>(op, event, table, d);
  }
}

struct outcome {
  double seconds;
  word returned;
};

outcome run_trial(word_table table, const messaging::draws& d, operation op, int bytes) {
  delegates::completion_event updated;
  word returned = 0;
  const memory::global_address<word> sum(my_core(), &returned);
  const auto begun = std::chrono::steady_clock::now();
  loops::on_all_cores([=, event = updated.ref()] {
    const word mine = update_here(bytes, op, event, table, d);
    if (op == operation::fetch_add) delegates::increment(sum, mine);
  });
  updated.wait();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count(), returned};
}

status main_task() {
  auto stats_file = harness::open_stats();
  if (!stats_file.ok()) return stats_file.status();
  const operation op = chosen_operation();
  const int bytes = FLAGS_message_bytes ? FLAGS_message_bytes : smallest_message();
  const std::size_t words = std::size_t{1} << FLAGS_log2_table;
  const std::size_t updates = FLAGS_updates ? FLAGS_updates : 4 * words;

  const auto table = word_table::create(words);
  table.fill([](std::size_t i) { return i; });
  harness::print("table: 2^{} words, {} bytes ({})\n", FLAGS_log2_table,
                 harness::grouped(words * sizeof(word)), harness::job_shape_text());
  harness::stats stats{"gups", "table", {{"words", words}, {"bytes", words * sizeof(word)}}};
  stats.further = {{"operation", FLAGS_op}, {"updates", updates}, {"message_bytes", bytes}};
  for (int trial = 0; trial < harness::trials(); ++trial) {
    const messaging::draws d{FLAGS_seed + static_cast<std::uint64_t>(trial), updates};
    std::optional<harness::core_meter> meter;
    if (harness::wants_stats()) meter.emplace();
    const outcome o = run_trial(table, d, op, bytes);
    if (meter) stats.job["core_seconds"] = meter->finish(o.seconds);
    const messaging::measured m{updates, o.seconds, static_cast<std::size_t>(bytes)};
    harness::print("gups: {}\n", describe(m, "updates"));
    add_trial(stats, m, "updates");
    if (!harness::verify()) continue;
    const messaging::update_check check = messaging::check_by_undoing(table, op, d, o.returned);
    stats.verified = check.agrees() && stats.verified != false;
    harness::print("{}: {}\n", check.agrees() ? "verified" : "NOT VERIFIED", check.describe());
    if (!check.agrees()) break;
  }
  table.destroy();
  if (status written = write_stats(stats, stats_file.value()); !written.ok()) return written;
  if (stats.verified == false) return {exit_status::failed, "the table is not what the updates make of it"};
  return {};
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(argc, argv,
                    "gups: benchmark of random updates to a table that is distributed over all cores.\n\n"
                    "  bin/orujo run gups --log2_table=22 --verify\n"
                    "  bin/orujo run -n 2 -c 1 gups --op=xor --trials=5 --stats_json=stats.json",
                    &orujo::internal::main_task);
}
