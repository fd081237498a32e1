// Active vertices of a core in the next superstep, and the outcome of a superstep.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "framework/gas/arena.hpp"
#include "framework/gas/members.hpp"
#include "framework/gas/program.hpp"
#include "framework/gas/push_phase.hpp"
#include "framework/gas/run_options.hpp"
#include "framework/gas/touch_phase.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/steps/direction.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::gas::detail {

// Programs that cannot push have no such phase.
template <class Program>
struct push_phase_of {
  using type = int;
};
template <incremental_program Program>
struct push_phase_of<Program> {
  using type = push_phase<Program>;
};
template <incremental_scalar_program Program>
struct push_phase_of<Program> {
  using type = touch_phase<Program>;
};

template <class Program>
inline constexpr bool has_settling_vertices = vectors::settling_program<Program> && !scalar_program<Program>;

// The outcome of a superstep, of one core or of all.
template <vertex_program Program>
struct superstep_outcome {
  typename Program::aggregate sums;
  std::uint64_t active = 0;
  std::uint64_t active_out_edges = 0;
  std::uint64_t edges = 0;    // examined, where the phase counts them
  std::uint64_t due = 0;      // greater than 0: a checkpoint is due
  std::uint64_t stopped = 0;  // greater than 0: no further superstep is to begin
  std::uint64_t untold = 0;   // cores whose active vertices mirrors have not received
  std::uint64_t passed = 0;   // further supersteps that one core has made by itself

  superstep_outcome& operator+=(const superstep_outcome& other) {
    sums += other.sums;
    active += other.active;
    active_out_edges += other.active_out_edges;
    edges += other.edges;
    due += other.due;
    stopped += other.stopped;
    untold += other.untold;
    passed += other.passed;
    return *this;
  }
};

// One core's part; made and used by one task per core. Contains the phase that pushes active vertices, and
// their list.
template <vertex_program Program>
class activity {
  static constexpr bool lists = incremental_program<Program> || incremental_scalar_program<Program>;

 public:
  using outcome = superstep_outcome<Program>;

  // [task; suspends; collective over the job] `totals` are the locale's.
  activity(Program& program, const graph::locale_graph& g, arena<Program>& shared,
           std::span<total_of<Program>> totals, bool may_push, const run_options& options)
      : program_(program), graph_(g), shared_(shared) {
    if constexpr (lists) {
      if (!may_push) return;
      push_.emplace(program, g, *shared.push, totals, options.codec);
      const steps::direction_options& direction = options.direction;
      most_listed_edges_ = direction.wanted == steps::direction::push
                               ? ~std::uint64_t{0}
                               : steps::most_edges_to_push(direction, g.edges);
      tells_mirrors_ = locales() > 1 && !asynchronous_program<Program>;
      most_told_edges_ = most_listed_edges_ / static_cast<std::uint64_t>(locales());
    }
  }

  // Requires that supersteps may push.
  auto& pushes() { return *push_; }

  // Empties the list of active vertices.
  void clear() {
    if constexpr (lists) {
      if (!push_) return;
      push_->mine().clear();
    }
  }

  // True if this core's list has all its active vertices.
  bool mine_are_listed(const outcome& mine) const { return mine.active_out_edges <= most_listed_edges_; }
  // [task; suspends; collective over the job] Ends a superstep: combines the outcomes of all cores. If
  // supersteps push from mirrors, mirrors receive the active vertices here, before it is known whether the
  // next superstep pushes. `listed(whole)` is called when all cores of the locale have listed their active
  // vertices; `whole` says that the lists are complete.
  template <class Listed>
  outcome meet(outcome mine, std::span<const typename Program::value> shown, Listed listed) {
    const auto add = [](outcome a, const outcome& other) { return a += other; };
    if constexpr (lists) {
      if (tells_mirrors_) {
        pass_over_told();
        const bool whole = all_are_listed(mine);
        listed(whole);
        told_mine_ = whole && shared_.push->out_edges() <= most_told_edges_;
        if (told_mine_) push_->tell(shown);
        mine.untold = told_mine_ ? 0 : 1;
        awaits_told_ = true;
        return push_->mirrors().meet(mine, add);
      }
    }
    return collectives::all_reduce(mine, add);
  }
  // [task; suspends; collective over the job] Prepares a push: mirrors receive the active vertices that
  // meet() has not sent.
  void tell_the_rest(const outcome& before, std::span<const typename Program::value> shown) {
    if (!tells_mirrors_) return;
    const bool awaited = std::exchange(awaits_told_, false);  // by the push else
    if (before.untold == 0 && awaited) return;
    if (awaited) push_->mirrors().await_mirrors();
    if (!awaited || !told_mine_) push_->tell(shown);
    push_->mirrors().meet();
  }
  // [task; suspends; collective over the job] Replaces tell_the_rest() if no push follows.
  void pass_over_told() {
    if constexpr (lists) {
      if (std::exchange(awaits_told_, false)) push_->mirrors().pass_over();
    }
  }

  // Applies to the vertices that this core's push has touched.
  void apply_to_touched(std::span<typename Program::value> shown,
                        outcome& mine) requires incremental_program<Program> {
    std::vector<std::uint32_t>& touched = push_->mine().touched;
    for (const std::uint32_t v : touched) {
      const typename Program::value told = push_->take_total(v);
      const bool active = apply_to(program_, vertex_at(v), told, shown[v], mine.sums);
      push_->forget_touched(v);
      note(v, active, mine);
    }
    touched.clear();
  }

  // Records the effects of the vertex's new value.
  void note(std::uint32_t v, bool active, outcome& mine) {
    settle(v);
    if (!active) return;
    ++mine.active;
    mine.active_out_edges += degree_of(v);
    if constexpr (lists) {
      // A superstep with more edges than this does not push and needs no list.
      if (mine.active_out_edges <= most_listed_edges_ && degree_of(v) > 0) push_->mine().active.push_back(v);
    }
  }
  // Marks the vertex if nothing changes it any more.
  void settle([[maybe_unused]] std::uint32_t v) {
    if constexpr (has_settling_vertices<Program>) {
      if (program_.settled(vertex_at(v))) shared_.settled.shared_set(v);
    }
  }

 private:
  // [task; suspends; collective over the locale]
  bool all_are_listed(const outcome& mine) {
    push_->mine().out_edges = mine.active_out_edges;
    collectives::barrier(collectives::group::locale);
    return std::ranges::all_of(shared_.push->of_core,
                               [&](const core_frontier& c) { return c.out_edges <= most_listed_edges_; });
  }

  vertex vertex_at(std::uint32_t v) const { return {v, graph_.out_degree[v], &graph_}; }

  // Counts the edges along which neighbours receive the vertex's new value.
  std::uint64_t degree_of(std::uint32_t v) const {
    const std::uint64_t out = graph_.out_degree[v];
    if constexpr (two_way_program<Program>) return graph_.both_ways ? out : out + graph_.in_rows->degree(v);
    return out;
  }

  Program& program_;
  const graph::locale_graph& graph_;
  arena<Program>& shared_;
  std::uint64_t most_listed_edges_ = 0;  // per core: active vertices with more out-edges are not listed
  std::uint64_t most_told_edges_ = 0;    // per locale: up to here a push is likely to follow
  bool tells_mirrors_ = false;           // mirrors receive active vertices after every superstep
  bool told_mine_ = false;               // this core has sent its active vertices
  bool awaits_told_ = false;             // messages from other locales are on their way here
  std::optional<typename push_phase_of<Program>::type> push_;
};

}  // namespace orujo::internal::gas::detail
