// Runs a vertex program to its end on all cores: supersteps of an edge phase, a vertex phase and an exchange.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/engine/edge_loops.hpp"
#include "framework/engine/pull.hpp"
#include "framework/exchange/mirror_exchange.hpp"
#include "framework/gas/program.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/loops/collectives.hpp"
#include "system/loops/schedule.hpp"
#include "system/machine/huge_array.hpp"
#include "system/observe/progress.hpp"
#include "system/observe/trace.hpp"

namespace orujo::gas {

struct run_options {
  int most_supersteps = 1 << 30;
  engine::edge_loop_options edges;
  machine::simd_choice simd = machine::simd_choice::automatic;
};

struct run_report {
  int supersteps = 0;
  double seconds = 0;  // of the supersteps; the memory for them is there before
  bool ended = true;   // false: most_supersteps were not enough
};

namespace detail {

// What the cores of a locale share while a program runs.
template <class Value>
struct arena {
  arena(const graph::locale_graph& g, int cores, const run_options& options)
      : edge_loops(g.in_edges(), cores, options.edges),
        totals(g.own),
        slots(edge_loops.first_chunk(edge_loops.segments())) {
    const std::size_t indices = std::size_t{g.own} + g.mirrors;
    shown[0] = machine::huge_array<Value>(indices);
    if (locales() > 1) shown[1] = machine::huge_array<Value>(indices);
  }

  // What vertices show, by local index; supersteps use the two in turn where there are peers
  // (mirror_exchange.hpp).
  std::array<std::span<Value>, 2> buffers() const {
    const machine::huge_array<Value>& second = shown[1].size() ? shown[1] : shown[0];
    return {std::span(shown[0].data(), shown[0].size()), std::span(second.data(), second.size())};
  }

  engine::edge_loops edge_loops;
  machine::huge_array<Value> shown[2];
  machine::huge_array<Value> totals;  // by own vertex
  std::vector<engine::merge_slot<Value>> slots;
};

}  // namespace detail

// One core's part of a run.
template <vertex_program Program>
class runner {
  using value = typename Program::value;
  using aggregate = typename Program::aggregate;
  struct outcome {
    aggregate sums;
    std::uint64_t active = 0;
  };

 public:
  // [task; suspends; collective over the job]
  runner(Program& program, graph::locale_graph& g, const run_options& options)
      : program_(program),
        graph_(g),
        options_(options),
        core_of_locale_(my_core_of_locale()),
        part_(g.my_part()),
        arena_(loops::share_on_locale<detail::arena<value>>(
            [&] { return std::make_shared<detail::arena<value>>(g, my_locales_cores(), options); })),
        buffers_(arena_->buffers()),
        mirrors_(g, buffers_) {}

  // [task; suspends; collective over the job] Once.
  run_report run() {
    const auto start = std::chrono::steady_clock::now();
    run_report report;
    std::optional<observe::progress_line> progress;
    if (my_core() == 0) progress.emplace();
    outcome last = start_vertices();
    while (last.active > 0 && program_.next(report.supersteps, last.sums)) {
      if (report.supersteps == options_.most_supersteps) {
        report.ended = false;
        break;
      }
      if (progress && progress->due()) progress->show("superstep " + std::to_string(report.supersteps + 1));
      last = superstep(report.supersteps++);
    }
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
  }

 private:
  outcome start_vertices() {
    outcome mine{};
    for (std::uint32_t v = part_.first; v < part_.last; ++v) {
      buffers_[0][v] = program_.start({v, graph_.out_degree[v]}, mine.sums);
      arena_->totals[v] = identity();
    }
    mine.active = part_.last - part_.first;
    return finish(mine, 0);
  }

  outcome superstep(int number) {
    const observe::trace_scope traced("superstep", static_cast<std::uint64_t>(number));
    const int from = number % 2, to = 1 - from;
    edge_phase(from);
    loops::barrier(loops::group::locale);
    return finish(vertex_phase(from, to), to);
  }

  void edge_phase(int from) {
    const observe::trace_scope traced("edge phase");
    engine::with_isa(options_.simd, [&](auto isa) { pull_segments(isa, from); });
  }

  template <class Isa>
  void pull_segments(Isa, int from) {
    const graph::vector_sparse_view edges = graph_.in_edges();
    engine::edge_loops& shared = arena_->edge_loops;
    for (std::size_t s = 0; s < shared.segments(); ++s) {
      if (s > 0) loops::barrier(loops::group::locale);
      const engine::pull_loop<Program, Isa> pull(
          program_, edges, edges.segments[s], buffers_[static_cast<std::size_t>(from)],
          {arena_->totals.data(), arena_->totals.size()}, arena_->slots);
      const std::size_t first_chunk = shared.first_chunk(s);
      loops::run_share(shared.loop(s), core_of_locale_, [&](const loops::chunk& c) {
        pull.run_chunk(c.first, c.last, first_chunk + c.number);
      });
    }
  }

  outcome vertex_phase(int from, int to) {
    const observe::trace_scope traced("vertex phase");
    const std::span<value> totals(arena_->totals.data(), arena_->totals.size());
    engine::merge(Program::combine, std::span<const engine::merge_slot<value>>(arena_->slots), part_.first,
                  part_.last, totals);
    const value* const before = buffers_[static_cast<std::size_t>(from)].data();
    value* const after = buffers_[static_cast<std::size_t>(to)].data();
    outcome mine{};
    for (std::uint32_t v = part_.first; v < part_.last; ++v) {
      value shown = before[v];
      mine.active += program_.apply({v, graph_.out_degree[v]}, totals[v], shown, mine.sums) ? 1 : 0;
      after[v] = shown;
      totals[v] = identity();
    }
    return mine;
  }

  // Shows the peers what is new in buffer b, and sums up; the superstep's end for all cores.
  outcome finish(const outcome& mine, int b) {
    const observe::trace_scope traced("exchange");
    mirrors_.send(b);
    const outcome all = loops::all_reduce(mine, [](outcome a, const outcome& other) {
      a.sums += other.sums;
      a.active += other.active;
      return a;
    });
    if (locales() > 1) {
      mirrors_.await(b);
      loops::barrier(loops::group::locale);
    }
    return all;
  }

  static value identity() { return Program::combine.template identity<value>(); }

  Program& program_;
  graph::locale_graph& graph_;
  const run_options options_;
  const int core_of_locale_;
  const graph::core_part& part_;
  std::shared_ptr<detail::arena<value>> arena_;
  std::array<std::span<value>, 2> buffers_;
  exchange::mirror_exchange<value> mirrors_;
};

// [task; suspends; collective over the job] Every core passes its copy of the program.
template <vertex_program Program>
run_report run(Program& program, graph::locale_graph& g, const run_options& options = {}) {
  return runner<Program>(program, g, options).run();
}

}  // namespace orujo::gas
