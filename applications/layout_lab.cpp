// A laboratory for layouts of nodes that point to each other. It has the experiments of Roy, "Memory
// Hierarchy Sensitive Graph Layout" (arXiv 1203.5675), on a binary search tree and on graphs as linked
// records.
#include <fmt/format.h>
#include <gflags/gflags.h>
#include <glog/logging.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "applications/harness/graph_harness.hpp"
#include "applications/layout_lab/boost_records.hpp"
#include "applications/layout_lab/comparison.hpp"
#include "applications/layout_lab/cpu_seconds.hpp"
#include "applications/layout_lab/linked_graph.hpp"
#include "applications/layout_lab/live_tree.hpp"
#include "applications/layout_lab/search_tree.hpp"
#include "framework/graph/build/vertex_ids.hpp"
#include "framework/graph/numbering.hpp"
#include "framework/layout/flags.hpp"
#include "system/base/flags.hpp"
#include "system/base/random.hpp"
#include "system/runtime/runtime.hpp"

DECLARE_string(graph);
DECLARE_string(generate);
DEFINE_int32(depth, 0, "levels of a complete binary search tree to query; 0: no tree");
DEFINE_bool(node_pointer, false,
            "add an unused pointer to the nodes of the --depth tree, as a garbage collector would");
DEFINE_uint64(live, 0,
              "number of keys in a search tree that keys enter and leave during use; 0: no such tree");
DEFINE_double(churn, 0.2, "share of the --live keys that leave in a round; as many others enter");
DEFINE_int32(rounds, 5, "number of rounds of --live; after each the tree is laid out anew and searched");
DEFINE_uint64(queries, 1'000'000, "random keys to search for per trial");
DEFINE_string(layouts, "all",
              "layouts to measure: all, or a list of pseudorandom (always the first), bfs, dfs, veb (of the "
              "tree), levels (blocks of each size of --layout_levels alone), blocks (of all sizes)");
DEFINE_string(searches, "bfs,sssp", "searches of the graph: bfs, sssp or both, separated by commas");
DEFINE_bool(boost, false,
            "use a graph of the Boost Graph Library and its searches (breadth_first_search, "
            "dijkstra_shortest_paths)");
DEFINE_bool(huge_pages, true, "ask for huge pages");

