// Sorts 64-bit keys that are spread over all cores, of several distributions.
#include <gflags/gflags.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "applications/harness/harness.hpp"
#include "applications/messaging/trials.hpp"
#include "applications/sample_sort/check.hpp"
#include "system/base/flags.hpp"
#include "system/containers/sort.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_uint64(keys, 10'000'000, "number of 64-bit keys of the whole job");
DEFINE_string(distribution, "uniform",
              "distribution of the keys: uniform (all 64 bits random), few (a hundred values), equal (one "
              "value), sorted, reversed, or zipf (the k-th value is 1 / k times as frequent as the first)");
DEFINE_uint64(seed, 1, "seed of the random numbers; each trial has another");

namespace orujo::internal {
namespace {

using sample_sort::findings;
using sample_sort::inspect;
using sample_sort::key_array;

// Key i of n, from 64 random bits.
using draw = std::uint64_t (*)(std::uint64_t random, std::size_t i, std::size_t n);
struct distribution {
  std::string_view name;
  draw key;
};
constexpr distribution distributions[] = {
    {"uniform", [](std::uint64_t random, std::size_t, std::size_t) { return random; }},
    {"few", [](std::uint64_t random, std::size_t, std::size_t) { return random % 100; }},
    {"equal", [](std::uint64_t, std::size_t, std::size_t) { return std::uint64_t{1}; }},
    {"sorted", [](std::uint64_t, std::size_t i, std::size_t) { return std::uint64_t{i}; }},
    {"reversed", [](std::uint64_t, std::size_t i, std::size_t n) { return std::uint64_t{n - i}; }},
    {"zipf",  // the density of n^u is proportional to its inverse
     [](std::uint64_t random, std::size_t, std::size_t n) {
       return static_cast<std::uint64_t>(
           std::pow(static_cast<double>(n), static_cast<double>(random) * 0x1p-64));
     }},
};

const distribution* chosen_distribution() {
  const auto* const found = std::find_if(std::begin(distributions), std::end(distributions),
                                         [](const distribution& d) { return d.name == FLAGS_distribution; });
  return found == std::end(distributions) ? nullptr : found;
}
const flag_rule distribution_rule(
    "distribution", [] { return chosen_distribution() != nullptr; },
    "uniform, few, equal, sorted, reversed or zipf");
const flag_rule keys_rule(
    "keys", [] { return FLAGS_keys <= std::uint64_t{1} << 40; }, "at most 2^40");

void fill(const key_array& keys, std::uint64_t seed) {
  // The index in the table is the same in every process, a pointer to the function is not.
  const auto which = static_cast<std::size_t>(chosen_distribution() - distributions);
  loops::forall(keys,
                [which, seed, n = keys.size()](std::size_t i, std::uint64_t& key) {
                  key = distributions[which].key(mix64(mix64(seed) + i), i, n);
                },
                {.may_suspend = false});
}

// Sorts the keys, and returns the seconds.
double sort(const key_array& keys) {
  const auto begun = std::chrono::steady_clock::now();
  containers::sort(keys);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

status main_task() {
  auto stats_file = harness::open_stats();
  if (!stats_file.ok()) return stats_file.status();
  harness::print("keys: {}, {}, {} bytes ({})\n", harness::grouped(FLAGS_keys), FLAGS_distribution,
                 harness::grouped(FLAGS_keys * sizeof(std::uint64_t)), harness::job_shape_text());
  harness::stats stats{"sample_sort",
                       "keys",
                       {{"keys", FLAGS_keys}, {"distribution", FLAGS_distribution}, {"seed", FLAGS_seed}}};
  const auto keys = key_array::create(FLAGS_keys);
  for (int trial = 0; trial < harness::trials(); ++trial) {
    fill(keys, FLAGS_seed + static_cast<std::uint64_t>(trial));
    const findings before = harness::verify() ? inspect(keys) : findings{};
    const messaging::measured m{FLAGS_keys, sort(keys), sizeof(std::uint64_t)};
    harness::print("sample_sort: {}\n", describe(m, "keys"));
    add_trial(stats, m, "keys");
    if (!harness::verify()) continue;
    const findings after = inspect(keys);
    const bool right = after.of == before.of && after.descents == 0;
    stats.verified = right && stats.verified != false;
    harness::print("{}: {} smaller than the one before, and they are {} that were generated\n",
                   right ? "verified" : "NOT VERIFIED", harness::counted(after.descents, "key"),
                   after.of == before.of ? "those" : "not those");
  }
  keys.destroy();
  if (status written = write_stats(stats, stats_file.value()); !written.ok()) return written;
  if (stats.verified == false)
    return {exit_status::failed, "the keys are not sorted, or are not those that were generated"};
  return {};
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "sample_sort: benchmark of sorting 64-bit keys that are distributed over all cores.\n\n"
      "  bin/orujo run sample_sort --keys=20000000 --verify\n"
      "  bin/orujo run -n 2 -c 1 sample_sort --distribution=zipf --trials=5 --stats_json=stats.json",
      &orujo::internal::main_task);
}
