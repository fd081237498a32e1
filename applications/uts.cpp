// Unbalanced tree search: counts the nodes of a tree in which some subtrees are thousands of times as large
// as others, unpredictably. It measures how well public tasks spread over the cores of the job.
#include <fmt/format.h>
#include <gflags/gflags.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "applications/harness/harness.hpp"
#include "applications/uts/tree.hpp"
#include "system/base/flags.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/delegates/stealing.hpp"
#include "system/loops/forall.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_string(tree, "T1",
              "tree to search: T1, T5, T3 (4 million nodes), T1L, T3L (over 100 million), or geometric, "
              "linear or binomial, described by the other flags");
DEFINE_double(root_children, 4,
              "children of the root; of a geometric or linear tree the mean over all nodes");
DEFINE_uint32(max_depth, 10, "maximum depth of a geometric or linear tree");
DEFINE_uint32(children, 8, "children of an inner node of a binomial tree");
DEFINE_double(probability, 0.1, "probability that a node of a binomial tree has children");
DEFINE_uint32(seed, 19, "seed of the tree");
DEFINE_uint32(chunk, 16, "nodes that become a task for any core, once a task has twice as many open");
DEFINE_bool(serial, false, "also search the tree by one loop without tasks, and compare the rates");

namespace orujo::internal {
namespace {

using uts::node;
using uts::sums;
using uts::tree;

constexpr std::uint32_t largest_chunk = 32;

const uts::sample_tree* chosen_sample() {
  for (const uts::sample_tree& s : uts::sample_trees()) {
    if (s.name == FLAGS_tree) return &s;
  }
  return nullptr;
}

const flag_rule tree_rule(
    "tree",
    [] {
      return chosen_sample() || FLAGS_tree == "geometric" || FLAGS_tree == "linear" ||
             FLAGS_tree == "binomial";
    },
    "T1, T5, T3, T1L, T3L, geometric, linear or binomial");
const flag_rule root_rule(
    "root_children", [] { return FLAGS_root_children >= 0 && FLAGS_root_children <= 1e6; },
    "from 0 to 1000000");
const flag_rule depth_rule(
    "max_depth", [] { return FLAGS_max_depth >= 1 && FLAGS_max_depth <= 1000; }, "from 1 to 1000");
const flag_rule children_rule(
    "children", [] { return FLAGS_children <= 100; }, "at most 100");
const flag_rule probability_rule(
    "probability", [] { return FLAGS_probability >= 0 && FLAGS_probability * FLAGS_children < 1; },
    "at least 0, and with --children less than 1 child per node, or the tree has no end");
const flag_rule chunk_rule(
    "chunk", [] { return FLAGS_chunk >= 1 && FLAGS_chunk <= largest_chunk; }, "from 1 to 32");

const base::flag_need made_need(
    {"root_children", "seed"}, [] { return !chosen_sample(); }, "with --tree=geometric, linear or binomial");
const base::flag_need depth_need(
    {"max_depth"}, [] { return FLAGS_tree == "geometric" || FLAGS_tree == "linear"; },
    "with --tree=geometric or linear");
const base::flag_need binomial_need(
    {"children", "probability"}, [] { return FLAGS_tree == "binomial"; }, "with --tree=binomial");

tree chosen_tree() {
  if (const uts::sample_tree* sample = chosen_sample()) return sample->of;
  return {.family = FLAGS_tree == "binomial" ? uts::family::binomial
                    : FLAGS_tree == "linear" ? uts::family::geometric_linear
                                             : uts::family::geometric_fixed,
          .root_children = FLAGS_root_children,
          .max_depth = FLAGS_max_depth,
          .children = FLAGS_children,
          .probability = FLAGS_probability,
          .seed = FLAGS_seed};
}

// The counts of this core.
thread_local sums counted_here;
thread_local std::uint64_t tasks_here;

// Some subtrees, to be searched by any core.
struct subtrees {
  delegates::event_ref event;
  tree of;
  std::uint32_t count = 0;  // of the nodes
  std::uint32_t chunk = 0;  // of those that are given away
  std::array<node, largest_chunk> nodes;

  // Depth first. The nodes nearest to the root are given away, because most of the tree is below them.
  void operator()() const {
    ++tasks_here;
    std::vector<node> open(nodes.begin(), nodes.begin() + count);
    for (std::uint64_t step = 1; !open.empty(); ++step) {
      uts::expand(of, open, counted_here);
      std::size_t given = 0;
      for (; open.size() - given >= std::size_t{2} * chunk; given += chunk) give_away(open, given);
      open.erase(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(given));
      if (step % 256 == 0) tasks::yield();
    }
  }

