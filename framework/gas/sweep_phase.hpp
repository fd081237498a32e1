// The edge phase of asynchronous programs: one vertex after the other, over the rows of in-edges. A vertex
// may receive values of the same superstep. A locale sweeps until little changes there, before others receive
// its values.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "framework/exchange/mirror_places.hpp"
#include "framework/gas/activity.hpp"
#include "framework/gas/members.hpp"
#include "framework/gas/program.hpp"
#include "framework/gas/run_options.hpp"
#include "framework/graph/adjacency.hpp"
#include "framework/steps/direction.hpp"
#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"
#include "system/machine/isa.hpp"

namespace orujo::internal::gas::detail {

// Limits of the short sweeps at the start of a run, when all vertices are active. They are the in-neighbours
// that each vertex examines, the number of sweeps, and the part of the vertices (one in 16) that must have
// changed for another sweep.
inline constexpr std::uint64_t short_sweep_neighbours = 2;
inline constexpr int most_short_sweeps = 8;
inline constexpr std::uint64_t short_sweep_part = 16;

template <asynchronous_program Program>
class row_sweep {
  using value = typename Program::value;

 public:
  row_sweep(const Program& program, const graph::adjacency& in_rows, std::span<value> shown)
      : program_(program), in_rows_(in_rows), shown_(shown.data()) {}

  std::uint64_t edges = 0;  // examined so far

  // Returns the contributions of all in-neighbours of v. Other cores may change the neighbours' values
  // meanwhile.
  value total_of_all(std::uint32_t v) {
    value total = identity();
    const std::uint64_t last = in_rows_.offsets[v + 1];
    for (std::uint64_t k = in_rows_.offsets[v]; k < last; ++k) add(total, k);
    return total;
  }

  // Returns the contributions of a few in-neighbours, others in every sweep.
  value total_of_some(std::uint32_t v, int sweep) {
    value total = identity();
    const std::uint64_t first = in_rows_.offsets[v], size = in_rows_.offsets[v + 1] - first;
    std::uint64_t at = short_sweep_neighbours * static_cast<std::uint64_t>(sweep);
    if (at >= size && size > 0) at %= size;
    for (std::uint64_t k = std::min(size, short_sweep_neighbours); k > 0; --k) {
      add(total, first + at);
      if (++at == size) at = 0;
    }
    return total;
  }

  // Returns the contributions of the in-neighbours up to the first that shows `common`.
  value total_until(std::uint32_t v, value common) {
    value total = identity();
    const std::uint64_t last = in_rows_.offsets[v + 1];
    for (std::uint64_t k = in_rows_.offsets[v]; k < last; ++k) {
      if (add(total, k) == common) break;
    }
    return total;
  }

  // Returns the value that more than half of the vertices with in-neighbours show, by a sample. There may be
  // none, and there is none if edges have weights.
  std::optional<value> common_value(std::uint32_t own) const {
    if (in_rows_.weights.size() != 0 || own == 0) return std::nullopt;
    std::vector<value> sample;
    for (std::uint64_t k = 0; k < 1024; ++k) {
      const auto v = static_cast<std::uint32_t>(mix64(k) % own);
      if (in_rows_.degree(v) > 0) sample.push_back(shown(v));
    }
    std::sort(sample.begin(), sample.end());
    if (sample.empty()) return std::nullopt;
    const value middle = sample[sample.size() / 2];
    const auto [first, last] = std::equal_range(sample.begin(), sample.end(), middle);
    if (static_cast<std::size_t>(last - first) * 2 <= sample.size()) return std::nullopt;
    return middle;
  }

  value shown(std::uint32_t v) const {
    return std::atomic_ref<value>(shown_[v]).load(std::memory_order_relaxed);
  }
  void show(std::uint32_t v, value now) const {
    std::atomic_ref<value>(shown_[v]).store(now, std::memory_order_relaxed);
  }

 private:
  static value identity() { return Program::combine.template identity<value>(); }
  // Returns the value of the neighbour.
  value add(value& total, std::uint64_t k) {
    const value weight = in_rows_.weights.size() != 0 ? static_cast<value>(in_rows_.weights[k]) : value{1};
    const value theirs = shown(in_rows_.neighbours[k]);
    total = Program::combine(total, program_.gather(theirs, weight));
    ++edges;
    return theirs;
  }

