// One core's part of running a vertex program to its end. A superstep consists of an edge phase, which pulls
// or pushes, a vertex phase and an exchange.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/exchange/guest_totals.hpp"
#include "framework/exchange/mirror_exchange.hpp"
#include "framework/gas/activity.hpp"
#include "framework/gas/arena.hpp"
#include "framework/gas/check_graph.hpp"
#include "framework/gas/members.hpp"
#include "framework/gas/program.hpp"
#include "framework/gas/pull_phase.hpp"
#include "framework/gas/push_ahead.hpp"
#include "framework/gas/push_alone.hpp"
#include "framework/gas/row_phase.hpp"
#include "framework/gas/run_options.hpp"
#include "framework/gas/superstep_report.hpp"
#include "framework/gas/sweep_phase.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/graph_checkpoints.hpp"
#include "framework/graph/kept_memory.hpp"
#include "framework/steps/direction.hpp"
#include "system/base/lap_clock.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/schedule.hpp"
#include "system/machine/topology.hpp"
#include "system/observe/step_log.hpp"
#include "system/observe/trace.hpp"

namespace orujo::internal::gas {

using graph::graph_checkpoints, graph::program_state;

// One core's part of a run.
template <vertex_program Program>
class runner {
  using value = typename Program::value;
  using total = total_of<Program>;
  using aggregate = typename Program::aggregate;
  using outcome = detail::superstep_outcome<Program>;
  static constexpr bool scalar = scalar_program<Program>;
  static constexpr bool incremental = incremental_program<Program>;
  static constexpr bool touches = incremental_scalar_program<Program>;
  static constexpr bool asynchronous = asynchronous_program<Program>;
  static constexpr bool deltas = delta_program<Program>;
  static constexpr bool settles = detail::has_settling_vertices<Program>;

 public:
  // [task; suspends; collective over the job]
  runner(Program& program, graph::locale_graph& g, const run_options& options)
      : program_(program),
        graph_(g),
        options_(detail::checked<Program>(options)),
        part_(g.my_part()),
        may_push_(detail::check_graph(g, detail::wanted_edges_of<Program>(locales() > 1),
                                      options.direction.wanted)),
        arena_(graph::share_kept<detail::arena<Program>>(
            g, [&](auto& kept) { return kept.reuse(g, options.edges, may_push_); },
            [&] {
              return std::make_shared<detail::arena<Program>>(g, my_locales_cores(), options.edges, settles,
                                                              may_push_);
            })),
        totals_(arena_->totals.data(), arena_->totals.size()),
        shown_(arena_->shown.data(), arena_->shown.size()),
        mirrors_(g, shown_, options.codec, options.rounded),
        activity_(program, g, *arena_, totals_, may_push_, options),
        checkpoints_(g, detail::writes_checkpoints<Program>(options)) {
    machine::place_here(part_.of(shown_));
    machine::place_here(part_.of(totals_));
    activity_.clear();
    if constexpr (!scalar) {
      if (g.placement == graph::edge_placement::grid) {
        const auto of_guests = totals_.subspan(part_.first_guest, part_.last_guest - part_.first_guest);
        machine::place_here(of_guests);
        std::ranges::fill(of_guests, Program::combine.template identity<value>());
        guests_.emplace(g, totals_, options.rounded);
      }
    }
    if constexpr (asynchronous) {
      if (graph::keeps_arrays(g.in_rows) && options.edges == vectors::edge_loop_options{})
        sweeps_.emplace(program, g, *arena_, shown_, activity_, may_push_, options);
      if (locales() > 1) ahead_.emplace(g, activity_, shown_, options.ahead);
    }
  }

