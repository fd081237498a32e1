// Runs vertex programs on GPUs. The first core of each locale has a GPU do the steps along edges and the
// vertex phases. All cores exchange the values of vertices between locales. These lines compile a program for
// GPUs.
//
//   template struct orujo::runs_on<my_program, orujo::cuda_gpu>;       in a source for CUDA's compiler
//   template struct orujo::runs_on<my_program, orujo::emulated_gpu>;     in any source: for tests
//
// The program's members gather, apply and settled, and the functions that they call, are ORUJO_HOST_DEVICE or
// constexpr. Its device_state() names its values per vertex (graph/device_state.hpp). These members may read
// `local` and `out_degree` of a vertex, and no other member of it. The CPU runs next(), start() and starts().
//
// docs/how_to/gpus.md says which programs can run on GPUs, and when that pays.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>

#include "framework/device/gpu.hpp"
#include "framework/device/selection.hpp"
#include "framework/device/serial.hpp"
#include "framework/exchange/mirror_exchange.hpp"
#include "framework/gas/device_code.hpp"
#include "framework/gas/device_engine.hpp"
#include "framework/gas/program.hpp"
#include "framework/gas/run_options.hpp"
#include "framework/gas/superstep_report.hpp"
#include "framework/graph/graph_checkpoints.hpp"
#include "framework/graph/kept_forms.hpp"
#include "framework/steps/direction.hpp"
#include "system/base/lap_clock.hpp"
#include "system/collectives/collectives.hpp"
#include "system/machine/huge_array.hpp"
#include "system/observe/step_log.hpp"
#include "system/observe/trace.hpp"

namespace orujo::internal::gas {

namespace detail {

// The part of a run that the cores of a locale share.
template <class Program, class On>
struct run_on_gpu : device::gpu<On> {
  using value = typename Program::value;

  run_on_gpu(const graph::locale_graph& g, int number, bool pushes)
      : shown(std::size_t{g.own} + g.mirrors), active(g.own), settled(g.own) {
    this->open(number, [&](On& opened) {
      pinned = {opened, shown.part(0, shown.size())};
      engine.emplace(opened, g, pushes);
    });
  }

  machine::huge_array<value> shown;  // by local index
  graph::bit_set active, settled;    // by own vertex, at first
  device::pinned<On> pinned;
  std::optional<device_engine<Program, On>> engine;
};

// One core's part of a run.
template <vectors::pull_program Program, class On>
class device_runner {
  using value = typename Program::value;
  using aggregate = typename Program::aggregate;
  using sums = device::step_sums<Program>;
  static constexpr bool incremental = incremental_program<Program>;

  struct outcome {
    sums of;
    std::uint64_t stopped;
  };

 public:
  // [task; suspends; collective over the job]
  device_runner(Program& program, graph::locale_graph& g, const run_options& options)
      : program_(program),
        graph_(graph::require_forms(g, {.in_rows = true}, "gas::run on a GPU:")),
        options_(options),
        part_(g.my_part()),
        pushes_(incremental && locales() == 1 && options.direction.wanted != steps::direction::pull &&
                graph::keeps_arrays(g.out_rows)),
        shared_(share(g)),
        mirrors_(g, shared_->shown.part(0, shared_->shown.size()), options.codec, options.rounded) {}

  // [task; suspends; collective over the job] Returns false if the CPU is to run the program.
  bool can_run() { return device::all_have_gpus(options_.device, shared_->wrong, shared_->name()); }

  // [task; suspends; collective over the job] Called once.
  run_report run() {
    base::lap_clock clock;
    run_report report{.on_gpu = true};
    superstep_report told(options_.most_supersteps, planned_of(program_), graph_.vertices);
    observe::begin_run_of_steps();
    sums last = start();
    while (last.active > 0 && wants_next(report.supersteps, last.sums)) {
      if (report.supersteps == options_.most_supersteps || stopped_) {
        report.ended = false;
        break;
      }
      told.begins(report.supersteps + 1, last.active, change_of(program_));
      const observe::trace_scope traced("superstep", static_cast<std::uint64_t>(report.supersteps));
      const bool push = pushes_next(report.supersteps++, last);
      report.pushed += push ? 1 : 0;
      observe::step_scope step(push ? "push" : "pull", last.active);
      const std::uint64_t edges = push ? last.active_out_edges : graph_.edges;
      report.edges += edges;
      last = superstep(push);
      told.ends(push, last.active);
      step.looked_at(edges);
    }
    if (leads_locale()) shared_->engine->end();
    collectives::barrier(collectives::group::locale);
    report.seconds = clock.lap();
    return report;
  }

  // [task; suspends; collective over the locale] Copies the values of the calling core's vertices after the
  // run.
  void copy_shown(std::span<value> to) {
    if (leads_locale()) shared_->engine->copy_shown(shared_->shown.part(0, graph_.own));
    collectives::barrier(collectives::group::locale);
    const std::span<value> mine = part_.of(shared_->shown.part(0, graph_.own));
    std::copy(mine.begin(), mine.end(), to.begin() + part_.first);
  }

