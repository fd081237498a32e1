// The search of one source and its way back, while shortest paths through each vertex are counted: one core's
// part of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/algorithms/centrality_mirrors.hpp"
#include "framework/algorithms/centrality_state.hpp"
#include "framework/engine/frontier_size.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/mirror_rows.hpp"
#include "system/machine/isa.hpp"

namespace orujo::algorithms::detail {

// Made and used by one task per core. Barriers between the steps are the caller's: of the job behind clear(),
// of the locale where it says so.
class centrality_search {
 public:
  // place: among the searches that go side by side.
  centrality_search(const graph::locale_graph& g, centrality_state& shared, centrality_mirrors& mirrors,
                    const graph::mirror_rows* mirror_rows, std::size_t place);

  std::size_t place() const { return place_; }
  // [task] Clears this core's part of the locale's values.
  void clear();
  // [task; may suspend] Finds level 0, a vertex by its number.
  void start(std::uint64_t source);

  // The same at every core; so is what follows from it.
  bool has_frontier() const { return frontier_.vertices > 0; }
  // Whether one core had better go on by itself: push_alone().
  bool is_small() const { return locales() == 1 && frontier_.vertices + frontier_.out_edges < alone_below; }
  // Whether count_before() has something to do, before all of the locale may find().
  bool counts_before() const { return !counted_ && would_pull(); }
  // Whether count() has, after all of the locale have found.
  bool counts_behind() const { return counts_behind_; }

  // [task; may suspend] The numbers of paths of the frontier.
  void count_before();
  // [task; may suspend] Finds the vertices of the next level.
  void find();
  // [task] To the cores of its locale, who have it behind a barrier: what this core has found of the next
  // level, and what it was told of its mirrors.
  void offer_found() { offer(level_ + 1); }
  // [task; may suspend] The numbers of paths of what all have found.
  void count();
  // This core's part of the next level.
  engine::frontier_counts found() { return {list(level_ + 1).size(), step_.out_edges}; }
  // [task] All cores' parts of it are these, so it is the frontier.
  void enter(const engine::frontier_counts& all);
  // [task; suspends; collective over the job, of one locale] Levels of one core, until there is none or a
  // large one.
  void push_alone();

  // [task] Ends the way forward.
  void turn_back();
  std::size_t levels() const { return out_edges_.size(); }
  // Own vertices that this core has found.
  std::uint64_t reached() const;
  // [task] With is_shared(), before all of the locale go back from this level, behind a barrier.
  void offer_back() { offer(level_); }
  bool is_shared() const;
  // [task; may suspend] Adds the dependencies of the level's vertices to their scores, and tells mirrors.
  // Then the level before is this one.
  void go_back(std::span<double> scores);

  // That of the frontier, and on the way back the one to go back from.
  std::size_t level() const { return level_; }
  // Whether it takes much longer than a meeting.
  bool has_large_level() const {
    return out_edges_[level_] > large_level * static_cast<std::uint64_t>(cores());
  }

 private:
  // A frontier of so few vertices and out-edges is left to one core, which does without barriers.
  static constexpr std::uint64_t alone_below = 1024;
  static constexpr std::uint64_t large_level = std::uint64_t{1}
                                               << 16;  // out-edges of its vertices, for each core

  template <bool Alone>
  void push();
  void pull();
  void count_paths(std::size_t level);
  std::vector<std::uint32_t>& list(std::size_t level);
  template <class Visit>
  void take_vertices(shares_by_parity& shares, std::size_t level, Visit visit);
  void offer(std::size_t level);
  bool would_pull() const;

  const graph::locale_graph& graph_;
  const machine::instruction_set isa_ = machine::simd_from_flags();
  centrality_state& shared_;
  centrality_mirrors& mirrors_;
  const graph::mirror_rows* const mirror_rows_;  // null where there is one locale
  const std::size_t place_;
  const bool alone_;         // the only core of its locale
  const std::size_t chunk_;  // vertices
  centrality_step step_;

  std::vector<std::vector<std::uint32_t>> levels_;  // own vertices of the locale that this core has found
  // The same at every core.
  std::vector<bool> found_alone_;         // by level: all in the list of the locale's first core
  std::size_t level_ = 0;                 // one less than 0 before the first
  std::vector<std::uint64_t> out_edges_;  // by level
  engine::frontier_counts frontier_;
  std::uint64_t unseen_edges_ = 0;  // out-edges of vertices in no level before the frontier
  bool counted_ = false;            // whether the frontier has its numbers of paths
  bool counts_behind_ = false;
};

}  // namespace orujo::algorithms::detail
