// One core's part of a search that counts the shortest paths from one source, and of its way back.
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
#include "framework/steps/row_order.hpp"
#include "system/machine/isa.hpp"

namespace orujo::internal::algorithms::detail {

// One task per core constructs and uses it. The caller puts barriers between the steps: a barrier of the job
// after clear(), barriers of the locale where a comment says so.
class centrality_search {
 public:
  // `place` is the index among the searches that go side by side. Numbers of paths of a level may be longer
  // than those of the level before by `bits_per_level` bits.
  centrality_search(const graph::locale_graph& g, centrality_state& shared, centrality_mirrors& mirrors,
                    const graph::mirror_rows* mirror_rows, std::size_t place, std::uint64_t bits_per_level);

  std::size_t place() const { return place_; }
  // [task] Clears this core's part of the locale's values.
  void clear();
  // [task; may suspend] Finds level 0, the vertex of this number.
  void start(std::uint64_t source);

  // This is the same at every core, and so is all that follows from it.
  bool has_frontier() const { return frontier_.vertices > 0; }
  // True if the frontier is so small that push_alone() is faster.
  bool is_small() const { return graph::one_core_is_faster(frontier_.vertices + frontier_.out_edges); }
  // True if count_before() has something to do, before all cores of the locale call find().
  bool counts_before() const { return !counted_ && would_pull(); }
  // True if count() has something to do, after all cores of the locale have called find().
  bool counts_behind() const { return counts_behind_; }

  // True if numbers of paths may be near the end of double's range, by the bound that degrees give. Then the
  // caller passes the maximum of all cores' most_bits_counted() to know_most() before more paths are counted.
  bool may_overflow() const {
    return has_frontier() && !is_scaled() && bits_bound() + 2 * bits_per_level_ > most_bits;
  }
  // [task] The bits of the largest number of paths that this core has found.
  std::uint64_t most_bits_counted() const;
  // [task] Makes the search is_scaled() from the next level on if `bits` is large. Before that level is
  // counted, one core of each locale calls make_exponents(), and a barrier of the job follows.
  void know_most(std::uint64_t bits);
  bool is_scaled() const { return scaled_from_ != never; }
  void make_exponents();

  // [task; may suspend] Counts the paths to the frontier's vertices.
  void count_before();
  // [task; may suspend] Finds the vertices of the next level.
  void find();
  // [task] Offers the cores of the locale what this core has found of the next level, and the mirrors of that
  // level that it has received. They may take both after a barrier.
  void offer_found() { offer(level_ + 1); }
  // [task; may suspend] Counts the paths to the vertices that all cores of the locale have found.
  void count();
  // [task; may suspend] On several locales, reports the next level to its mirrors, after all cores of the
  // locale have offered and counted it.
  void tell_mirrors();
  // The size of this core's part of the next level.
  steps::frontier_counts found() { return {list(level_ + 1).size(), step_.out_edges}; }
  // [task] Makes the next level the frontier. `all` is the sum of found() over all cores.
  void enter(const steps::frontier_counts& all);
  // [task; suspends; collective over the job, of one locale] The first core passes levels alone until one is
  // empty or large.
  void push_alone();

  // [task] Ends the way forward.
  void turn_back();
  std::size_t levels() const { return out_edges_.size(); }
  // The number of own vertices that this core has found.
  std::uint64_t reached() const;
  // [task] If is_shared(), offers this level before all cores of the locale go back from it. A barrier
  // follows.
  void offer_back() { offer(level_); }
  bool is_shared() const;
  // [task; may suspend] Adds the dependencies of the level's vertices to their scores, and steps to the level
  // before. Level 0 is passed only if edges have scores.
  void go_back(const centrality_scores& scores);
  bool is_back(bool with_edges) const { return level_ == (with_edges ? before_first : 0); }
  // [task; may suspend] On several locales, reports the level after this one to its mirrors, once all cores
  // of the locale have gone back from it.
  void tell_mirrors_back(bool with_edges);
  // [task; suspends] On several locales, returns when this core has the values of the level after this one,
  // if there is one.
  void await_mirrors_back();

  // The level of the frontier; on the way back, the level to go back from next.
  std::size_t level() const { return level_; }
  // True if the level takes much longer than a reduction.
  bool has_large_level() const {
    return out_edges_[level_] > large_level * static_cast<std::uint64_t>(cores());
  }

 private:
  // A level is large if its vertices have more out-edges than this for each core of the job.
  static constexpr std::uint64_t large_level = std::uint64_t{1} << 16;

  // Bits that numbers of paths may have without scaling. Their sums are then far from the upper end of
  // double's range, and their reciprocals far from its lower end.
  static constexpr std::uint64_t most_bits = 1000;
  // Numbers that may exceed most_bits within this many levels are scaled at once, because every measurement
  // costs a reduction.
  static constexpr std::uint64_t few_levels = 8;
  static constexpr std::size_t never = ~std::size_t{0};
  static constexpr std::size_t before_first = ~std::size_t{0};  // level

  // The last level whose paths are counted, and a bound on the bits of their numbers.
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
  template <bool Alone>
  void push_mirrors();
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
  const bool alone_;         // this is the only core of its locale
  const std::size_t chunk_;  // vertices
  const std::uint64_t bits_per_level_;
  centrality_step step_;

  steps::row_order order_{graph_.own};
  std::vector<std::vector<std::uint32_t>> levels_;  // own vertices of the locale that this core has found
  // These are the same at every core.
  std::vector<bool> found_alone_;         // by level: the locale's first core has found all of it
  std::size_t level_ = 0;                 // 2^64 - 1 before the first
  std::vector<std::uint64_t> out_edges_;  // by level
  steps::frontier_counts frontier_;
  std::uint64_t unseen_edges_ = 0;   // out-edges of vertices in no level before the frontier
  bool counted_ = false;             // whether the frontier has its numbers of paths
  std::size_t known_level_ = 0;      // last level whose numbers of paths were measured
  std::uint64_t known_bits_ = 0;     // the most that any of these numbers has
  std::size_t scaled_from_ = never;  // first level with scaled numbers of paths
  bool counts_behind_ = false;
};

}  // namespace orujo::internal::algorithms::detail
