// The search of one source and its way back, while shortest paths through each vertex are counted: one core's
// part of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/algorithms/centrality_mirrors.hpp"
#include "framework/algorithms/centrality_state.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/mirror_rows.hpp"
#include "framework/steps/frontier_size.hpp"
#include "system/machine/isa.hpp"

namespace orujo::algorithms::detail {

// Made and used by one task per core. Barriers between the steps are the caller's: of the job behind clear(),
// of the locale where it says so.
class centrality_search {
 public:
  // place: among the searches that go side by side. bits_per_level: by which the numbers of paths of a level
  // may be longer than those of the level before.
  centrality_search(const graph::locale_graph& g, centrality_state& shared, centrality_mirrors& mirrors,
                    const graph::mirror_rows* mirror_rows, std::size_t place, std::uint64_t bits_per_level);

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

  // Numbers of paths may have come near the end of double's range, by the bound that degrees give. Then
  // know_most() is called with the most of all cores' most_bits_counted() before more are counted.
  bool may_overflow() const {
    return has_frontier() && !is_scaled() && bits_bound() + 2 * bits_per_level_ > most_bits;
  }
  // [task] The bits of the largest number that this core has found.
  std::uint64_t most_bits_counted() const;
  // [task] If bits are many, the search is_scaled() from the next level on. Before that level is counted, a
  // core of each locale calls make_exponents(), and a barrier of the job follows.
  void know_most(std::uint64_t bits);
  bool is_scaled() const { return scaled_from_ != never; }
  void make_exponents();

  // [task; may suspend] The numbers of paths of the frontier.
  void count_before();
  // [task; may suspend] Finds the vertices of the next level.
  void find();
  // [task] To the cores of its locale, who have it behind a barrier: what this core has found of the next
  // level, and what it was told of its mirrors.
  void offer_found() { offer(level_ + 1); }
  // [task; may suspend] The numbers of paths of what all have found.
  void count();
  // [task; may suspend] On several locales, after all cores of the locale have offered and counted the next
  // level: reports it to its mirrors.
  void tell_mirrors();
  // This core's part of the next level.
  steps::frontier_counts found() { return {list(level_ + 1).size(), step_.out_edges}; }
  // [task] All cores' parts of it are these, so it is the frontier.
  void enter(const steps::frontier_counts& all);
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
  // [task; may suspend] Adds the dependencies of the level's vertices to their scores. Then the level before
  // is this one.
  void go_back(std::span<double> scores);
  // On several locales, of the level behind this one:
  // [task; may suspend] After all cores of the locale have gone back from it: reports it to its mirrors.
  void tell_mirrors_back();
  // [task; suspends] Returns when this core has what is reported to it. There may be no such level.
  void await_mirrors_back();

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

  // Bits that numbers of paths may have without scaling: their sums are far from the end of double's range,
  // and their reciprocals from its other end.
  static constexpr std::uint64_t most_bits = 1000;
  // Numbers that may have these bits after so few levels are scaled, as measuring them costs a reduction.
  static constexpr std::uint64_t few_levels = 8;
  static constexpr std::size_t never = ~std::size_t{0};

  // The last level whose paths are counted, and how many bits their numbers have at most.
  std::size_t counted_level() const { return counted_ ? level_ : level_ - 1; }
  std::uint64_t bits_bound() const {
    return known_bits_ + (counted_level() - known_level_) * bits_per_level_;
  }

  template <class Visit>
  void with_values(std::size_t level, std::size_t last_level, Visit visit);
  void count_chunk(std::span<const std::uint32_t> chunk, std::size_t level);
  std::uint64_t pass_levels();
  template <bool Alone>
  void push();
  void pull();
  void count_paths(std::size_t level);
  std::vector<std::uint32_t>& list(std::size_t level);
  std::span<const std::uint32_t> found_of(std::size_t level) const;
  template <class Visit>
  void take_vertices(shared_lists& shares, std::size_t level, Visit visit);
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
  const std::uint64_t bits_per_level_;
  centrality_step step_;

  std::vector<std::vector<std::uint32_t>> levels_;  // own vertices of the locale that this core has found
  // The same at every core.
  std::vector<bool> found_alone_;         // by level: all in the list of the locale's first core
  std::size_t level_ = 0;                 // one less than 0 before the first
  std::vector<std::uint64_t> out_edges_;  // by level
  steps::frontier_counts frontier_;
  std::uint64_t unseen_edges_ = 0;   // out-edges of vertices in no level before the frontier
  bool counted_ = false;             // whether the frontier has its numbers of paths
  std::size_t known_level_ = 0;      // whose numbers of paths have at most
  std::uint64_t known_bits_ = 0;     // so many bits
  std::size_t scaled_from_ = never;  // first level with scaled numbers of paths
  bool counts_behind_ = false;
};

}  // namespace orujo::algorithms::detail
