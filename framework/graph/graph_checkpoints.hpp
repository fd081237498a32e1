// Checkpoints of what goes on step by step on a graph: the runs of vertex programs, and algorithms with loops
// of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/graph_facts.hpp"
#include "framework/graph/program_state.hpp"
#include "system/checkpoint/checkpoint_loop.hpp"
#include "system/checkpoint/run_checkpoints.hpp"

namespace orujo::internal::graph {

// The checkpoints of an algorithm that one task on every core runs. Each core makes its part. The closure
// name(program_state&) names at every core what a checkpoint holds, the same each time. Without
// --checkpoint_dir all of it does nothing and costs nothing.
//
//   graph::graph_checkpoints checkpoints(g);
//   const auto name = [&](graph::program_state& kept) {
//     kept.add_vertices("left", left);
//     kept.add("level", level);
//   };
//   if (!checkpoints.resume(name)) start();
//   while (next_level()) { checkpoints.step(level, name); ... }
class graph_checkpoints {
 public:
  // [task; suspends; collective over the job] With --checkpoint_dir it passes over the edges once. With
  // `wanted` false it writes no checkpoints.
  explicit graph_checkpoints(const graph::locale_graph& g, bool wanted = true) : graph_(g) {
    if (wanted && checkpoint::wanted()) checkpoints_.emplace(graph_facts(g));
  }

  // [task; suspends; collective over the job] Restores the last checkpoint, and returns whether there was
  // one. Ends the job with bad_checkpoint if it does not fit.
  template <class Name>
  bool resume(Name name) {
    if (!checkpoints_) return false;
    return checkpoints_->resume(state_of(name));
  }
  // [task; suspends; collective over the job] Between two steps, after this number of them: writes a
  // checkpoint if one is due.
  template <class Name>
  void step(std::uint64_t steps, Name name) {
    if (checkpoints_ && checkpoints_->all_due(steps)) save(name);
  }

  // [task] What step() does, in two parts, for loops that have a collective anyway: at core 0, whether a
  // checkpoint is due; false at other cores.
  bool due(std::uint64_t steps) { return checkpoints_ && checkpoints_->due(steps); }
  // [task; suspends; collective over the job] Writes a checkpoint.
  template <class Name>
  void save(Name name) {
    (void)checkpoints_->save(state_of(name));  // which has warned
  }

 private:
  template <class Name>
  checkpoint::state state_of(Name name) {
    checkpoint::state all;
    program_state kept(all, graph_);
    name(kept);
    return all;
  }

  const graph::locale_graph& graph_;
  std::optional<checkpoint::run_checkpoints> checkpoints_;
};

namespace detail {

// A checkpoint_loop's closure that calls names(program_state&).
template <class Names>
struct names_of_graph {
  void operator()(checkpoint::state& all) const {
    program_state kept(all, graph.here());
    names(kept);
  }
  graph::distributed_graph graph;
  Names names;
};

}  // namespace detail

// The checkpoints of a loop over a graph that one task of core 0 runs, such as one over edge maps. Its
// members are those of checkpoint_loop. The closure names(program_state&) can travel, and names at every core
// what a checkpoint holds. Sets of vertices are not kept: a property says which vertices are members, and
// vertex_filter() makes the set again.
//
//   int level = 0;
//   graph::graph_checkpoint_loop checkpoints(
//       graph, [=, at = global_address(my_core(), &level)](graph::program_state& kept) {
//         kept.add("levels", levels);
//         kept.add("level", at);
//       });
//   vertex_set frontier = vertex_set::of(graph, {source});
//   if (checkpoints.resume())
//     frontier = vertex_filter(vertex_set::all(graph), [=](const vertex& v) { return levels[v] == level; });
//   for (; !frontier.empty(); ++level) {
//     checkpoints.step();
//     frontier = edge_map(frontier, ...);
//   }
template <class Names>
class graph_checkpoint_loop : public checkpoint::checkpoint_loop<detail::names_of_graph<Names>> {
 public:
  // [task at core 0; suspends] With --checkpoint_dir it passes over the edges once.
  graph_checkpoint_loop(graph::distributed_graph graph, Names names)
      : checkpoint::checkpoint_loop<detail::names_of_graph<Names>>({graph, std::move(names)},
                                                                   graph_facts(graph)) {}
};

// The progress of a run. An algorithm that is a vertex program on some process layouts only saves the same on
// others.
struct run_progress {
  std::int32_t supersteps = 0, pushed = 0;
  std::uint64_t edges = 0;
  std::uint64_t active = 0, active_out_edges = 0;
};

// Ends the job with a usage error if --checkpoint_dir is given. For core 0.
void refuse_checkpoints();

}  // namespace orujo::internal::graph