  const Program& program_;
  const graph::adjacency& in_rows_;
  value* const shown_;
};

// One core's part of a run's sweeps; made and used by one task per core.
//
// On one locale, a run in which all vertices are active begins with short sweeps, in which each vertex
// examines some of its in-neighbours only. If most vertices then show the same value, they need not examine
// each other: a vertex that has received the value from one of them receives nothing new from the others.
// Vertices with another value contribute to all their out-neighbours in the next superstep. After Sutton,
// Ben-Nun, Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph Sampling", IPDPS 2018.
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
        joins_(joins_first(g, options.ahead)) {
    if (locales() > 1) mirrors_ = exchange::find_mirror_places(g);
  }

  // Makes the run begin with short sweeps.
  void begin() { hears_some_ = true; }
  // True if vertices have not examined all in-neighbours yet.
  bool hears_some() const { return hears_some_; }

  // [task; suspends; collective over the locale] Sweeps; `active` counts vertices of the whole graph. On
  // several locales, the vertices that the last sweep has changed are then active, and those with mirrors
  // that any sweep has changed.
  outcome run(std::uint64_t active) {
    if (locales() == 1) return sweep(active);
    if (!joins_) {
      const outcome mine = sweep(active);
      collectives::barrier(collectives::group::locale);  // mirrors change when one core ends its superstep
      return mine;
    }
    changed_.assign(graph_.my_part().last - graph_.my_part().first, false);
    outcome all = sweep(active);
    while (collectives::all_reduce(std::exchange(changed_out_edges_, 0), std::plus<>(),
                                   collectives::group::locale) > few_out_edges_) {
      outcome next = sweep(active);
      next.sums += all.sums;
      next.edges += all.edges;
      all = next;
    }
    return all;
  }

 private:
  outcome sweep(std::uint64_t active) {
    row_sweep<Program> rows(program_, *graph_.in_rows, shown_);
    const bool short_before = hears_some_;
    hears_some_ =
        short_before && short_sweeps_ < most_short_sweeps && active > graph_.vertices / short_sweep_part;
    std::optional<value> common;
    if (short_before && !hears_some_ && may_push_) {
      common = rows.common_value(graph_.own);
      collectives::barrier(collectives::group::locale);  // all cores sample the same values
    }
    active_.clear();
    outcome mine{};
    constexpr std::uint32_t batch = 4096;  // vertices between which messages are handled
    const graph::core_part& part = graph_.my_part();
    for (std::uint32_t first = part.first; first < part.last; first += batch) {
      const std::uint32_t last = std::min(first + batch, part.last);
      machine::compiled_for(simd_, [&] {
        for (std::uint32_t v = first; v < last; ++v) sweep_vertex(rows, v, common, mine);
      });
      tasks::yield();
    }
    short_sweeps_ += hears_some_ ? 1 : 0;
    mine.edges = rows.edges;
    return mine;
  }
  // Records the effects of the vertex's new value, or of none.
  void note(std::uint32_t v, bool changed, bool active, outcome& mine) {
    if (!changed_.empty()) {
      const std::uint32_t k = v - graph_.my_part().first;
      if (changed) changed_out_edges_ += graph_.out_degree[v];
      changed_[k] = changed_[k] || changed;
      active |= changed_[k] && mirrors_->has(v);  // own neighbours have received earlier changes
    }
    active_.note(v, active || changed, mine);
  }

  void sweep_vertex(row_sweep<Program>& rows, std::uint32_t v, const std::optional<value>& common,
                    outcome& mine) {
    if constexpr (has_settling_vertices<Program>) {
      if (shared_.settled.shared_test(v)) return note(v, false, common && rows.shown(v) != *common, mine);
    }
    const value before = rows.shown(v);
    const value heard = hears_some_                   ? rows.total_of_some(v, short_sweeps_)
                        : common && before == *common ? rows.total_until(v, before)
                                                      : rows.total_of_all(v);
    value now = before;
    const bool changed =
        vectors::apply_to(program_, vertex{v, graph_.out_degree[v], &graph_}, heard, now, mine.sums);
    if (std::memcmp(&now, &before, sizeof(value)) != 0) rows.show(v, now);
    note(v, changed, common && before != *common, mine);
  }

  Program& program_;
  const graph::locale_graph& graph_;
  arena<Program>& shared_;
  const std::span<value> shown_;
  activity<Program>& active_;
  const bool may_push_;
  const std::uint64_t few_out_edges_;  // along which a push examines fewer edges than another sweep
  const machine::instruction_set simd_;
  const bool joins_;  // on several locales: sweeps until little changes
  bool hears_some_ = false;
  int short_sweeps_ = 0;  // so far
  // Used on several locales only.
  std::shared_ptr<const exchange::mirror_places> mirrors_;
  std::vector<bool> changed_;            // this core's vertices, changed in this superstep
  std::uint64_t changed_out_edges_ = 0;  // of those that the last sweep has changed
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
