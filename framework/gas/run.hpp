// Runs a vertex program to its end on all cores: supersteps of an edge phase, a vertex phase and an exchange.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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
  std::size_t chunk_vectors = 0;  // edge vectors per chunk; 0: at least 32 chunks per core
  machine::simd_choice simd = machine::simd_choice::automatic;
};

struct run_report {
  int supersteps = 0;
  double seconds = 0;  // of the supersteps; the memory for them is there before
  bool ended = true;   // false: most_supersteps were not enough
};

namespace detail {

// Chunks are many enough to share the work evenly, and short enough (0.1 ms) that messages do not wait long.
constexpr std::size_t chunks_per_core = 32;
constexpr std::size_t longest_chunk = 1 << 14;

// What the cores of a locale share while a program runs.
template <class Value>
struct arena {
  arena(const graph::locale_graph& g, int cores, const run_options& options)
      : chunk_vectors(
            options.chunk_vectors
                ? options.chunk_vectors
                : std::clamp<std::size_t>(g.edge_vectors.size() / (chunks_per_core * std::size_t(cores)), 1,
                                          longest_chunk)),
        edge_loop({0, g.edge_vectors.size()}, cores, loops::schedule::dynamic(chunk_vectors)),
        totals(g.own),
        slots(edge_loop.chunks()) {
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

  std::size_t chunk_vectors;
  loops::shared_loop edge_loop;
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
    engine::with_isa(options_.simd, [&](auto isa) {
      const engine::pull_loop<Program, decltype(isa)> pull(
          program_, graph_.in_edges(), buffers_[static_cast<std::size_t>(from)],
          {arena_->totals.data(), arena_->totals.size()}, arena_->slots);
      loops::run_share(arena_->edge_loop, core_of_locale_,
                       [&](const loops::chunk& c) { pull.run_chunk(c.first, c.last, c.number); });
    });
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
