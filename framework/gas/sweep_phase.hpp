// The edge phase of asynchronous programs: one vertex after the other, over the rows of in-edges. A vertex
// may receive values of the same superstep. A locale sweeps until little changes there, before others receive
// its values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "framework/exchange/mirror_places.hpp"
#include "framework/gas/activity.hpp"
#include "framework/gas/members.hpp"
#include "framework/gas/program.hpp"
#include "framework/gas/row_sweep.hpp"
#include "framework/gas/run_options.hpp"
#include "framework/graph/bit_set.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/steps/direction.hpp"
#include "system/collectives/collectives.hpp"
#include "system/machine/isa.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::gas::detail {

// Limits of the short sweeps at the start of a run, when all vertices are active. A locale makes this number
// of them. Another one needs a part of the vertices (one in 16) that have changed.
inline constexpr int most_short_sweeps = 8;
inline constexpr std::uint64_t short_sweep_part = 16;

// One core's part of a run's sweeps; made and used by one task per core.
//
// A run in which all vertices are active begins with short sweeps, in which each vertex examines some of its
// in-neighbours only. On several locales each repeats them while many vertices change there, before mirrors
// receive what has become of the values. If most vertices of the job then show the same value, they need not
// examine each other. A vertex that has received the value from one of them receives nothing new from the
// others. Vertices with another value contribute to all their out-neighbours in the next superstep. After
// Sutton, Ben-Nun, Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph Sampling", IPDPS
// 2018.
template <asynchronous_program Program>
class sweep_phase {
  using value = typename Program::value;
  using outcome = superstep_outcome<Program>;

 public:
  // [task; suspends; collective over the job]
  sweep_phase(Program& program, const graph::locale_graph& g, arena<Program>& shared, std::span<value> shown,
              activity<Program>& active, bool may_push, const run_options& options)
      : program_(program),
        graph_(g),
        shared_(shared),
        shown_(shown),
        active_(active),
        may_push_(may_push),
        few_out_edges_(may_push ? steps::most_edges_to_push(options.direction, g.in_rows->edges()) : 0),
        simd_(options.simd),
        goes_on_(locales() > 1 && joins_first(g, options.ahead)),
        first_(g.my_part().first) {
    if (!goes_on_) return;
    mirrors_ = exchange::find_mirror_places(g);
    changed_ = graph::bit_set(g.my_part().last - first_);
    noted_ = graph::bit_set(g.my_part().last - first_);
  }

  // True if a run may begin with short sweeps.
  bool may_be_short() const { return locales() == 1 || goes_on_; }
  // [task] Makes a run in which this number of vertices of the whole graph are active begin with them, if it
  // is worth it.
  void begin(std::uint64_t active) { hears_some_ = may_be_short() && is_much(active); }
  // True if vertices have not examined all in-neighbours yet.
  bool hears_some() const { return hears_some_; }
  // True if the next superstep does not read mirrors. Most of what they would receive changes at once.
  bool passes_over_mirrors() const { return locales() > 1 && hears_some_ && short_sweeps_ == 0; }

  // [task; suspends; collective over the job] Sweeps; `active` counts vertices of the whole graph. On several
  // locales, the vertices that the last sweep has changed are then active, and those with mirrors that any
  // sweep has changed.
  outcome run(std::uint64_t active) {
    if (goes_on_) changed_.clear(0, changed_.size_in_words());
    std::optional<value> common;
    if (hears_some_) {
      mirrors_are_known_ = !passes_over_mirrors();
      if (short_sweeps_ > 0) {
        const seen all = look(collectives::group::job);
        hears_some_ = !all.are_done && is_much(active) && !all.common.is_at_nearly_all_edges();
        if (may_push_ && all.common.is_at_most_of_edges()) common = all.common.shown;
      }
      if (hears_some_) return sweep_shortly();
    }
    outcome mine = sweep(common);
    if (locales() == 1) return mine;
    for (;;) {
      // Also the barrier after which mirrors may change.
      const seen here = look(collectives::group::locale);
      if (here.changed.out_edges <= few_out_edges_ || !goes_on_ || common) return add_changed(mine);
      const bool alike = may_push_ && here.common.is_at_nearly_all_edges();
      mine = after(mine, sweep(alike ? std::optional(here.common.shown) : std::nullopt));
    }
  }

 private:
  bool is_much(std::uint64_t active) const { return active > graph_.vertices / short_sweep_part; }

  // The effects of the last sweep on several locales.
  struct changes {
    std::uint64_t vertices = 0, out_edges = 0;
    friend changes operator+(const changes& a, const changes& b) {
      return {a.vertices + b.vertices, a.out_edges + b.out_edges};
    }
  };
  // Cores know this after a sweep.
  struct seen {
    frequent_value<value> common;
    changes changed;
    bool are_done = false;  // one has made all its short sweeps
    friend seen operator+(const seen& a, const seen& b) {
      return {a.common + b.common, a.changed + b.changed, a.are_done || b.are_done};
    }
  };
  seen look(collectives::group among) const {
    const row_sweep<Program> rows(program_, *graph_.in_rows, shown_);
    const seen mine{rows.sample(graph_.own, static_cast<std::uint64_t>(my_core())), changed_by_sweep_,
                    short_sweeps_ >= most_short_sweeps};
    return collectives::all_reduce(mine, std::plus<>(), among);
  }

