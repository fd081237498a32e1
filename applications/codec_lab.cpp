// A laboratory for the codecs of vertex lists. It measures their ratio and speed on the frontiers of searches
// and on synthetic lists, as in tables 5.4 and 5.5 of "Optimizing Communication by Compression for Multi-GPU
// Scalable Breadth-First Search" (Heidelberg, 2016).
#include <fmt/format.h>
#include <gflags/gflags.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "applications/harness/graph_harness.hpp"
#include "applications/harness/sources.hpp"
#include "framework/algorithms/breadth_first_search.hpp"
#include "framework/exchange/codecs/selection.hpp"
#include "framework/layout/load.hpp"
#include "system/base/flags.hpp"
#include "system/base/random.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_int32(log2_ids, 21,
             "base-2 logarithm of the number of vertices that generated lists are sampled from; 0: no "
             "generated lists");
DEFINE_double(round_ms, 4, "length of a measurement in milliseconds; the median of five counts");

namespace orujo::internal {
namespace {

using exchange::codec;
using list = std::vector<std::uint32_t>;

const flag_rule ids_rule(
    "log2_ids", [] { return FLAGS_log2_ids >= 0 && FLAGS_log2_ids <= 30; }, "from 0 to 30");
const flag_rule round_rule(
    "round_ms", [] { return FLAGS_round_ms >= 0 && FLAGS_round_ms <= 1000; }, "from 0 to 1000");

// Seconds of one call: the median of five rounds, each of as many calls as fill its time.
template <class Function>
double seconds_of(Function function) {
  using clock = std::chrono::steady_clock;
  std::vector<double> rounds;
  for (int r = 0; r < 5; ++r) {
    const auto start = clock::now();
    double elapsed = 0;
    int calls = 0;
    do {
      function();
      ++calls;
      elapsed = std::chrono::duration<double>(clock::now() - start).count();
    } while (elapsed * 1e3 < FLAGS_round_ms);
    rounds.push_back(elapsed / calls);
  }
  std::nth_element(rounds.begin(), rounds.begin() + 2, rounds.end());
  return rounds[2];
}

// Sums over some lists, of one codec.
struct figures {
  std::uint64_t integers = 0, bytes = 0;
  double compress_seconds = 0, decompress_seconds = 0;
  std::size_t declined = 0;  // lists that the codec declines as not worth it; they are in no other sum

