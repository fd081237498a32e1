// One core's part of running a vertex program to its end: supersteps of an edge phase, which pulls or pushes,
// a vertex phase and an exchange.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/engine/direction.hpp"
#include "framework/engine/pull.hpp"
#include "framework/exchange/mirror_exchange.hpp"
#include "framework/gas/arena.hpp"
#include "framework/gas/check_graph.hpp"
#include "framework/gas/graph_checkpoints.hpp"
#include "framework/gas/held_back.hpp"
#include "framework/gas/kept_memory.hpp"
#include "framework/gas/members.hpp"
#include "framework/gas/program.hpp"
#include "framework/gas/push_phase.hpp"
#include "framework/gas/row_phase.hpp"
#include "framework/gas/run_options.hpp"
#include "framework/gas/superstep_report.hpp"
#include "framework/gas/sweep_phase.hpp"
#include "framework/gas/touch_phase.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/loops/collectives.hpp"
#include "system/loops/schedule.hpp"
#include "system/machine/topology.hpp"
#include "system/observe/step_log.hpp"
#include "system/observe/trace.hpp"

namespace orujo::gas {

namespace detail {

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

}  // namespace detail

// One core's part of a run.
template <vertex_program Program>
class runner {
  using value = typename Program::value;
  using total = total_of<Program>;
  using aggregate = typename Program::aggregate;
  static constexpr bool scalar = scalar_program<Program>;
  static constexpr bool incremental = incremental_program<Program>;
  static constexpr bool touches = incremental_scalar_program<Program>;
  static constexpr bool asynchronous = asynchronous_program<Program>;
  static constexpr bool deltas = delta_program<Program>;
  static constexpr bool ordered = incremental && !deltas && detail::calls_priority<Program>;
  static constexpr bool settles = engine::settling_program<Program> && !scalar;

  struct outcome {
    aggregate sums;
    std::uint64_t active = 0;
    std::uint64_t active_out_edges = 0;
    std::uint64_t edges = 0;    // looked at, where the phase counts them
    std::uint64_t due = 0;      // whether it is time for a checkpoint
    std::uint64_t stopped = 0;  // whether somebody wants no further superstep
  };

 public:
  // [task; suspends; collective over the job]
  runner(Program& program, graph::locale_graph& g, const run_options& options)
      : program_(program),
        graph_(g),
        options_(options),
        core_of_locale_(my_core_of_locale()),
        part_(g.my_part()),
        may_push_(detail::check_graph(g, detail::wanted_edges_of<Program>, options.direction.wanted)),
        arena_(detail::share_kept<detail::arena<Program>>(
            g, [&](auto& kept) { return kept.reuse(g, options.edges, may_push_); },
            [&] {
              return std::make_shared<detail::arena<Program>>(g, my_locales_cores(), options.edges, settles,
                                                              may_push_);
            })),
        totals_(arena_->totals.data(), arena_->totals.size()),
        shown_(arena_->shown.data(), arena_->shown.size()),
        mirrors_(g, shown_, options.codec),
        checkpoints_(g, detail::writes_checkpoints<Program>(options)),
        sweeps_(asynchronous && locales() == 1 && detail::keeps_in_rows(g)) {
    machine::place_here(part_.of(shown_));
    machine::place_here(part_.of(totals_));
    if constexpr (ordered) held_.emplace(program_, g, shown_);
    if constexpr (incremental || touches) {
      if (may_push_) push_.emplace(program_, g, *arena_->push, totals_);
      clear_active();
    }
  }