 private:
  void give_away(const std::vector<node>& open, std::size_t first) const {
    subtrees given{event, of, chunk, chunk, {}};
    std::copy_n(open.begin() + static_cast<std::ptrdiff_t>(first), chunk, given.nodes.begin());
    delegates::async_spawn_public(event, given);
  }
};

struct outcome {
  sums counted;
  std::uint64_t tasks, stolen;
  double seconds;
};

outcome search(const tree& t) {
  const auto stolen = [] {
    return delegates::sum_of_all([] { return delegates::public_tasks::here().stolen(); });
  };
  loops::on_all_cores([] {
    counted_here = {};
    tasks_here = 0;
  });
  const std::uint64_t stolen_before = stolen();
  const auto begun = std::chrono::steady_clock::now();
  delegates::completion_event searched;
  delegates::async_spawn_public(searched.ref(), subtrees{searched.ref(), t, 1, FLAGS_chunk, {t.root()}});
  searched.wait();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
  return {delegates::sum_of_all([] { return counted_here; }),
          delegates::sum_of_all([] { return tasks_here; }), stolen() - stolen_before, taken.count()};
}

std::string describe(const tree& t) {
  if (t.family == uts::family::binomial) {
    return fmt::format("binomial, {} children of the root, below {} with probability {}, seed {}",
                       static_cast<std::uint32_t>(t.root_children), t.children, t.probability, t.seed);
  }
  return fmt::format("{}, {} children {}, depth {}, seed {}",
                     t.family == uts::family::geometric_linear ? "linear" : "geometric", t.root_children,
                     t.family == uts::family::geometric_linear ? "of the root" : "on average", t.max_depth,
                     t.seed);
}

double rate(const sums& counted, double seconds) { return static_cast<double>(counted.nodes) / seconds; }

status main_task() {
  auto stats_file = harness::open_stats();
  if (!stats_file.ok()) return stats_file.status();
  const uts::sample_tree* sample = chosen_sample();
  const tree t = chosen_tree();
  harness::print("tree: {}{} ({})\n", sample ? sample->name + ", " : "", describe(t),
                 harness::job_shape_text());
  harness::stats stats{"uts", "tree", {{"tree", FLAGS_tree}, {"description", describe(t)}}};
  stats.further = {{"chunk", FLAGS_chunk}};

  // The right sums are published, or counted by one loop.
  sums expected = sample ? sample->published : sums{};
  double serial_rate = 0;
  if (FLAGS_serial || (harness::verify() && !sample)) {
    const auto begun = std::chrono::steady_clock::now();
    expected = uts::search_serially(t);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
    serial_rate = rate(expected, taken.count());
    harness::print("one loop: {} in {:.4f} s: {} nodes/s\n", harness::counted(expected.nodes, "node"),
                   taken.count(), harness::engineering(serial_rate));
    stats.further["serial_nodes_per_second"] = serial_rate;
    if (sample) expected = sample->published;
  }
  for (int trial = 0; trial < harness::trials(); ++trial) {
    const outcome o = search(t);
    const double nodes_per_second = rate(o.counted, o.seconds);
    harness::print(
        "uts: {}, {}, depth {}, in {:.4f} s: {} nodes/s, {} per core; {}, {} of them "
        "stolen\n",
        harness::counted(o.counted.nodes, "node"), harness::counted(o.counted.leaves, "leaf", "leaves"),
        o.counted.depth, o.seconds, harness::engineering(nodes_per_second),
        harness::engineering(nodes_per_second / cores()), harness::counted(o.tasks, "task"),
        harness::grouped(o.stolen));
    if (FLAGS_serial)
      harness::print("     {:.2f} of {} times the loop's rate\n", nodes_per_second / serial_rate / cores(),
                     cores());
    stats.trials.push_back({{"seconds", o.seconds},
                            {"nodes_per_second", nodes_per_second},
                            {"nodes", o.counted.nodes},
                            {"leaves", o.counted.leaves},
                            {"depth", o.counted.depth},
                            {"tasks", o.tasks},
                            {"stolen", o.stolen}});
    if (!harness::verify()) continue;
    const bool right = o.counted == expected;
    stats.verified = right && stats.verified != false;
    harness::print("{}: nodes, leaves and depth are {} {}\n", right ? "verified" : "NOT VERIFIED",
                   right ? "as" : "not as", sample ? "published" : "one loop counts them");
  }
  if (status written = write_stats(stats, stats_file.value()); !written.ok()) return written;
  if (stats.verified == false) return {exit_status::failed, "the tree was not searched as it is"};
  return {};
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(argc, argv,
                    "uts: unbalanced tree search, a benchmark of dynamic load balancing.\n\n"
                    "  bin/orujo run uts --verify\n"
                    "  bin/orujo run -n 2 -c 1 uts --tree=T1L --serial --trials=5 --stats_json=stats.json",
                    &orujo::internal::main_task);
}