  double bits() const { return 8 * static_cast<double>(bytes) / static_cast<double>(integers); }
  double compress_rate() const { return static_cast<double>(integers) / compress_seconds * 1e-9; }
  double decompress_rate() const { return static_cast<double>(integers) / decompress_seconds * 1e-9; }
};

// Adds one list; returns false if the codec does not restore it.
bool measure(const codec& c, const list& l, figures& to) {
  std::vector<std::byte> into(c.room(l.size()));
  const std::size_t bytes = c.encode(l, into);
  if (bytes == exchange::does_not_pay) {
    ++to.declined;
    return true;
  }
  list back(l.size());
  to.compress_seconds += seconds_of([&] { c.encode(l, into); });
  bool right = true;
  to.decompress_seconds += seconds_of([&] { right &= c.decode(std::span(into).first(bytes), back).ok(); });
  to.integers += l.size();
  to.bytes += bytes;
  return right && back == l;
}

double memcpy_seconds(const list& l) {
  list copy(l.size());
  return seconds_of([&] {
    std::memcpy(copy.data(), l.data(), l.size() * sizeof l[0]);
    asm volatile("" : : "r"(copy.data()) : "memory");  // keeps the result from being optimised away
  });
}

// The entropy of the gaps of all lists together, in bits per gap: -sum p log2 p. A list's first integer is a
// gap from -1.
double entropy_of_gaps(const std::vector<list>& lists) {
  list gaps;
  for (const list& l : lists) {
    for (std::size_t k = 0; k < l.size(); ++k) gaps.push_back(k == 0 ? l[0] + 1 : l[k] - l[k - 1]);
  }
  std::sort(gaps.begin(), gaps.end());
  double entropy = 0;
  for (std::size_t k = 0; k < gaps.size();) {
    const auto end = static_cast<std::size_t>(
        std::upper_bound(gaps.begin() + static_cast<std::ptrdiff_t>(k), gaps.end(), gaps[k]) - gaps.begin());
    const double p = static_cast<double>(end - k) / static_cast<double>(gaps.size());
    entropy -= p * std::log2(p);
    k = end;
  }
  return entropy;
}

// Prints a table over the lists, and adds its figures to --stats_json.
status tell(const std::string& name, const std::vector<list>& lists, harness::stats& stats) {
  std::uint64_t integers = 0, range = 0;
  double copy_seconds = 0;
  std::string chosen;
  for (const list& l : lists) {
    integers += l.size();
    range += std::uint64_t{l.back()} - l.front() + 1;
    copy_seconds += memcpy_seconds(l);
    const std::string_view choice =
        exchange::choose_codec(exchange::codec_options_from_flags(), l, false).name;
    if (chosen.find(choice) == std::string::npos) chosen.append(chosen.empty() ? "" : ", ").append(choice);
  }
  const double density = static_cast<double>(integers) / static_cast<double>(range);
  const double entropy = entropy_of_gaps(lists);
  const double copy_rate = static_cast<double>(integers) / copy_seconds * 1e-9;
  harness::print("\n{}: {} in {}, density {:.4f}, entropy {:.2f} bits, memcpy {:.2f} G/s, {} chosen\n", name,
                 harness::counted(integers, "integer"), harness::counted(lists.size(), "list"), density,
                 entropy, copy_rate, chosen);
  harness::print("  {:<14}{:>8}{:>12}{:>16}{:>18}\n", "codec", "ratio", "bits/int", "compress G/s",
                 "decompress G/s");
  for (const codec* c : exchange::codecs()) {
    figures f;
    for (const list& l : lists) {
      if (!measure(*c, l, f))
        return {exit_status::failed, fmt::format("{} does not give back {}", c->name, name)};
    }
    if (f.integers == 0) {
      harness::print("  {:<14}  longer than raw\n", c->name);
      continue;
    }
    harness::print("  {:<14}{:>8.2f}{:>12.2f}{:>16.2f}{:>18.2f}{}\n", c->name, 32 / f.bits(), f.bits(),
                   f.compress_rate(), f.decompress_rate(),
                   f.declined
                       ? fmt::format("  (without {}: longer than raw)", harness::counted(f.declined, "list"))
                       : "");
    stats.trials.push_back({{"lists", name},
                            {"codec", std::string(c->name)},
                            {"integers", f.integers},
                            {"density", density},
                            {"entropy_bits", entropy},
                            {"bits", f.bits()},
                            {"compress_per_second", f.compress_rate() * 1e9},
                            {"decompress_per_second", f.decompress_rate() * 1e9},
                            {"memcpy_per_second", copy_rate * 1e9}});
  }
  return {};
}

// [task; suspends] The frontiers of a search, each ascending.
std::vector<list> frontiers(graph::distributed_graph graph, std::uint64_t source) {
  struct place {
    std::uint32_t level, vertex;
  };
  std::vector<list> levels = loops::on_all_cores([=] {
    algorithms::breadth_first_search search(graph.here());
    search.run(source);
    std::vector<place> mine;
    search.for_each_reached([&](std::uint32_t vertex, std::uint64_t, std::size_t level) {
      mine.push_back({static_cast<std::uint32_t>(level), vertex});
    });
    std::vector<list> found;
    for (const auto& part : collectives::gather(mine, 0)) {
      for (const place& p : part) {
        if (found.size() <= p.level) found.resize(p.level + 1);
        found[p.level].push_back(p.vertex);
      }
    }
    return found;
  });
  for (list& l : levels) std::sort(l.begin(), l.end());
  return levels;
}

// Integers below 2^log2_ids with gaps drawn by gap(random number in (0, 1]).
template <class Gap>
list made(Gap gap) {
  random_stream random(1);
  list l;
  const double end = std::exp2(FLAGS_log2_ids);
  for (double x = 0; x < end; x += gap((static_cast<double>(random() >> 11) + 1) * 0x1p-53))
    l.push_back(static_cast<std::uint32_t>(x));
  return l;
}

status measure_made_lists(harness::stats& stats) {
  if (FLAGS_log2_ids == 0) return {};
  for (const double density : {0.001, 0.01, 0.1, 0.25, 0.5, 0.9}) {
    // Every vertex is in the list or not, independently: gaps of the geometric distribution.
    const auto gap = [density](double u) { return 1 + std::floor(std::log(u) / std::log1p(-density)); };
    if (status s = tell(fmt::format("uniform, {}", density), {made(gap)}, stats); !s.ok()) return s;
  }
  for (const double scale : {100., 10., 1., 0.1}) {
    // P(gap > g) falls as 1 / g: clusters with wide holes between them.
    const auto gap = [scale](double u) { return 1 + std::floor(scale * (1 / u - 1)); };
    if (status s = tell(fmt::format("zipf, scale {}", scale), {made(gap)}, stats); !s.ok()) return s;
  }
  return {};
}

status measure_frontiers(const graph::loaded_graph& loaded, harness::stats& stats) {
  const auto sources = harness::choose_sources(loaded, harness::trials());
  if (!sources.ok()) return sources.status();
  for (const harness::search_source& from : sources.value()) {
    std::vector<list> levels = frontiers(loaded.graph, from.number);
    for (std::size_t level = 0; level < levels.size(); ++level) {
      const std::string name = fmt::format("frontier {} from {}", level, from.label());
      if (status s = tell(name, {levels[level]}, stats); !s.ok()) return s;
    }
    if (status s = tell(fmt::format("all frontiers from {}", from.label()), levels, stats); !s.ok()) return s;
  }
  return {};
}

status main_task() {
  if (locales() > 1) return {exit_status::usage, "codec_lab measures one core: run it with -n 1"};
  auto stats_file = harness::open_stats();
  if (!stats_file.ok()) return stats_file.status();
  auto loaded =
      layout::load_from_flags({.in_vectors = false, .in_rows = true, .out_rows = true, .weights = false});
  if (!loaded.ok()) return loaded.status();
  const graph::loaded_graph& g = loaded.value();
  harness::stats stats = harness::tell_graph("codec_lab", g);
  status done = measure_frontiers(g, stats);
  if (done.ok()) done = measure_made_lists(stats);
  g.graph.destroy();
  if (status written = write_stats(stats, stats_file.value()); !written.ok()) return written;
  return done;
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(argc, argv,
                    "codec_lab: benchmark of the codecs of vertex lists, on one core.\n\n"
                    "  bin/orujo run -c 1 codec_lab --generate=kronecker:20 --symmetrize\n"
                    "  bin/orujo run -c 1 codec_lab --generate=uniform:20 --symmetrize --log2_ids=0",
                    &orujo::internal::main_task);
}