  // [task; suspends; collective over the job] Called once.
  run_report run() {
    base::lap_clock clock;
    run_report report;
    detail::superstep_report told(options_.most_supersteps, detail::planned_of(program_), graph_.vertices);
    observe::begin_run_of_steps();
    outcome last{};
    if (!resume_vertices(last, report)) last = start_vertices();
    while (last.active > 0 || hears_some()) {
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
      if constexpr (asynchronous) {
        if (sweeps_ && !push && report.supersteps == 1) sweeps_->begin(last.active);
      }
      observe::step_scope step(push ? "push" : sweeps_ ? "sweep" : "pull", last.active);
      const std::uint64_t edges_before = report.edges;
      const bool counted = push ? ahead_.has_value() : sweeps_.has_value();
      report.edges += counted ? 0 : push ? last.active_out_edges : graph_.edges;
      if (!push) activity_.pass_over_told();
      last = !push ? pull_superstep(last.active) : touches ? touch_superstep(last) : push_superstep(last);
      report.edges += last.edges;
      report.supersteps += static_cast<int>(last.passed);
      report.pushed += static_cast<int>(last.passed);
      step.took_further(last.passed);
      told.ends(push, last.active);
      step.looked_at(report.edges - edges_before);
    }
    activity_.pass_over_told();
    finish_exchange();
    report.seconds = clock.lap();
    return report;
  }

  // Copies the values of the calling core's vertices after the run. `to` is by own vertex of the locale.
  void copy_shown(std::span<value> to) const {
    std::copy(shown_.begin() + part_.first, shown_.begin() + part_.last, to.begin() + part_.first);
  }

 private:
  // True if vertices have not examined all in-neighbours yet.
  bool hears_some() const {
    if constexpr (asynchronous) return sweeps_ && sweeps_->hears_some();
    return false;
  }

  bool passes_over_mirrors() const {
    if constexpr (asynchronous) return sweeps_ && sweeps_->passes_over_mirrors();
    return false;
  }

  bool wants_next(int superstep, const aggregate& last) {
    if constexpr (detail::calls_next<Program>) return program_.next(superstep, last);
    return true;
  }

  bool pushes_next(int superstep, const outcome& last) {
    constexpr bool begins_with_all = deltas || (touches && !detail::calls_starts<Program>);
    if (std::exchange(resumed_, false)) return false;
    if ((begins_with_all && superstep == 0) || hears_some()) return false;
    return may_push_ && steps::choose_direction(options_.direction, last.active_out_edges, graph_.edges) ==
                            steps::direction::push;
  }

  outcome start_vertices() {
    outcome mine{};
    for (std::uint32_t v = part_.first; v < part_.last; ++v) {
      shown_[v] = program_.start(vertex_at(v), mine.sums);
      clear_total(v);
      bool active = true;
      if constexpr (detail::calls_starts<Program>) active = program_.starts(vertex_at(v));
      activity_.note(v, active, mine);
    }
    if constexpr (asynchronous) {
      // Short sweeps change most values before mirrors need any.
      if (sweeps_ && sweeps_->may_be_short()) {
        mirrors_are_old_ = true;
        return sum_up(mine);
      }
    }
    return finish_pull(mine);
  }

  // Writes a checkpoint between two supersteps. It does not have which vertices are active or held back: the
  // first superstep after a restart is a pull, in which every vertex receives what all its in-neighbours
  // show.
  void save(outcome& last, const run_report& report) {
    graph::run_progress far{report.supersteps, report.pushed, report.edges,
                            last.active + (hears_some() ? 1 : 0), last.active_out_edges};
    checkpoints_.save([&](program_state& kept) { name_state(kept, far, last.sums); });
  }

  // True if the state comes from a checkpoint.
  bool resume_vertices(outcome& last, run_report& report) {
    graph::run_progress far;
    if (!checkpoints_.resume([&](program_state& kept) { name_state(kept, far, last.sums); })) return false;
    supersteps_ = report.supersteps = far.supersteps;
    report.pushed = far.pushed;
    report.edges = far.edges;
    last.active = far.active;
    last.active_out_edges = far.active_out_edges;
    for (std::uint32_t v = part_.first; v < part_.last; ++v) {
      if constexpr (detail::calls_restored<Program>) shown_[v] = program_.restored(vertex_at(v));
      clear_total(v);
      activity_.settle(v);
    }
    resumed_ = true;
    start_exchange();
    collectives::barrier();
    return true;
  }

