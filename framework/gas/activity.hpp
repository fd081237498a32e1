// Which vertices of a core have something to tell in the next superstep, and what a superstep has come to.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "framework/engine/direction.hpp"
#include "framework/gas/arena.hpp"
#include "framework/gas/held_back.hpp"
#include "framework/gas/members.hpp"
#include "framework/gas/program.hpp"
#include "framework/gas/push_phase.hpp"
#include "framework/gas/touch_phase.hpp"
#include "framework/graph/distributed_graph.hpp"

namespace orujo::gas::detail {

// No phase for programs that cannot be pushed.
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

// Its active vertices take turns by priority().
template <class Program>
concept ordered_program = incremental_program<Program> && !delta_program<Program> && calls_priority<Program>;

template <class Program>
inline constexpr bool has_settling_vertices = engine::settling_program<Program> && !scalar_program<Program>;

// Of one core, or of all.
template <vertex_program Program>
struct superstep_outcome {
  typename Program::aggregate sums;
  std::uint64_t active = 0;
  std::uint64_t active_out_edges = 0;
  std::uint64_t edges = 0;    // looked at, where the phase counts them
  std::uint64_t due = 0;      // whether it is time for a checkpoint
  std::uint64_t stopped = 0;  // whether somebody wants no further superstep

  superstep_outcome& operator+=(const superstep_outcome& other) {
    sums += other.sums;
    active += other.active;
    active_out_edges += other.active_out_edges;
    edges += other.edges;
    due += other.due;
    stopped += other.stopped;
    return *this;
  }
};

// One core's part; made and used by one task per core. Has the phase in which active vertices are pushed,
// with their list.
template <vertex_program Program>
class activity {
  static constexpr bool lists = incremental_program<Program> || incremental_scalar_program<Program>;

 public:
  using outcome = superstep_outcome<Program>;

  // [task; suspends; collective over the job] shown, totals: the locale's.
  activity(Program& program, const graph::locale_graph& g, arena<Program>& shared,
           std::span<typename Program::value> shown, std::span<total_of<Program>> totals, bool may_push,
           const engine::direction_options& direction)
      : program_(program), graph_(g), shared_(shared) {
    if constexpr (ordered_program<Program>) held_.emplace(program, g, shown);
    if constexpr (lists) {
      if (!may_push) return;
      push_.emplace(program, g, *shared.push, totals);
      most_listed_edges_ = direction.wanted == engine::direction::push
                               ? ~std::uint64_t{0}
                               : engine::most_edges_to_push(direction, g.edges);
    }
  }

  // Where supersteps may push.
  auto& pushes() { return *push_; }

  // Nobody is active.
  void clear() {
    if constexpr (lists) {
      if (!push_) return;
      push_->mine().active.clear();
      push_->mine().taken.store(0, std::memory_order_relaxed);
    }
  }

  // What follows from the vertex's new value.
  void note(std::uint32_t v, bool active, outcome& mine) {
    settle(v);
    if (!active) return;
    if constexpr (ordered_program<Program>) {
      if (held_->takes(v)) return;
    }
    ++mine.active;
    mine.active_out_edges += degree_of(v);
    if constexpr (lists) {
      // More than can be pushed need no list.
      if (mine.active_out_edges <= most_listed_edges_ && degree_of(v) > 0) push_->mine().active.push_back(v);
    }
  }
  // Keeps in mind whether anything changes the vertex any more.
  void settle([[maybe_unused]] std::uint32_t v) {
    if constexpr (has_settling_vertices<Program>) {
      if (program_.settled(vertex{v, graph_.out_degree[v], &graph_})) shared_.settled.shared_set(v);
    }
  }

  // [task; suspends; collective over the job] Those that wait with the least priority are active.
  void next_bucket(outcome& mine) {
    clear();
    held_->next([&](std::uint32_t v) { note(v, true, mine); });
  }

 private:
  // Of the edges along which it tells that it shows something new.
  std::uint64_t degree_of(std::uint32_t v) const {
    const std::uint64_t out = graph_.out_degree[v];
    if constexpr (two_way_program<Program>) return graph_.symmetric ? out : out + graph_.in_rows->degree(v);
    return out;
  }

  Program& program_;
  const graph::locale_graph& graph_;
  arena<Program>& shared_;
  std::uint64_t most_listed_edges_ = 0;  // active vertices with more out-edges are in no list
  std::optional<typename push_phase_of<Program>::type> push_;
  std::optional<held_back<Program>> held_;
};

}  // namespace orujo::gas::detail