  // On several locales, sweeps until few vertices of this one change or nearly all show the same.
  outcome sweep_shortly() {
    outcome mine{};
    for (;;) {
      mine = after(mine, sweep(std::nullopt));
      ++short_sweeps_;
      if (locales() == 1) return mine;
      const seen here = look(collectives::group::locale);
      if (here.are_done || here.common.is_at_nearly_all_edges() ||
          here.changed.vertices <= graph_.own / short_sweep_part)
        return add_changed(mine);
    }
  }
  outcome sweep(const std::optional<value>& common) {
    using rows = row_sweep<Program>;
    active_.clear();
    changed_by_sweep_ = {};
    if (goes_on_) noted_.clear(0, noted_.size_in_words());
    if (hears_some_) {
      // Without mirrors where they have not received anything.
      const std::uint32_t end = mirrors_are_known_ ? rows::all_sources : graph_.own;
      return sweep_each(common, [end, sweep = short_sweeps_](rows& from, std::uint32_t v, value) {
        return from.total_of_some(v, sweep, end);
      });
    }
    if (!common)
      return sweep_each(common, [](rows& from, std::uint32_t v, value) { return from.total_of_all(v); });
    return sweep_each(common, [most = *common](rows& from, std::uint32_t v, value before) {
      return before == most ? from.total_until(v, most) : from.total_of_all(v);
    });
  }
  // hear(row_sweep, vertex, value it shows) returns what its in-neighbours contribute.
  template <class Hear>
  outcome sweep_each(const std::optional<value>& common, Hear hear) {
    // Processors fetch short rows ahead by themselves, but not the first places of long ones.
    constexpr std::uint64_t long_row = 16;
    const bool fetches = (hears_some_ || common) && graph_.in_rows->edges() > long_row * graph_.own;
    constexpr std::uint32_t batch = 4096;  // vertices between which messages are handled
    const graph::core_part& part = graph_.my_part();
    outcome mine{};
    for (std::uint32_t first = part.first; first < part.last; first += batch) {
      const std::uint32_t last = std::min(first + batch, part.last);
      machine::compiled_for(simd_, [&] {
        row_sweep<Program> rows(program_, *graph_.in_rows, shown_);
        for (std::uint32_t v = first; v < last; ++v) {
          if (fetches) rows.fetch(v, part.last, hears_some_ ? short_sweeps_ : 0);
          sweep_vertex(rows, v, common, hear, mine);
        }
        mine.edges += rows.edges;
      });
      tasks::yield();
    }
    return mine;
  }
  // Returns the outcome of two sweeps of which this core has made `last` after those of `before`.
  static outcome after(const outcome& before, outcome last) {
    last.sums += before.sums;
    last.edges += before.edges;
    return last;
  }

  // Records the effects of the vertex's new value, or of none.
  void note(std::uint32_t v, bool changed, bool active, outcome& mine) {
    if (goes_on_ && (changed || active)) {
      const std::uint32_t k = v - first_;
      noted_.set(k);
      if (changed) {
        changed_by_sweep_ = changed_by_sweep_ + changes{1, graph_.out_degree[v]};
        if (mirrors_->has(v)) changed_.set(k);
      }
    }
    active_.note(v, active || changed, mine);
  }
  // Own neighbours have received what earlier sweeps have changed, but mirrors have not.
  outcome add_changed(outcome mine) {
    if (!goes_on_) return mine;
    changed_.for_each(0, changed_.size_in_words(), [&](std::size_t k) {
      if (!noted_.test(k)) active_.note(first_ + static_cast<std::uint32_t>(k), true, mine);
    });
    return mine;
  }

  template <class Hear>
  void sweep_vertex(row_sweep<Program>& rows, std::uint32_t v, const std::optional<value>& common, Hear hear,
                    outcome& mine) {
    const value before = rows.shown(v);
    const bool differs = common && before != *common;
    if constexpr (has_settling_vertices<Program>) {
      if (shared_.settled.shared_test(v)) return note(v, false, differs, mine);
    }
    const value heard = hear(rows, v, before);
    value now = before;
    const bool changed =
        vectors::apply_to(program_, vertex{v, graph_.out_degree[v], &graph_}, heard, now, mine.sums);
    if (std::memcmp(&now, &before, sizeof(value)) != 0) rows.show(v, now);
    note(v, changed, differs, mine);
  }

  Program& program_;
  const graph::locale_graph& graph_;
  arena<Program>& shared_;
  const std::span<value> shown_;
  activity<Program>& active_;
  const bool may_push_;
  const std::uint64_t few_out_edges_;  // along which a push examines fewer edges than another sweep
  const machine::instruction_set simd_;
  const bool goes_on_;  // on several locales: a superstep sweeps until little changes
  bool hears_some_ = false, mirrors_are_known_ = true;
  int short_sweeps_ = 0;  // so far
  // Used only if goes_on_. Bits are counted from this core's first vertex.
  const std::uint32_t first_;
  std::shared_ptr<const exchange::mirror_places> mirrors_;
  graph::bit_set changed_, noted_;  // mirrored ones changed in this superstep; those noted by the last sweep
  changes changed_by_sweep_;
};

// Other programs have no such phase.
template <class Program>
struct sweep_phase_of {
  using type = int;
};
template <asynchronous_program Program>
struct sweep_phase_of<Program> {
  using type = sweep_phase<Program>;
};

}  // namespace orujo::internal::gas::detail