  void name_state(program_state& kept, graph::run_progress& far, aggregate& sums) {
    kept.add("run", far);
    kept.add("sums", sums);
    if constexpr (!detail::calls_restored<Program>) kept.add_vertices("shown", shown_.data());
    if constexpr (detail::calls_checkpoint<Program>) program_.checkpoint(kept);
  }

  vertex vertex_at(std::uint32_t v) const { return {v, graph_.out_degree[v], &graph_}; }

  outcome pull_superstep([[maybe_unused]] std::uint64_t active) {
    const bool swept = sweeps_.has_value();
    if (mirrors_are_old_ && !passes_over_mirrors()) start_exchange();
    if (scalar || swept || !options_.overlap) {
      finish_exchange();
      if (locales() > 1) collectives::barrier(collectives::group::locale);
    }
    if constexpr (asynchronous) {
      if (swept) {
        const observe::trace_scope traced("sweep");
        return finish_pull(sweeps_->run(active));
      }
    }
    edge_phase();
    finish_exchange();
    collectives::barrier(collectives::group::locale);
    return finish_pull(vertex_phase());
  }

  void edge_phase() {
    const observe::trace_scope traced("edge phase");
    if constexpr (scalar) {
      detail::row_phase<Program> rows(program_, graph_);
      loops::run_share(arena_->edge_loops.loop(0), my_core_of_locale(), [&](const loops::chunk& c) {
        machine::compiled_for(options_.simd, [&] { rows.run_chunk(c, shown_, totals_); });
      });
    } else {
      pulls().run(options_.simd);
    }
  }
  auto pulls() {
    return detail::pull_phase<Program>(program_, graph_, *arena_, shown_, totals_, mirrors_,
                                       guests_ ? &*guests_ : nullptr);
  }

  outcome vertex_phase() {
    const observe::trace_scope traced("vertex phase");
    if constexpr (!scalar) pulls().merge();
    activity_.clear();
    return machine::compiled_for(options_.simd, [&] {
      outcome all{};
      for (std::uint32_t first = part_.first; first < part_.last;) {
        const std::uint32_t last = std::min(first + vertices_of_block, part_.last);
        outcome mine{};  // in registers: the caller's would be in memory
        for (std::uint32_t v = first; v < last; ++v) {
          value shown = deltas ? value{} : shown_[v];
          const bool active = apply_to(program_, vertex_at(v), totals_[v], shown, mine.sums);
          shown_[v] = shown;
          clear_total(v);
          activity_.note(v, active, mine);
        }
        all += mine;
        first = last;
      }
      return all;
    });
  }
  // The program's sums are formed in blocks of this number of vertices: added one by one, many would lose
  // digits.
  static constexpr std::uint32_t vertices_of_block = 4096;

  // Changes values in place, as the values of mirrors are not read before the next pull.
  outcome push_superstep(const outcome& before) {
    if constexpr (!incremental) {
      return {};
    } else {
      // After the first barrier of the push, another core of the locale may change values of this core.
      finish_exchange();
      if constexpr (asynchronous) {
        if (ahead_) {
          mirrors_are_old_ = true;
          return ahead_->run([&](const outcome& mine) { return sum_up(mine); });
        }
      }
      if (detail::one_core_pushes<Program>(before)) return sum_up(leads_locale() ? push_alone() : outcome{});
      activity_.tell_the_rest(before, shown_);
      {
        const observe::trace_scope traced("push phase");
        activity_.pushes().run(shown_);
      }
      const observe::trace_scope traced("vertex phase");
      mirrors_are_old_ = true;
      outcome mine{};
      if constexpr (deltas) {
        for (const std::uint32_t v : activity_.pushes().mine().active) shown_[v] = {};
        collectives::barrier(collectives::group::locale);  // another core may write these values next
      }
      activity_.clear();
      activity_.apply_to_touched(shown_, mine);
      return sum_up(mine);
    }
  }
  outcome push_alone() requires incremental {
    return detail::push_alone(activity_, shown_, [this](const outcome& last) {
      if (!pushes_next(supersteps_, last) || supersteps_ == options_.most_supersteps ||
          options_.stop.is_set() || checkpoints_.due(static_cast<std::uint64_t>(supersteps_)))
        return false;
      ++supersteps_;
      return true;
    });
  }