namespace orujo::internal {
namespace {

using layout::block_levels;
using layout_lab::arrangement;
using layout_lab::comparison, layout_lab::median, layout_lab::trial_result;
using layout_lab::cpu_seconds;

// The items of a list with commas.
std::vector<std::string_view> items(std::string_view text) {
  std::vector<std::string_view> found;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    found.push_back(text.substr(0, comma));
    if (comma == text.size()) return found;
    text.remove_prefix(comma + 1);
  }
}

bool are_among(std::string_view text, std::initializer_list<std::string_view> names) {
  const auto all = items(text);
  return std::all_of(all.begin(), all.end(), [&](std::string_view item) {
    return std::find(names.begin(), names.end(), item) != names.end();
  });
}

const flag_rule depth_rule(
    "depth", [] { return FLAGS_depth >= 0 && FLAGS_depth <= 30; }, "from 0 to 30");
const flag_rule live_rule(
    "live", [] { return FLAGS_live <= std::uint64_t{1} << 30; }, "at most 2^30");
const flag_rule churn_rule(
    "churn", [] { return FLAGS_churn >= 0 && FLAGS_churn <= 1; }, "from 0 to 1");
const flag_rule rounds_rule(
    "rounds", [] { return FLAGS_rounds >= 1 && FLAGS_rounds <= 1000; }, "from 1 to 1000");
const flag_rule layouts_rule(
    "layouts",
    [] {
      return are_among(FLAGS_layouts, {"all", "pseudorandom", "bfs", "dfs", "veb", "levels", "blocks"});
    },
    "all, or a list of pseudorandom, bfs, dfs, veb, levels and blocks");
const flag_rule searches_rule(
    "searches",
    [] {
      return are_among(FLAGS_searches, {"bfs", "sssp"});
    },
    "bfs, sssp or bfs,sssp");

bool with_graph() { return !FLAGS_graph.empty() || !FLAGS_generate.empty(); }

// The edges of a graph are laid out as they are read, without directions or weights, in the orders of
// --layouts.
const base::flag_need unused({"layout", "layout_seed", "layout_vertex_bytes", "transpose",
                              "largest_component", "symmetrize", "remove_self_loops", "remove_duplicates",
                              "keep_weight", "ignore_weights", "weight_column", "time_column", "partition",
                              "partition_alpha", "placement", "segments", "bundle_depth", "strict"});
const base::flag_need depth_need(
    {"node_pointer"}, [] { return FLAGS_depth > 0; }, "with --depth");
const base::flag_need live_need(
    {"churn", "rounds"}, [] { return FLAGS_live > 0; }, "with --live");
const base::flag_need tree_need(
    {"queries"}, [] { return FLAGS_depth > 0 || FLAGS_live > 0; }, "with --depth or --live");
const base::flag_need graph_need({"searches", "boost"}, &with_graph, "with --graph or --generate");
const base::flag_need layouts_need(
    {"layouts"}, [] { return FLAGS_depth > 0 || with_graph(); }, "with --depth, --graph or --generate");

machine::pages wanted_pages() { return FLAGS_huge_pages ? machine::pages::huge : machine::pages::small; }

struct candidate {
  std::string name;
  arrangement how;
  block_levels levels = {};
};

// The layouts that --layouts names; veb is for trees only.
std::vector<candidate> candidates(bool tree) {
  const auto wanted = items(FLAGS_layouts);
  const auto wants = [&](std::string_view name) {
    return std::find(wanted.begin(), wanted.end(), name) != wanted.end() ||
           std::find(wanted.begin(), wanted.end(), "all") != wanted.end();
  };
  std::vector<candidate> chosen = {{"pseudorandom", arrangement::pseudorandom}};
  if (wants("bfs")) chosen.push_back({"bfs", arrangement::bfs});
  if (wants("dfs")) chosen.push_back({"dfs", arrangement::dfs});
  if (tree && wants("veb")) chosen.push_back({"veb", arrangement::veb});
  const block_levels levels = layout::request_from_flags().levels;
  for (const std::size_t bytes : levels) {
    if (wants("levels") && levels.size() > 1)
      chosen.push_back({fmt::format("blocks of {}", bytes), arrangement::blocks, {bytes}});
  }
  if (wants("blocks")) {
    chosen.push_back({fmt::format("blocks of {}", layout::to_text(levels)), arrangement::blocks, levels});
  }
  return chosen;
}

// Searches for random keys; the result is the number of visited nodes.
trial_result query(const layout_lab::search_tree& tree) {
  random_stream random(1);
  const std::uint64_t keys = (std::uint64_t{1} << FLAGS_depth) - 1;
  std::uint64_t visited = 0;
  const double start = cpu_seconds();
  for (std::uint64_t q = 0; q < FLAGS_queries; ++q) visited += tree.visits(1 + random.below(keys));
  return {cpu_seconds() - start, visited};
}

status measure_tree(harness::stats& stats) {
  const std::size_t node_bytes = sizeof(layout_lab::tree_node) + (FLAGS_node_pointer ? sizeof(void*) : 0);
  const layout_lab::search_tree pseudorandom(FLAGS_depth, arrangement::pseudorandom, {}, wanted_pages(),
                                             node_bytes);
  comparison all(
      fmt::format("search tree of depth {}{}", FLAGS_depth, FLAGS_node_pointer ? ", a pointer more" : ""),
      [&] { return query(pseudorandom); }, stats);
  for (const candidate& c : candidates(true)) {
    const layout_lab::search_tree tree(FLAGS_depth, c.how, c.levels, wanted_pages(), node_bytes);
    if (status s = all.add(
            c.name, [&] { return query(tree); }, tree.seconds());
        !s.ok())
      return s;
  }
  return {};
}

// The keys of the live trees: those that are present, in any order, and the number of all keys so far.
struct live_keys {
  std::vector<std::uint64_t> all;
  std::uint64_t made = 0;
  random_stream random{2};