  // [task; suspends; collective over the job] Once.
  run_report run() {
    const auto start = std::chrono::steady_clock::now();
    run_report report;
    detail::superstep_report told(options_.most_supersteps, graph_.vertices);
    observe::begin_run_of_steps();
    outcome last{};
    if (!resume_vertices(last, report)) last = start_vertices();
    while (any_active(last)) {
      if (last.due > 0) save(last, report);
      if (!wants_next(report.supersteps, last.sums)) break;
      if (report.supersteps == options_.most_supersteps || last.stopped > 0) {
        report.ended = false;
        break;
      }
      told.begins(report.supersteps + 1, last.active, detail::change_of(program_));
      const observe::trace_scope traced("superstep", static_cast<std::uint64_t>(report.supersteps));
      const bool push = pushes_next(report.supersteps++, last);
      supersteps_ = report.supersteps;
      report.pushed += push ? 1 : 0;
      if (report.supersteps == 1) hears_some_ = sweeps_ && !push;
      observe::step_scope step(push ? "push" : sweeps_ ? "sweep" : "pull", last.active);
      const std::uint64_t edges_before = report.edges;
      report.edges += push ? last.active_out_edges : sweeps_ ? 0 : graph_.edges;
      last = !push ? pull_superstep(last.active) : touches ? touch_superstep() : push_superstep();
      report.edges += last.edges;
      told.ends(push, last.active);
      step.looked_at(report.edges - edges_before);
    }
    finish_exchange();
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
  }

  // After the run: what the calling core's vertices show. to: by own vertex of the locale.
  void copy_shown(std::span<value> to) const {
    std::copy(shown_.begin() + part_.first, shown_.begin() + part_.last, to.begin() + part_.first);
  }

 private:
  // Where none is, those that wait.
  bool any_active(outcome& last) {
    if constexpr (ordered) {
      if (last.active == 0) {
        const aggregate sums = last.sums;
        last = next_bucket();
        last.sums = sums;
      }
    }
    return last.active > 0 || hears_some_;
  }

  // Those of the least priority are active.
  outcome next_bucket() {
    outcome mine{};
    clear_active();
    held_->next([&](std::uint32_t v) { note(v, true, mine); });
    return sum_up(mine);
  }
  bool holds_back(std::uint32_t v) {
    if constexpr (ordered) return held_->takes(v);
    return false;
  }

  bool wants_next(int superstep, const aggregate& last) {
    if constexpr (detail::calls_next<Program>) return program_.next(superstep, last);
    return true;
  }

  bool pushes_next(int superstep, const outcome& last) {
    constexpr bool begins_with_all = deltas || (touches && !detail::calls_starts<Program>);
    if (std::exchange(resumed_, false)) return false;
    if ((begins_with_all && superstep == 0) || hears_some_) return false;
    return may_push_ && engine::choose_direction(options_.direction, last.active_out_edges, graph_.edges) ==
                            engine::direction::push;
  }

  outcome start_vertices() {
    outcome mine{};
    for (std::uint32_t v = part_.first; v < part_.last; ++v) {
      shown_[v] = program_.start(vertex_at(v), mine.sums);
      clear_total(v);
      bool active = true;
      if constexpr (detail::calls_starts<Program>) active = program_.starts(vertex_at(v));
      note(v, active, mine);
    }
    return finish_pull(mine);
  }

  // Between two supersteps. Which vertices are active, or held back, is not kept: the first superstep after a
  // restart is a pull, in which every vertex hears of all that its in-neighbours show.
  void save(outcome& last, const run_report& report) {
    detail::run_progress far{report.supersteps, report.pushed, report.edges,
                             last.active + (hears_some_ ? 1 : 0), last.active_out_edges};
    checkpoints_.save([&](program_state& kept) { name_state(kept, far, last.sums); });
  }

  // Whether all is as it was saved.
  bool resume_vertices(outcome& last, run_report& report) {
    detail::run_progress far;
    if (!checkpoints_.resume([&](program_state& kept) { name_state(kept, far, last.sums); })) return false;
    supersteps_ = report.supersteps = far.supersteps;
    report.pushed = far.pushed;
    report.edges = far.edges;
    last.active = far.active;
    last.active_out_edges = far.active_out_edges;
    for (std::uint32_t v = part_.first; v < part_.last; ++v) {
      if constexpr (detail::calls_restored<Program>) shown_[v] = program_.restored(vertex_at(v));
      clear_total(v);
      if constexpr (settles) {
        if (program_.settled(vertex_at(v))) arena_->settled.shared_set(v);
      }
    }
    resumed_ = true;
    start_exchange();
    loops::barrier();
    return true;
  }

