// Counts how often each index is drawn, in counters that are spread over all cores: the histogram of the bale
// benchmarks (github.com/jdevinney/bale). Unlike in gups the indices are drawn before the time is measured.
#include <gflags/gflags.h>

#include <chrono>

#include "applications/harness/harness.hpp"
#include "applications/messaging/random_updates.hpp"
#include "applications/messaging/trials.hpp"
#include "system/base/flags.hpp"
#include "system/containers/symmetric.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_uint64(counters_per_core, 1000, "64-bit counters in the table per core of the job");
DEFINE_uint64(updates_per_core, 1'000'000, "random counters that each core increments in a trial");
DEFINE_uint64(seed, 1, "seed of the random numbers; each trial has another");

namespace orujo::internal {
namespace {

using messaging::word;
using messaging::word_table;
using place_arrays = containers::symmetric<machine::huge_array<word>>;

const flag_rule counters_rule(
    "counters_per_core",
    [] { return FLAGS_counters_per_core >= 1 && FLAGS_counters_per_core <= std::uint64_t{1} << 40; },
    "from 1 to 2^40");
const flag_rule updates_rule(
    "updates_per_core",
    [] { return FLAGS_updates_per_core >= 1 && FLAGS_updates_per_core <= std::uint64_t{1} << 40; },
    "from 1 to 2^40");

double run_trial(word_table table, place_arrays places) {
  delegates::completion_event counted;
  const auto begun = std::chrono::steady_clock::now();
  loops::on_all_cores([=, event = counted.ref()] { messaging::count(event, table, places.here()); });
  counted.wait();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

status main_task() {
  auto stats_file = harness::open_stats();
  if (!stats_file.ok()) return stats_file.status();
  const auto parts = static_cast<std::uint64_t>(cores());
  const std::uint64_t updates = FLAGS_updates_per_core * parts;
  const auto table = word_table::create(FLAGS_counters_per_core * parts);
  table.fill([](std::size_t i) { return i; });
  harness::print("table: {} ({})\n", harness::counted(table.size(), "counter"), harness::job_shape_text());
  harness::stats stats{
      "histogram", "table", {{"words", table.size()}, {"bytes", table.size() * sizeof(word)}}};
  stats.further = {{"updates", updates}};
  const auto places = place_arrays::reserve();
  for (int trial = 0; trial < harness::trials(); ++trial) {
    const messaging::draws d{FLAGS_seed + static_cast<std::uint64_t>(trial), updates};
    loops::on_all_cores([=] { places.emplace_here(messaging::drawn_places(d, table.size())); });
    const messaging::measured m{updates, run_trial(table, places), messaging::smallest_increment};
    harness::print("histogram: {}\n", describe(m, "updates"));
    add_trial(stats, m, "updates");
    if (!harness::verify()) continue;
    const auto check = messaging::check_by_undoing(table, messaging::operation::increment, d);
    stats.verified = check.agrees();
    harness::print("{}: {}\n", check.agrees() ? "verified" : "NOT VERIFIED", check.describe());
    if (!check.agrees()) break;
  }
  places.destroy();
  table.destroy();
  if (status written = write_stats(stats, stats_file.value()); !written.ok()) return written;
  if (stats.verified == false)
    return {exit_status::failed, "the counts are not those of the indices generated"};
  return {};
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "histogram: benchmark of random increments of counters that are distributed over all cores.\n\n"
      "  bin/orujo run histogram --verify\n"
      "  bin/orujo run -n 2 -c 1 histogram --counters_per_core=1000000 --trials=5",
      &orujo::internal::main_task);
}