 private:
  std::shared_ptr<run_on_gpu<Program, On>> share(const graph::locale_graph& g) {
    const int number = device::gpu_of_locale(options_.device);
    return collectives::share_on_locale<run_on_gpu<Program, On>>(
        [&] { return std::make_shared<run_on_gpu<Program, On>>(g, number, pushes_); });
  }

  bool wants_next(int superstep, const aggregate& last) {
    if constexpr (calls_next<Program>) return program_.next(superstep, last);
    return true;
  }

  bool pushes_next(int superstep, const sums& last) const {
    if (!pushes_ || (delta_program<Program> && superstep == 0)) return false;
    return steps::choose_direction(options_.direction, last.active_out_edges, graph_.edges) ==
           steps::direction::push;
  }

  sums start() {
    sums mine{};
    for (std::uint32_t v = part_.first; v < part_.last; ++v) {
      const vertex of{v, graph_.out_degree[v], &graph_};
      shared_->shown[v] = program_.start(of, mine.sums);
      bool active = true;
      if constexpr (calls_starts<Program>) active = program_.starts(of);
      if constexpr (has_settling_vertices<Program>) {
        if (program_.settled(of)) shared_->settled.shared_set(v);
      }
      if (!active) continue;
      shared_->active.shared_set(v);
      ++mine.active;
      mine.active_out_edges += of.out_degree;
    }
    collectives::barrier(collectives::group::locale);
    if (leads_locale()) {
      shared_->engine->begin(program_, shared_->shown.part(0, shared_->shown.size()), shared_->active,
                             shared_->settled);
    }
    return meet(mine);
  }

  sums superstep(bool push) {
    sums mine{};
    if (leads_locale()) {
      const observe::trace_scope traced(push ? "push on a GPU" : "pull on a GPU");
      mine = push ? shared_->engine->push(program_) : shared_->engine->pull(program_);
      if (locales() > 1) shared_->engine->copy_shown(shared_->shown.part(0, graph_.own));
    }
    return meet(mine);
  }

  // Ends a superstep for all cores: mirrors receive new values, and then the GPUs do.
  sums meet(const sums& mine) {
    if (locales() > 1) {
      collectives::barrier(collectives::group::locale);
      mirrors_.start();
    }
    const outcome all =
        collectives::all_reduce(outcome{mine, options_.stop.is_set()}, [](outcome a, const outcome& b) {
          a.of.sums += b.of.sums;
          a.of.active += b.of.active;
          a.of.active_out_edges += b.of.active_out_edges;
          a.stopped += b.stopped;
          return a;
        });
    stopped_ = all.stopped > 0;
    if (locales() > 1) {
      mirrors_.finish();
      collectives::barrier(collectives::group::locale);
      if (leads_locale())
        shared_->engine->show_mirrors(shared_->shown.part(graph_.own, shared_->shown.size()));
    }
    return all.of;
  }

  Program& program_;
  const graph::locale_graph& graph_;
  const run_options options_;
  const graph::core_part& part_;
  const bool pushes_;
  std::shared_ptr<run_on_gpu<Program, On>> shared_;
  exchange::mirror_exchange<value> mirrors_;
  bool stopped_ = false;
};

template <class Program, class On>
std::optional<run_report> run_on(Program& program, graph::locale_graph& g, const run_options& options,
                                 std::span<typename Program::value> shown) try {
  refuse_checkpoints_on_gpus(options.checkpoints);
  device_runner<Program, On> runner(program, g, checked<Program>(options));
  if (!runner.can_run()) return std::nullopt;
  const run_report report = runner.run();
  if (!shown.empty()) runner.copy_shown(shown);
  return report;
} catch (const device::failure& why) {
  device::fail_for_gpu(why.what());
}

}  // namespace detail

// An explicit instantiation compiles a vertex program for a GPU: `On` is cuda_gpu, in a source for CUDA's
// compiler, or emulated_gpu, which runs the GPU's code on the CPU, for tests.
template <class Program, class On>
struct runs_on {
  static_assert(vectors::pull_program<Program> && !searching_program<Program> && !scalar_program<Program>,
                "GPUs run programs of the vector engine: with numbers as values, a generic gather, and no "
                "combine = any{}");
  static_assert(std::is_trivially_copyable_v<Program>,
                "a program that runs on a GPU is copied there byte by byte");

 private:
  static bool note() {
    (On::on_gpu ? device_code<Program>::cuda : device_code<Program>::emulated) = &detail::run_on<Program, On>;
    return true;
  }
  static const bool noted;
};
template <class Program, class On>
const bool runs_on<Program, On>::noted = runs_on<Program, On>::note();

}  // namespace orujo::internal::gas