  void name_state(program_state& kept, detail::run_progress& far, aggregate& sums) {
    kept.add("run", far);
    kept.add("sums", sums);
    if constexpr (!detail::calls_restored<Program>) kept.add_vertices("shown", shown_.data());
    if constexpr (detail::calls_checkpoint<Program>) program_.checkpoint(kept);
  }

  vertex vertex_at(std::uint32_t v) const { return {v, graph_.out_degree[v], &graph_}; }

  // Of the edges along which it tells that it shows something new.
  std::uint64_t degree_of(std::uint32_t v) const {
    const std::uint64_t out = graph_.out_degree[v];
    if constexpr (two_way_program<Program>) return graph_.symmetric ? out : out + graph_.in_rows->degree(v);
    return out;
  }

  // What follows from the vertex's new value.
  void note(std::uint32_t v, bool active, outcome& mine) {
    if constexpr (settles) {
      if (program_.settled(vertex_at(v))) arena_->settled.shared_set(v);
    }
    if (!active || holds_back(v)) return;
    ++mine.active;
    mine.active_out_edges += degree_of(v);
    if constexpr (incremental || touches) {
      // More than can be pushed need no list.
      if (mine.active_out_edges <= most_listed_edges_ && degree_of(v) > 0) push_->mine().active.push_back(v);
    }
  }

  outcome pull_superstep([[maybe_unused]] std::uint64_t active) {
    if constexpr (asynchronous) {
      if (sweeps_) return sweep_superstep(active);
    }
    if (mirrors_are_old_) {
      start_exchange();
      mirrors_are_old_ = false;
    }
    if (scalar || !options_.overlap) {
      finish_exchange();
      if (locales() > 1) loops::barrier(loops::group::locale);
    }
    edge_phase();
    finish_exchange();
    loops::barrier(loops::group::locale);
    return finish_pull(vertex_phase());
  }

  // A run in which all vertices have something to tell begins with sweeps in which each looks at some of its
  // in-neighbours only. If most vertices show the same then, they need not look at each other: whoever has
  // been told by one of them hears nothing new from the others, and those who show something else tell all
  // their out-neighbours in the next superstep. After Sutton, Ben-Nun, Barak, "Optimizing Parallel Graph
  // Connectivity Computation via Subgraph Sampling", IPDPS 2018.
  outcome sweep_superstep(std::uint64_t active) {
    const observe::trace_scope traced("sweep");
    detail::row_sweep<Program> rows(program_, *graph_.in_rows, shown_);
    const bool short_before = hears_some_;
    hears_some_ = short_before && short_sweeps_ < detail::most_short_sweeps &&
                  active > graph_.vertices / detail::short_sweep_part;
    std::optional<value> common;
    if (short_before && !hears_some_ && may_push_) {
      common = rows.common_value(graph_.own);
      loops::barrier(loops::group::locale);  // all have seen the same
    }
    clear_active();
    outcome mine{};
    constexpr std::uint32_t batch = 4096;  // vertices between which messages are handled
    for (std::uint32_t first = part_.first; first < part_.last; first += batch) {
      const std::uint32_t last = std::min(first + batch, part_.last);
      machine::compiled_for(options_.simd, [&] {
        for (std::uint32_t v = first; v < last; ++v) sweep_vertex(rows, v, common, mine);
      });
      tasks::yield();
    }
    short_sweeps_ += hears_some_ ? 1 : 0;
    mine.edges = rows.edges;
    return sum_up(mine);
  }