  std::uint64_t make() {
    all.push_back(mix64(made++));  // no two are equal
    return all.back();
  }
  std::uint64_t take() {
    std::swap(all[random.below(all.size())], all.back());
    const std::uint64_t taken = all.back();
    all.pop_back();
    return taken;
  }
};

// A tree as it grows, and the layout after each round, if any.
struct flipped_tree {
  const char* name;
  std::optional<block_levels> levels;
  std::unique_ptr<layout_lab::live_tree> tree;
  double flip_seconds = 0;
  std::vector<double> seconds = {};  // of the searches, by trial
};

trial_result query(const layout_lab::live_tree& tree, const std::vector<std::uint64_t>& keys) {
  random_stream random(1);
  std::uint64_t visited = 0;
  const double start = cpu_seconds();
  for (std::uint64_t q = 0; q < FLAGS_queries; ++q) visited += tree.visits(keys[random.below(keys.size())]);
  return {cpu_seconds() - start, visited};
}

// Makes one round's changes, the same in every tree.
void churn(std::vector<flipped_tree>& trees, live_keys& keys) {
  const auto leaving = static_cast<std::uint64_t>(FLAGS_churn * static_cast<double>(FLAGS_live));
  for (std::uint64_t k = 0; k < leaving; ++k) {
    const std::uint64_t gone = keys.take(), made = keys.make();
    for (flipped_tree& t : trees) {
      CHECK(t.tree->erase(gone)) << "a key of the tree is not found";
      CHECK(t.tree->insert(made)) << "there is room for all that is ever made";
    }
  }
}

status measure_round(std::vector<flipped_tree>& trees, const live_keys& keys, int round,
                     harness::stats& stats) {
  for (flipped_tree& t : trees) {
    t.seconds.clear();
    if (t.levels) t.flip_seconds = t.tree->flip(*t.levels);
  }
  bool same = true;
  for (int k = 0; k < harness::trials(); ++k) {
    std::uint64_t answer = 0;
    for (flipped_tree& t : trees) {
      const trial_result found = query(*t.tree, keys.all);
      t.seconds.push_back(found.seconds);
      same &= &t == &trees.front() || found.answer == answer;
      answer = found.answer;
    }
  }
  for (const flipped_tree& t : trees) {
    const double gain = median(trees.front().seconds) / median(t.seconds);
    harness::print("live tree, round {}: {:<24} {:10.3f} ms, {:6.2f} times as fast as it grew{}\n", round,
                   t.name, median(t.seconds) * 1e3, gain,
                   t.levels ? fmt::format(", laid out in {:.3f} s", t.flip_seconds) : std::string());
    stats.trials.push_back({{"seconds", median(t.seconds)},
                            {"experiment", "live tree"},
                            {"layout", t.name},
                            {"round", round},
                            {"gain", gain},
                            {"layout_seconds", t.flip_seconds},
                            {"nodes", t.tree->nodes_in_use()}});
  }
  stats.verified = stats.verified.value_or(true) && same;
  if (same) return {};
  return {exit_status::failed,
          fmt::format("live tree, round {}: not all layouts give the same answers", round)};
}

status measure_live_tree(harness::stats& stats) {
  const auto made = static_cast<double>(FLAGS_live) * (1 + FLAGS_churn * FLAGS_rounds);
  std::vector<flipped_tree> trees;
  trees.push_back({"as it grew", std::nullopt, {}});
  trees.push_back({"breadth first", block_levels(), {}});
  trees.push_back({"blocks", layout::request_from_flags().levels, {}});
  for (flipped_tree& t : trees)
    t.tree = std::make_unique<layout_lab::live_tree>(static_cast<std::size_t>(made) + 1, wanted_pages());
  live_keys keys;
  for (std::uint64_t k = 0; k < FLAGS_live; ++k) {
    const std::uint64_t key = keys.make();
    for (flipped_tree& t : trees) CHECK(t.tree->insert(key)) << "there is room for all that is ever made";
  }
  for (int round = 1; round <= FLAGS_rounds; ++round) {
    churn(trees, keys);
    if (status s = measure_round(trees, keys, round, stats); !s.ok()) return s;
  }
  std::sort(keys.all.begin(), keys.all.end());
  for (const flipped_tree& t : trees) {
    if (t.tree->keys() == keys.all) continue;
    stats.verified = false;
    return {exit_status::failed,
            fmt::format("live tree: in layout '{}' keys are lost, or have come back", t.name)};
  }
  return {};
}

layout::vertex_sequence sequence_for(const layout::undirected_graph& g, arrangement how) {
  if (how == arrangement::bfs) return layout::breadth_first_order(g);
  if (how == arrangement::dfs) return layout::depth_first_order(g);
  const graph::numbering scattered = graph::numbering::scattered(g.vertices());
  layout::vertex_sequence order(g.vertices());
  for (std::uint64_t k = 0; k < order.size(); ++k)
    order[k] = static_cast<std::uint32_t>(scattered.position(k));
  return order;
}

template <class Records>
trial_result run_search(Records& records, bool weighted) {
  const layout_lab::linked_graph::outcome found =
      weighted ? records.shortest_paths() : records.breadth_first();
  return {found.seconds, found.checksum};
}

// Records: linked_graph or boost_records.
template <class Records>
status measure_search(const std::string& search, const layout::undirected_graph& g, harness::stats& stats) {
  const bool weighted = search == "sssp";
  Records pseudorandom(g, sequence_for(g, arrangement::pseudorandom), weighted, wanted_pages());
  comparison all(
      search + (FLAGS_boost ? " by Boost" : ""), [&] { return run_search(pseudorandom, weighted); }, stats);
  for (const candidate& c : candidates(false)) {
    const double start = cpu_seconds();
    const layout::vertex_sequence order = sequence_for(g, c.how);
    double layout_seconds = cpu_seconds() - start;
    Records records(g, order, weighted, wanted_pages());
    if (c.how == arrangement::blocks) layout_seconds = records.copy(c.levels, wanted_pages());
    if (status s = all.add(
            c.name, [&] { return run_search(records, weighted); }, layout_seconds);
        !s.ok())
      return s;
  }
  return {};
}

status measure_graph(harness::stats& stats) {
  const auto request = graph::load_request_from_flags();
  if (!request.ok()) return request.status();
  auto input = graph::read_serially(request.value().source);
  if (!input.ok()) return input.status();
  const auto ids = graph::vertex_ids::of_input(input.value());
  if (ids->count() >= ~std::uint32_t{0})
    return {exit_status::usage, "layout_lab takes graphs of fewer than 2^32 vertices"};
  graph::number_edges(input.value(), *ids);
  const layout::undirected_graph g =
      layout::make_undirected(static_cast<std::uint32_t>(ids->count()), input.value().mine.edges);
  input.value().mine = {};
  harness::print("graph: {}, {}, {}\n", request.value().source.name,
                 harness::counted(g.vertices(), "vertex", "vertices"), harness::counted(g.edges(), "edge"));
  for (const std::string_view search : items(FLAGS_searches)) {
    const status s = FLAGS_boost ? measure_search<layout_lab::boost_records>(std::string(search), g, stats)
                                 : measure_search<layout_lab::linked_graph>(std::string(search), g, stats);
    if (!s.ok()) return s;
  }
  return {};
}

status main_task() {
  if (cores() > 1) return {exit_status::usage, "layout_lab measures one core: run it with -n 1 -c 1"};
  if (FLAGS_depth == 0 && FLAGS_live == 0 && !with_graph())
    return {exit_status::usage,
            "nothing to lay out: pass --depth=22, --live=1000000, --generate=mesh2d:1000x1000 or --graph"};
  auto stats_file = harness::open_stats();
  if (!stats_file.ok()) return stats_file.status();
  harness::stats stats{
      "layout_lab",
      "input",
      {{"depth", FLAGS_depth}, {"live", FLAGS_live}, {"graph", FLAGS_graph + FLAGS_generate}}};
  stats.further["huge_pages"] = FLAGS_huge_pages;
  status done = FLAGS_depth > 0 ? measure_tree(stats) : status();
  if (done.ok() && FLAGS_live > 0) done = measure_live_tree(stats);
  if (done.ok() && with_graph()) done = measure_graph(stats);
  if (status written = write_stats(stats, stats_file.value()); !written.ok()) return written;
  return done;
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "layout_lab: benchmark of memory layouts of linked nodes, on one core: queries of a search "
      "tree and searches of a graph.\n\n"
      "  bin/orujo run -c 1 layout_lab --depth=22 --trials=5\n"
      "  bin/orujo run -c 1 layout_lab --live=1000000 --trials=3\n"
      "  bin/orujo run -c 1 layout_lab --generate=mesh2d:1000x1000 --trials=3",
      &orujo::internal::main_task);
}
