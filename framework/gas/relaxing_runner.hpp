// One core's part of running a program with priority(): a relaxation (steps/relaxation.hpp) whose bins are
// priorities.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "framework/gas/check_graph.hpp"
#include "framework/gas/members.hpp"
#include "framework/gas/program.hpp"
#include "framework/gas/run_options.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/graph_checkpoints.hpp"
#include "framework/graph/kept_memory.hpp"
#include "framework/steps/relaxation.hpp"
#include "system/base/index_range.hpp"
#include "system/base/lap_clock.hpp"
#include "system/collectives/collectives.hpp"
#include "system/machine/huge_array.hpp"
#include "system/machine/topology.hpp"

namespace orujo::internal::gas {

using graph::graph_checkpoints, graph::program_state;

namespace detail {

// The rule of a relaxation that a program states.
template <class Program>
struct relaxing_rule {
  using value = typename Program::value;
  static constexpr bool by_weights = true, monotone = monotone_program<Program>;
  // The unit of priorities is the program's own.
  static constexpr std::uint64_t most_ahead = steps::bins<int>::none / 16;

  value along(value shown, float weight) const { return program->gather(shown, static_cast<value>(weight)); }
  bool improves(value known, value through) const { return better(known, through) != known; }
  value better(value known, value through) const { return Program::combine(known, through); }
  std::uint64_t bin(std::uint32_t own, value shown) const {
    return std::min(program->priority({own, g->out_degree[own], g}, shown), steps::bins<int>::none - 1);
  }
  bool leads(value shown) const { return shown != Program::combine.template identity<value>(); }

  const Program* program;
  const graph::locale_graph* g;
};

// The values of a graph's vertices, by local index, which stay with it from one run to the next.
template <class Value>
struct relaxed_values {
  explicit relaxed_values(const graph::locale_graph& g) : shown(std::size_t{g.own} + g.mirrors) {}
  machine::huge_array<Value> shown;
};

}  // namespace detail

// One core's part of a run. Its supersteps are the rounds of the relaxation.
template <relaxing_program Program>
class relaxing_runner {
  using value = typename Program::value;
  using values = detail::relaxed_values<value>;

 public:
  // [task; suspends; collective over the job]
  relaxing_runner(Program& program, graph::locale_graph& g, const run_options& options)
      : program_(program),
        graph_(g),
        options_(detail::checked<Program>(options)),
        part_(checked(g, options).my_part()),
        values_(graph::share_kept<values>(
            g, [&](const values& kept) { return kept.shown.size() == std::size_t{g.own} + g.mirrors; },
            [&] { return std::make_shared<values>(g); })),
        shown_(values_->shown.data(), values_->shown.size()),
        relaxation_(g, shown_, {&program, &g}, options.codec, options.ahead != going_ahead::never),
        checkpoints_(g, detail::writes_checkpoints<Program>(options)) {
    machine::place_here(part_.of(shown_));
  }

  // [task; suspends; collective over the job] Called once.
  run_report run() {
    base::lap_clock clock;
    run_report report;
    start();
    do {
      report.supersteps = static_cast<int>(relaxation_.report().rounds);
      checkpoints_.step(relaxation_.report().rounds, [&](program_state& kept) { name_state(kept); });
      if (is_stopped() || report.supersteps == options_.most_supersteps) {
        report.ended = !relaxation_.has_more();
        break;
      }
    } while (relaxation_.step());
    report.pushed = report.supersteps;
    report.seconds = clock.lap();
    report.edges = collectives::all_reduce(relaxation_.report().edges);
    return report;
  }

  // Copies the values of the calling core's vertices after the run. `to` is by own vertex of the locale.
  void copy_shown(std::span<value> to) const {
    std::copy(shown_.begin() + part_.first, shown_.begin() + part_.last, to.begin() + part_.first);
  }

 private:
  static graph::locale_graph& checked(graph::locale_graph& g, const run_options& options) {
    detail::check_graph(g, detail::wanted_edges_of<Program>(locales() > 1), options.direction.wanted);
    return g;
  }
  graph::vertex vertex_at(std::uint32_t v) const { return {v, graph_.out_degree[v], &graph_}; }

  bool starts([[maybe_unused]] std::uint32_t v) {
    if constexpr (detail::calls_starts<Program>) return program_.starts(vertex_at(v));
    return true;
  }

  // The state of a checkpoint is what vertices show. Vertices that have started, or show anything, go on from
  // there.
  void start() {
    const value identity = Program::combine.template identity<value>();
    const index_range mirrors = my_part_of_locale({graph_.own, shown_.size()});
    std::ranges::fill(shown_.subspan(mirrors.first, mirrors.size()), identity);
    relaxation_.clear();
    if (checkpoints_.resume([&](program_state& kept) { name_state(kept); })) {
      for (std::uint32_t v = part_.first; v < part_.last; ++v) {
        if constexpr (detail::calls_restored<Program>) shown_[v] = program_.restored(vertex_at(v));
        if (shown_[v] != identity || starts(v)) relaxation_.add(v);
      }
    } else {
      typename Program::aggregate none{};
      for (std::uint32_t v = part_.first; v < part_.last; ++v) {
        shown_[v] = program_.start(vertex_at(v), none);
        if (starts(v))
          relaxation_.add(v);
        else if (shown_[v] != identity)
          relaxation_.leave();
      }
    }
    relaxation_.agree(static_cast<std::uint64_t>(far_.supersteps));
  }

  void name_state(program_state& kept) {
    far_.supersteps = static_cast<std::int32_t>(relaxation_.report().rounds);
    kept.add("run", far_);
    if constexpr (!detail::calls_restored<Program>) kept.add_vertices("shown", shown_.data());
    if constexpr (detail::calls_checkpoint<Program>) program_.checkpoint(kept);
  }

  // [task; suspends; collective over the job]
  bool is_stopped() const {
    return options_.stop && collectives::all_reduce(options_.stop.is_set() ? 1 : 0) > 0;
  }

  Program& program_;
  graph::locale_graph& graph_;
  const run_options options_;
  const graph::core_part& part_;
  const std::shared_ptr<values> values_;
  const std::span<value> shown_;  // by local index, mirrors last
  steps::relaxation<detail::relaxing_rule<Program>> relaxation_;
  graph_checkpoints checkpoints_;
  graph::run_progress far_{};
};

}  // namespace orujo::internal::gas