  void sweep_vertex(auto& rows, std::uint32_t v, const std::optional<value>& common, outcome& mine) {
    if constexpr (settles) {
      if (arena_->settled.shared_test(v)) return note(v, common && rows.shown(v) != *common, mine);
    }
    const value before = rows.shown(v);
    const value heard = hears_some_                   ? rows.total_of_some(v, short_sweeps_)
                        : common && before == *common ? rows.total_until(v, before)
                                                      : rows.total_of_all(v);
    value now = before;
    const bool changed = program_.apply(vertex_at(v), heard, now, mine.sums);
    if (std::memcmp(&now, &before, sizeof(value)) != 0) rows.show(v, now);
    note(v, changed || (common && before != *common), mine);
  }

  void edge_phase() {
    const observe::trace_scope traced("edge phase");
    if constexpr (scalar) {
      detail::row_phase<Program> rows(program_, graph_);
      loops::run_share(arena_->edge_loops.loop(0), core_of_locale_, [&](const loops::chunk& c) {
        machine::compiled_for(options_.simd, [&] { rows.run_chunk(c, shown_, totals_); });
      });
    } else {
      machine::with_isa(options_.simd, [&](auto isa) { pull_segments(isa); });
    }
  }

  template <class Isa>
  void pull_segments(Isa) {
    const graph::vector_sparse_view edges = graph_.in_edges();
    engine::edge_loops& shared = arena_->edge_loops;
    bool first = true;
    for (const std::size_t s : arena_->order) {
      const bool awaited = exchanging_ && edges.segments[s].last_source > graph_.own;
      if (awaited) await_sources(edges.segments[s]);
      if (awaited || !first) loops::barrier(loops::group::locale);
      first = false;
      const observe::trace_scope traced("segment", s);
      const engine::pull_loop<Program, Isa> pull(program_, edges, edges.segments[s], shown_, totals_,
                                                 arena_->slots, arena_->reads[s], arena_->settled.words());
      const std::size_t first_chunk = shared.first_chunk(s);
      loops::run_share(shared.loop(s), core_of_locale_, [&](const loops::chunk& c) {
        pull.run_chunk(c.first, c.last, first_chunk + c.number);
      });
    }
  }

  outcome vertex_phase() {
    const observe::trace_scope traced("vertex phase");
    if constexpr (!scalar) {
      engine::merge(Program::combine, std::span<const engine::merge_slot<value>>(arena_->slots), part_.first,
                    part_.last, totals_);
    }
    clear_active();
    return machine::compiled_for(options_.simd, [&] {
      outcome mine{};  // in registers: the caller's would be in memory
      for (std::uint32_t v = part_.first; v < part_.last; ++v) {
        value shown = deltas ? value{} : shown_[v];
        const bool active = program_.apply(vertex_at(v), totals_[v], shown, mine.sums);
        shown_[v] = shown;
        clear_total(v);
        note(v, active, mine);
      }
      return mine;
    });
  }

  // Changes values where they are: nobody reads those of mirrors before the next pull.
  outcome push_superstep() {
    if constexpr (!incremental) {
      return {};
    } else {
      // Values of this core may be changed by another core of the locale, once all are past a barrier of the
      // push.
      finish_exchange();
      {
        const observe::trace_scope traced("push phase");
        push_->run(shown_);
      }
      const observe::trace_scope traced("vertex phase");
      mirrors_are_old_ = true;
      outcome mine{};
      if constexpr (deltas) {
        for (const std::uint32_t v : push_->mine().active) shown_[v] = {};
        loops::barrier(loops::group::locale);  // what is told next may be another core's to say
      }
      clear_active();
      std::vector<std::uint32_t>& touched = push_->mine().touched;
      for (const std::uint32_t v : touched) {
        const bool active = program_.apply(vertex_at(v), totals_[v], shown_[v], mine.sums);
        clear_total(v);
        arena_->push->touched.shared_reset(v);
        note(v, active, mine);
      }
      touched.clear();
      return sum_up(mine);
    }
  }

