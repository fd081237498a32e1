// Reads a table that is spread over all cores at random indices: the index gather of the bale benchmarks
// (github.com/jdevinney/bale). Each core reads table[index[k]] into value[k], for its own k.
#include <gflags/gflags.h>

#include <chrono>

#include "applications/harness/harness.hpp"
#include "applications/messaging/index_gather.hpp"
#include "applications/messaging/trials.hpp"
#include "system/base/flags.hpp"
#include "system/collectives/collectives.hpp"
#include "system/containers/symmetric.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_uint64(words_per_core, 100'000, "64-bit words in the table per core of the job");
DEFINE_uint64(reads_per_core, 1'000'000, "random words that each core reads in a trial");
DEFINE_int32(blocking_tasks, 0,
             "tasks per core that read one word each at a time and wait for it, for comparison; 0: reads are "
             "aggregated");
DEFINE_uint64(seed, 1, "seed of the random numbers; each trial has another");

namespace orujo::internal {
namespace {

using messaging::word;
using messaging::word_table;

const flag_rule words_rule(
    "words_per_core",
    [] { return FLAGS_words_per_core >= 1 && FLAGS_words_per_core <= std::uint64_t{1} << 40; },
    "from 1 to 2^40");
const flag_rule reads_rule(
    "reads_per_core",
    [] { return FLAGS_reads_per_core >= 1 && FLAGS_reads_per_core <= std::uint64_t{1} << 40; },
    "from 1 to 2^40");
const flag_rule tasks_rule(
    "blocking_tasks", [] { return FLAGS_blocking_tasks >= 0 && FLAGS_blocking_tasks <= 10'000'000; },
    "from 0 to 10000000");

// One core's.
struct reads {
  machine::huge_array<word> indices, values;
};

double run_trial(word_table table, containers::symmetric<reads> arrays) {
  const auto begun = std::chrono::steady_clock::now();
  loops::on_all_cores([=, tasks = static_cast<std::size_t>(FLAGS_blocking_tasks)] {
    const reads& mine = arrays.here();
    if (tasks > 0) {
      messaging::gather_blocking(table, mine.indices, mine.values, tasks);
    } else {
      messaging::gather(table, mine.indices, mine.values);
    }
  });
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

status main_task() {
  auto stats_file = harness::open_stats();
  if (!stats_file.ok()) return stats_file.status();
  const auto parts = static_cast<std::uint64_t>(cores());
  const std::uint64_t all_reads = FLAGS_reads_per_core * parts;
  const auto table = word_table::create(FLAGS_words_per_core * parts);
  table.fill([](std::size_t i) { return messaging::value_at(i); });
  harness::print("table: {} ({})\n", harness::counted(table.size(), "word"), harness::job_shape_text());
  harness::stats stats{
      "index_gather", "table", {{"words", table.size()}, {"bytes", table.size() * sizeof(word)}}};
  stats.further = {{"reads", all_reads}, {"blocking_tasks", FLAGS_blocking_tasks}};
  const auto arrays = containers::symmetric<reads>::reserve();
  for (int trial = 0; trial < harness::trials(); ++trial) {
    const messaging::draws d{FLAGS_seed + static_cast<std::uint64_t>(trial), all_reads};
    loops::on_all_cores([=] {
      auto indices = messaging::drawn_places(d, table.size());
      machine::huge_array<word> values(indices.size());
      for (word& v : values) v = 0;  // so that the pages are there
      arrays.emplace_here(reads{std::move(indices), std::move(values)});
    });
    const std::size_t bytes =
        FLAGS_blocking_tasks > 0 ? 4 * sizeof(word) : sizeof(std::uint32_t) + sizeof(word);
    const messaging::measured m{all_reads, run_trial(table, arrays), bytes};
    harness::print("index_gather: {}\n", describe(m, "reads"));
    add_trial(stats, m, "reads");
    if (!harness::verify()) continue;
    std::uint64_t wrong = 0;
    const memory::global_address<std::uint64_t> sum(my_core(), &wrong);
    loops::on_all_cores([=] {
      delegates::increment(sum, messaging::count_wrong(arrays.here().indices, arrays.here().values));
    });
    stats.verified = wrong == 0;
    harness::print("{}: {} of {} values are not those of their indices\n",
                   wrong ? "NOT VERIFIED" : "verified", harness::grouped(wrong), harness::grouped(all_reads));
    if (wrong) break;
  }
  arrays.destroy();
  table.destroy();
  if (status written = write_stats(stats, stats_file.value()); !written.ok()) return written;
  if (stats.verified == false) return {exit_status::failed, "the values are not those of their indices"};
  return {};
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "index_gather: benchmark of random reads from a table that is distributed over all cores.\n\n"
      "  bin/orujo run index_gather --verify\n"
      "  bin/orujo run -n 2 -c 1 index_gather --words_per_core=10000000 --trials=5",
      &orujo::internal::main_task);
}