  // Few vertices show something new: their out-neighbours gather from all their in-neighbours.
  outcome touch_superstep(const outcome& before) {
    if constexpr (!touches) {
      return {};
    } else {
      activity_.tell_the_rest(before, shown_);
      {
        const observe::trace_scope traced("touch phase");
        activity_.pushes().touch();
        finish_exchange();
        if (locales() > 1) collectives::barrier(collectives::group::locale);
        activity_.pushes().gather(shown_, options_.simd);
      }
      const observe::trace_scope traced("vertex phase");
      activity_.clear();
      outcome mine{};
      std::vector<std::uint32_t>& touched = activity_.pushes().mine().touched;
      for (const std::uint32_t v : touched) {
        mine.edges += graph_.in_rows->degree(v);
        activity_.note(v, program_.apply(vertex_at(v), totals_[v], shown_[v], mine.sums), mine);
      }
      touched.clear();
      return sum_up(mine, true);
    }
  }

  // [task; suspends; collective over the job] If `touched`, only active vertices show something new, and
  // mirrors receive their values.
  outcome sum_up(outcome mine, bool touched = false) {
    mine.due = checkpoints_.due(static_cast<std::uint64_t>(supersteps_)) ? 1 : 0;
    mine.stopped = options_.stop.is_set();
    return activity_.meet(mine, shown_, [&](bool whole) {
      if constexpr (touches) {
        if (touched) whole ? start_exchange(activity_.pushes().active_of_my_part()) : start_exchange();
      }
    });
  }

  // Starts to send new values to mirrors, and combines the outcomes: the superstep's end for all cores.
  outcome finish_pull(const outcome& mine) {
    const observe::trace_scope traced("reduction");
    start_exchange();
    return sum_up(mine);
  }

  // The exchange continues until values are about to change.
  template <class... Changed>
  void start_exchange(Changed... changed) {
    mirrors_are_old_ = false;
    if (locales() > 1) mirrors_.start(changed...);
  }
  void finish_exchange() {
    if (mirrors_.under_way()) mirrors_.finish();
  }

  // The vector engine combines into existing totals; scalar programs overwrite them.
  void clear_total(std::uint32_t v) {
    if constexpr (!scalar) totals_[v] = Program::combine.template identity<value>();
  }

  Program& program_;
  graph::locale_graph& graph_;
  const run_options options_;
  const graph::core_part& part_;
  const bool may_push_;
  std::shared_ptr<detail::arena<Program>> arena_;
  const std::span<total> totals_;
  const std::span<value> shown_;  // by local index, mirrors last
  exchange::mirror_exchange<value> mirrors_;
  std::optional<exchange::guest_totals<value>> guests_;  // where edges lie on a grid
  detail::activity<Program> activity_;
  std::optional<typename detail::sweep_phase_of<Program>::type> sweeps_;  // where pulls are sweeps
  std::optional<typename detail::push_ahead_of<Program>::type> ahead_;    // where pushes go ahead
  graph_checkpoints checkpoints_;
  int supersteps_ = 0;            // so far
  bool resumed_ = false;          // the next one is the first after a restart
  bool mirrors_are_old_ = false;  // own vertices show other values than mirrors
};

}  // namespace orujo::internal::gas