  // Few vertices show something new: their out-neighbours look at all their in-neighbours.
  outcome touch_superstep() {
    if constexpr (!touches) {
      return {};
    } else {
      if (std::exchange(mirrors_are_old_, true)) start_exchange(push_->active_of_my_part());
      {
        const observe::trace_scope traced("touch phase");
        push_->touch();
        finish_exchange();
        if (locales() > 1) loops::barrier(loops::group::locale);
        push_->gather(shown_, options_.simd);
      }
      const observe::trace_scope traced("vertex phase");
      clear_active();
      outcome mine{};
      std::vector<std::uint32_t>& touched = push_->mine().touched;
      for (const std::uint32_t v : touched) {
        mine.edges += graph_.in_rows->degree(v);
        note(v, program_.apply(vertex_at(v), totals_[v], shown_[v], mine.sums), mine);
      }
      touched.clear();
      return sum_up(mine);
    }
  }

  void clear_active() {
    if constexpr (incremental || touches) {
      if (!may_push_) return;
      push_->mine().active.clear();
      push_->mine().taken.store(0, std::memory_order_relaxed);
    }
  }

  outcome sum_up(outcome mine) {
    mine.due = checkpoints_.due(static_cast<std::uint64_t>(supersteps_)) ? 1 : 0;
    mine.stopped = my_core() == 0 && options_.stop && options_.stop->load(std::memory_order_relaxed) ? 1 : 0;
    return loops::all_reduce(mine, [](outcome a, const outcome& other) {
      a.sums += other.sums;
      a.active += other.active;
      a.active_out_edges += other.active_out_edges;
      a.edges += other.edges;
      a.due += other.due;
      a.stopped += other.stopped;
      return a;
    });
  }

  // Begins to show the peers what is new, and sums up; the superstep's end for all cores.
  outcome finish_pull(const outcome& mine) {
    const observe::trace_scope traced("reduction");
    start_exchange();
    return sum_up(mine);
  }

  // The exchange goes on until values are about to change.
  template <class... Changed>
  void start_exchange(Changed... changed) {
    if (locales() == 1) return;
    mirrors_.start(changed...);
    exchanging_ = true;
  }
  void finish_exchange() {
    if (std::exchange(exchanging_, false)) mirrors_.finish();
  }
  void await_sources(const graph::edge_segment& segment) {
    mirrors_.await(std::max(segment.first_source, graph_.own) - graph_.own, segment.last_source - graph_.own);
  }

  // The vector engine combines into the totals that are there; scalar programs write them anew.
  void clear_total(std::uint32_t v) {
    if constexpr (!scalar) totals_[v] = Program::combine.template identity<value>();
  }

  Program& program_;
  graph::locale_graph& graph_;
  const run_options options_;
  const int core_of_locale_;
  const graph::core_part& part_;
  const bool may_push_;
  const std::uint64_t most_listed_edges_ =  // active vertices with more out-edges are in no list
      !may_push_ ? 0
      : options_.direction.wanted == engine::direction::push
          ? ~std::uint64_t{0}
          : engine::most_edges_to_push(options_.direction, graph_.edges);
  std::shared_ptr<detail::arena<Program>> arena_;
  const std::span<total> totals_;
  const std::span<value> shown_;  // by local index, mirrors last
  exchange::mirror_exchange<value> mirrors_;
  std::optional<typename detail::push_phase_of<Program>::type> push_;  // only where supersteps may push
  std::optional<detail::held_back<Program>> held_;                     // only of programs with priorities
  graph_checkpoints checkpoints_;
  int supersteps_ = 0;            // so far
  bool resumed_ = false;          // the next one is the first after a restart
  const bool sweeps_;             // pulls are sweeps
  bool hears_some_ = false;       // vertices have not looked at all in-neighbours yet
  int short_sweeps_ = 0;          // so far
  bool mirrors_are_old_ = false;  // vertices show other values
  bool exchanging_ = false;       // mirrored values may be on their way
};

}  // namespace orujo::gas
