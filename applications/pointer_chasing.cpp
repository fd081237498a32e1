// Walks along a ring of pointers that are spread over all cores, by an increasing number of tasks. It shows
// how much of the latency of remote memory concurrent tasks hide (Nelson, Holt, Myers, Briggs, Ceze, Kahan,
// Oskin, "Latency-Tolerant Software Distributed Shared Memory", USENIX ATC 2015).
#include <fmt/format.h>
#include <gflags/gflags.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "applications/harness/harness.hpp"
#include "applications/messaging/ring.hpp"
#include "system/base/flags.hpp"
#include "system/base/numbers.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_int32(log2_words, 22, "base-2 logarithm of the number of 64-bit words in the ring of the whole job");
DEFINE_string(tasks, "1,4,16,64,256,1024",
              "tasks per core that walk at the same time: a number, or several separated by commas");
DEFINE_uint64(hops, 5000, "hops of each task");
DEFINE_uint64(seed, 1, "seed of the ring");

namespace orujo::internal {
namespace {

constexpr std::size_t most_tasks = 1'000'000;

// Nothing unless all items are numbers from 1 to most_tasks.
std::optional<std::vector<std::size_t>> numbers_of(std::string_view list) {
  std::vector<std::size_t> numbers;
  for (;; list.remove_prefix(1)) {
    const std::size_t number = base::take_number<std::size_t>(list).value_or(0);
    if (number < 1 || number > most_tasks) return std::nullopt;
    numbers.push_back(number);
    if (list.empty()) return numbers;
    if (list.front() != ',') return std::nullopt;
  }
}

const flag_rule words_rule(
    "log2_words", [] { return FLAGS_log2_words >= 0 && FLAGS_log2_words <= 48; }, "from 0 to 48");
const flag_rule tasks_rule(
    "tasks", [] { return numbers_of(FLAGS_tasks).has_value(); },
    "numbers from 1 to 1000000 with commas between them, as 1,16,256");
const flag_rule hops_rule(
    "hops", [] { return FLAGS_hops >= 1 && FLAGS_hops <= std::uint64_t{1} << 40; }, "from 1 to 2^40");

struct outcome {
  double seconds;
  std::uint64_t astray;  // tasks with a wrong end
};

outcome walk(const messaging::ring& of, std::size_t tasks) {
  const std::uint64_t walks = tasks * static_cast<std::uint64_t>(cores());
  const std::uint64_t apart = of.words().size() / walks + 1;
  std::uint64_t astray = 0;
  const memory::global_address<std::uint64_t> sum(my_core(), &astray);
  const auto begun = std::chrono::steady_clock::now();
  loops::on_all_cores([=, hops = FLAGS_hops] {
    const std::uint64_t first = static_cast<std::uint64_t>(my_core()) * tasks * apart;
    delegates::increment(sum, messaging::walk_all(of, tasks, hops, first, apart));
  });
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count(), astray};
}

status main_task() {
  auto stats_file = harness::open_stats();
  if (!stats_file.ok()) return stats_file.status();
  const auto ring = messaging::ring::create(static_cast<unsigned>(FLAGS_log2_words), FLAGS_seed);
  const std::size_t words = ring.words().size();
  const std::vector<std::size_t> task_counts = numbers_of(FLAGS_tasks).value();
  harness::print("ring: 2^{} words, {} bytes ({})\n\n", FLAGS_log2_words,
                 harness::grouped(words * sizeof(messaging::word)), harness::job_shape_text());
  harness::print("  tasks per core      hops/s  per core  us per hop of a task\n");
  harness::stats stats{
      "pointer_chasing", "ring", {{"words", words}, {"bytes", words * sizeof(messaging::word)}}};
  stats.further = {{"hops_per_task", FLAGS_hops}};
  for (int trial = 0; trial < harness::trials(); ++trial) {
    for (const std::size_t tasks : task_counts) {
      const outcome o = walk(ring, tasks);
      const auto hops = static_cast<double>(FLAGS_hops);
      const double rate = hops * static_cast<double>(tasks) * cores() / o.seconds;
      harness::print("{:>16}{:>12}{:>10}{:>22.2f}\n", harness::grouped(tasks), harness::engineering(rate),
                     harness::engineering(rate / cores()), 1e6 * o.seconds / hops);
      stats.trials.push_back({{"tasks_per_core", tasks}, {"seconds", o.seconds}, {"hops_per_second", rate}});
      if (!harness::verify()) continue;
      stats.verified = o.astray == 0 && stats.verified != false;
      if (o.astray > 0)
        harness::print("NOT VERIFIED: {} ended at a wrong word\n", harness::counted(o.astray, "task"));
    }
  }
  if (stats.verified == true) harness::print("\nverified: every task ended where its hops lead\n");
  ring.destroy();
  if (status written = write_stats(stats, stats_file.value()); !written.ok()) return written;
  if (stats.verified == false) return {exit_status::failed, "tasks read other words than the ring has"};
  return {};
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "pointer_chasing: benchmark of latency and its hiding, by walks along remote pointers.\n\n"
      "  bin/orujo run pointer_chasing --verify\n"
      "  bin/orujo run -n 2 -c 1 pointer_chasing --tasks=1,32,1024 --trials=3 --stats_json=stats.json",
      &orujo::internal::main_task);
}
