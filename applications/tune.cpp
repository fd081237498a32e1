// Measures the speed of this machine's memory and messages, on which choices depend. The numbers go to the
// user's cache folder, where programs find them (system/machine/measures.hpp).
#include <fmt/format.h>
#include <gflags/gflags.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <string>

#include "applications/harness/harness.hpp"
#include "applications/tune/memory.hpp"
#include "system/base/flags.hpp"
#include "system/base/printable.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/delegate.hpp"
#include "system/files/file_flags.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/available_memory.hpp"
#include "system/runtime/runtime.hpp"

DECLARE_string(measures);
DEFINE_uint64(most_bytes, 128 << 20, "size of the largest working set in bytes, a power of two");
DEFINE_string(file, "",
              "file for the measurements; empty: a file in the user's cache folder, where programs find it");
DEFINE_bool(keep, true, "write the measurements to the file");

namespace orujo::internal {
namespace {

constexpr int rounds_per_trial = 16;
constexpr int messages_sent = 2000, reductions = 500;

const files::file_flag written_measures("file", files::file_flag::written);
const flag_rule bytes_rule(
    "most_bytes",
    [] {
      return std::has_single_bit(FLAGS_most_bytes) && FLAGS_most_bytes >= 64 << 10 &&
             FLAGS_most_bytes <= std::uint64_t{16} << 30;
    },
    "a power of two from 65536 to 2^34");

const base::flag_need file_need(
    {"file"}, [] { return FLAGS_keep; }, "without --keep=false");

double ns_each(std::chrono::steady_clock::time_point start, int times) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / times;
}

// Times of messages between locales, in ns.
struct message_times {
  double round_trip = 1e30, all_reduce = 1e30;  // the second over all cores
};

// [task; suspends] Between core 0 and the first one of the last locale.
message_times measure_messages() {
  const core_id there = shape().first_core_of(locales() - 1);
  message_times rate;
  for (int trial = 0; trial < harness::trials(); ++trial) {
    auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < messages_sent; ++k) delegates::call(there, [k] { return k; });
    rate.round_trip = std::min(rate.round_trip, ns_each(start, messages_sent));
    start = std::chrono::steady_clock::now();
    loops::on_all_cores([] {
      for (int k = 0; k < reductions; ++k) collectives::all_reduce(k);
    });
    rate.all_reduce = std::min(rate.all_reduce, ns_each(start, reductions));
  }
  return rate;
}

void print_measures(const machine::measures& m, const machine::machine_kind& kind) {
  harness::print("machine: {}, {} ({})\n", kind.processor, harness::counted(kind.cpus, "CPU"),
                 harness::job_shape_text());
  harness::print("\n  ns per random load     one core    all cores   prefetched\n");
  for (const machine::gather_rate& r : m.gathers)
    harness::print("{:>13} KiB{:>17.2f}{:>13.2f}{:>13.2f}\n", harness::grouped(r.bytes >> 10), r.alone,
                   r.together, r.prefetched);
  const std::uint64_t prefetched = machine::prefetch_from_bytes(m);
  harness::print("\nprefetching pays {}\n",
                 prefetched == machine::never
                     ? "nowhere"
                     : fmt::format("from {} KiB on", harness::grouped(prefetched >> 10)));
  harness::print("barrier of the cores: {:.0f} ns\n", m.barrier);
}

base::json rows_of(const machine::measures& m) {
  base::json rows = base::json::array();
  for (const machine::gather_rate& r : m.gathers)
    rows.push_back({{"bytes", r.bytes},
                    {"alone_ns", r.alone},
                    {"together_ns", r.together},
                    {"prefetched_ns", r.prefetched}});
  return rows;
}

// Writes the file and, with --verify, reads it again.
status keep_measures(const machine::measures& m, const machine::machine_kind& kind, harness::stats& stats) {
  const std::string path = FLAGS_file.empty() ? machine::measures_path(kind) : FLAGS_file;
  if (path.empty())
    return {exit_status::usage, "there is neither $XDG_CACHE_HOME nor $HOME: pass --file=PATH"};
  if (status written = machine::write_measures(path, m, kind); !written.ok()) return written;
  harness::print("written to '{}'\n", base::printable(path));
  if (!harness::verify()) return {};
  const auto again = machine::read_measures(path, kind);
  stats.verified =
      again.ok() && machine::measures_text(again.value(), kind) == machine::measures_text(m, kind);
  if (*stats.verified) harness::print("verified: the file says the same\n");
  return *stats.verified ? status()
                         : status(exit_status::failed, "the file does not say what was written to it");
}

status main_task() {
  if (harness::verify() && !FLAGS_keep)
    return {exit_status::usage, "--verify reads the file again, and with --keep=false no file is written"};
  auto stats_file = harness::open_stats();
  if (!stats_file.ok()) return stats_file.status();
  const machine::machine_kind kind = machine::this_kind();
  const std::uint64_t room = machine::available_memory() / 8 / static_cast<std::uint64_t>(locales());
  const std::uint64_t most =
      std::min(FLAGS_most_bytes, std::bit_floor(std::max<std::uint64_t>(room, 64 << 10)));
  const machine::measures m = tune::measure_memory({most, rounds_per_trial * harness::trials()});
  print_measures(m, kind);
  if (locales() > 1) {
    const message_times times = measure_messages();
    harness::print("messages: there and back {:.0f} ns, a reduction over all cores {:.0f} ns\n",
                   times.round_trip, times.all_reduce);
  }
  harness::stats stats{"tune", "machine", {{"processor", kind.processor}, {"cpus", kind.cpus}}};
  stats.trials.push_back({{"gathers", rows_of(m)}, {"barrier_ns", m.barrier}});
  const status kept = FLAGS_keep ? keep_measures(m, kind, stats) : status();
  if (status written = write_stats(stats, stats_file.value()); !written.ok()) return written;
  return kept;
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  FLAGS_measures = "guess";  // ignores the file that is about to be replaced
  return orujo::run(argc, argv,
                    "tune: measurement of this machine, for settings that depend on it.\n\n"
                    "  bin/orujo tune\n"
                    "  bin/orujo tune -n 2 -c 1 --trials=5\n"
                    "  bin/orujo tune --keep=false",
                    &orujo::internal::main_task);
}
