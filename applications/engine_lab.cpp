// A laboratory for the engine of one locale: the choices of Grossman, Litz, Kozyrakis, "Making Pull-Based
// Graph Processing Performant", PPoPP 2018, as options, each phase timed by itself.
#include <fmt/format.h>
#include <gflags/gflags.h>

#include <array>
#include <optional>
#include <string_view>

#include "applications/engine_lab/check.hpp"
#include "applications/engine_lab/supersteps.hpp"
#include "applications/harness/balance.hpp"
#include "applications/harness/graph_harness.hpp"
#include "applications/harness/sources.hpp"
#include "framework/graph/packing.hpp"
#include "framework/layout/load.hpp"
#include "system/base/flags.hpp"
#include "system/loops/schedule_flags.hpp"
#include "system/machine/isa.hpp"
#include "system/runtime/runtime.hpp"

DECLARE_string(schedule);
DEFINE_string(algorithm, "pagerank", "algorithm to run: pagerank, connected_components or bfs");
DEFINE_string(loop, "edges",
              "unit that --schedule shares among the cores in a pull: edges (vectors of edges) or vertices "
              "(each with all its in-edges, one by one)");
DEFINE_uint64(chunk_vertices, 0, "vertices per chunk, with --loop=vertices; 0: about 64 chunks per core");
DEFINE_string(encoding, "wide",
              "encoding of in-edges: wide (the paper's 4 lanes of 64 bits) or compact (8 of 32)");
DEFINE_string(
    phase_interface, "scheduler_aware",
    "way to write results: traditional (every edge vector's result is written to the shared total, "
    "atomically), traditional_nonatomic (the same without atomics: results may be wrong) or scheduler_aware");
DEFINE_string(engine, "pull", "engine: pull, push or hybrid");
DEFINE_string(push_along, "vectors",
              "edges that a push iterates over: vectors (the paper's, grouped by source) or rows (those of "
              "the other programs); not with --engine=pull");
DEFINE_bool(write_intense, false, "write totals even if they keep their values (traditional and push)");
DEFINE_bool(count_active, false,
            "count the edge vectors with an active source in every pull: those that an engine which tests "
            "sources first could not pass over");
DEFINE_int32(iterations, 20, "number of iterations of pagerank; the others end when nothing changes");
DEFINE_double(damping, 0.85,
              "probability of pagerank to follow an edge rather than to jump to a random vertex");

namespace orujo::internal {
namespace {

using engine_lab::direction;
using engine_lab::phase_interface;

// In the order of the enumerations.
constexpr std::array<std::string_view, 3> interfaces = {"traditional", "traditional_nonatomic",
                                                        "scheduler_aware"};
constexpr std::array<std::string_view, 3> engines = {"pull", "push", "hybrid"};

template <class Names>
std::size_t place(const Names& names, std::string_view name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

const flag_rule algorithm_rule(
    "algorithm",
    [] {
      return FLAGS_algorithm == "pagerank" || FLAGS_algorithm == "connected_components" ||
             FLAGS_algorithm == "bfs";
    },
    "pagerank, connected_components or bfs");
const flag_rule loop_rule(
    "loop", [] { return FLAGS_loop == "edges" || FLAGS_loop == "vertices"; }, "edges or vertices");
const flag_rule encoding_rule(
    "encoding", [] { return FLAGS_encoding == "wide" || FLAGS_encoding == "compact"; }, "wide or compact");
const flag_rule interface_rule(
    "phase_interface", [] { return place(interfaces, FLAGS_phase_interface) < interfaces.size(); },
    "traditional, traditional_nonatomic or scheduler_aware");
const flag_rule engine_rule(
    "engine", [] { return place(engines, FLAGS_engine) < engines.size(); }, "pull, push or hybrid");
const flag_rule push_along_rule(
    "push_along", [] { return FLAGS_push_along == "vectors" || FLAGS_push_along == "rows"; },
    "vectors or rows");
const flag_rule iterations_rule(
    "iterations", [] { return FLAGS_iterations >= 1; }, "at least 1");
const flag_rule damping_rule(
    "damping", [] { return FLAGS_damping >= 0 && FLAGS_damping < 1; }, "from 0 to below 1");

bool by_vertex() { return FLAGS_loop == "vertices"; }
bool pushes() { return FLAGS_engine != "pull"; }
bool pushes_rows() { return pushes() && FLAGS_push_along == "rows"; }

const base::flag_need vertices_need({"chunk_vertices"}, &by_vertex,
                                    "with --loop=vertices; of edges there is --chunk_vectors");
const base::flag_need edges_need(
    {"engine", "phase_interface"}, [] { return !by_vertex(); },
    "with --loop=edges: vertices are pulled, and no two cores write to one");
const base::flag_need pulled_need(
    {"chunk_vectors", "encoding"}, [] { return !by_vertex() && FLAGS_engine != "push"; },
    "where edges are pulled, with --loop=edges");
const base::flag_need dealt_need(
    {"schedule"}, [] { return FLAGS_engine != "push"; }, "where edges or vertices are pulled");
const base::flag_need push_need({"push_along"}, &pushes, "with --engine=push or hybrid");
const base::flag_need write_need(
    {"write_intense"},
    [] {
      const bool written_by_pulls = FLAGS_phase_interface != "scheduler_aware" && FLAGS_engine != "push";
      return !by_vertex() && (written_by_pulls || (pushes() && !pushes_rows()));
    },
    "where edges are pushed along vectors, or pulled without --phase_interface=scheduler_aware");
const base::flag_need count_need(
    {"count_active"},
    [] {
      return !by_vertex() && FLAGS_encoding == "compact" && FLAGS_engine != "push" &&
             FLAGS_algorithm != "pagerank";
    },
    "where edges are pulled with --encoding=compact, and not with --algorithm=pagerank, where all vertices "
    "are active");
const base::flag_need pagerank_need(
    {"iterations", "damping"}, [] { return FLAGS_algorithm == "pagerank"; }, "with --algorithm=pagerank");
const base::flag_need source_need(
    {"source", "seed"}, [] { return FLAGS_algorithm == "bfs"; }, "with --algorithm=bfs");

engine_lab::options options_from_flags() {
  return {static_cast<phase_interface>(place(interfaces, FLAGS_phase_interface)),
          static_cast<direction>(place(engines, FLAGS_engine)),
          FLAGS_write_intense,
          pushes_rows(),
          vectors::edge_loop_options_from_flags(),
          machine::simd_from_flags(),
          FLAGS_algorithm == "pagerank" ? FLAGS_iterations : 1 << 30,
          FLAGS_count_active};
}

// The graph in the forms that the flags require; the cores of the locale share it.
struct edges {
  graph::locale_graph* graph = nullptr;
  std::shared_ptr<const graph::wide_vector_sparse> in, out;
  std::shared_ptr<const graph::adjacency> rows;  // to deal vertices
};

// Chunks of a core: enough that the loads of the cores come out even, and few enough that dealing them costs
// nothing.
constexpr std::size_t chunks_per_core = 64;

loops::schedule vertex_schedule(const edges& e, int cores) {
  const std::size_t chunks = chunks_per_core * static_cast<std::size_t>(cores), all = e.graph->own;
  const std::size_t chunk =
      FLAGS_chunk_vertices > 0 ? FLAGS_chunk_vertices : std::max<std::size_t>(1, all / chunks);
  return loops::schedule_from_flags(
      chunk, engine_lab::in_degrees{e.rows, FLAGS_chunk_vertices,
                                    std::max<std::uint64_t>(1, (e.rows->edges() + all) / chunks)});
}

// The result of one trial.
struct outcome {
  engine_lab::phase_times times;
  std::optional<engine_lab::verdict> verdict;
};

// [task; suspends; collective over the locale] Runs one trial; the cores' programs are equal. Core 0 calls
// check(state) if it is to be verified.
template <class Program, class Check>
void run_trial(const Program& program, const edges& e, bool verify, Check check, outcome* to) {
  const graph::wide_vector_sparse_view out = e.out ? e.out->view() : graph::wide_vector_sparse_view{};
  const auto run = [&](const auto& in) {
    engine_lab::runner runner(program, *e.graph, in, out, options_from_flags());
    const engine_lab::phase_times times = runner.run();
    if (leads_locale()) *to = {times, verify ? std::optional(check(runner.state())) : std::nullopt};
    collectives::barrier(collectives::group::locale);
  };
  if (e.rows)
    return run(engine_lab::vertex_rows{.rows = e.rows, .how = vertex_schedule(e, my_locales_cores())});
  e.in ? run(engine_lab::wide_edges{e.in->view()}) : run(engine_lab::compact_edges{e.graph->in_edges()});
}

// [task; suspends] Runs the flags' program once on all cores.
outcome run_algorithm(const edges& e, const harness::search_source& from,
                      const verify::simple_graph* serial) {
  outcome result;
  const auto on_cores = [&](const auto& program, const auto& check) {
    loops::on_locale([&] { run_trial(program, e, serial != nullptr, check, &result); });
  };
  if (FLAGS_algorithm == "pagerank") {
    on_cores(engine_lab::pagerank(*e.graph, static_cast<float>(FLAGS_damping)), [&](auto ranks) {
      return engine_lab::check_pagerank(*serial, ranks, FLAGS_iterations, FLAGS_damping, e.graph->numbers);
    });
  } else if (FLAGS_algorithm == "connected_components") {
    on_cores(engine_lab::connected_components{},
             [&](auto labels) { return engine_lab::check_components(*serial, labels, e.graph->numbers); });
  } else {
    const auto root = static_cast<std::uint32_t>(from.number);
    on_cores(engine_lab::bfs{root},
             [&](auto parents) { return engine_lab::check_bfs(*serial, parents, root, e.graph->numbers); });
  }
  return result;
}

// [task; suspends] Encodes the rows, and drops those that are not used in this form.
edges make_edges(graph::locale_graph& g) {
  edges made{&g, {}, {}, {}};
  if (by_vertex()) {
    made.rows = g.in_rows;
    return made;
  }
  loops::on_locale([&] {
    const graph::core_part& part = g.my_part();
    const auto encode = [&](const std::shared_ptr<graph::adjacency>& rows) {
      return graph::encode_wide(*rows, part.first, part.last, g.own);
    };
    const auto in = FLAGS_encoding == "wide" ? encode(g.in_rows) : nullptr;
    const auto out = pushes() && !pushes_rows() ? encode(g.out_rows) : nullptr;
    if (leads_locale()) made = {&g, in, out, {}};
  });
  g.in_rows.reset();
  if (!pushes_rows()) g.out_rows.reset();
  return made;
}

base::json packing_efficiencies(const graph::adjacency& rows) {
  const auto with_lanes = [&](std::size_t width) {
    return graph::pack_rows(rows.offsets.part(0, rows.offsets.size()), width).efficiency();
  };
  const double four = with_lanes(4), eight = with_lanes(8), sixteen = with_lanes(16);
  harness::print("packing efficiency: {:.3f} with 4 lanes, {:.3f} with 8, {:.3f} with 16\n", four, eight,
                 sixteen);
  return {{"4", four}, {"8", eight}, {"16", sixteen}};
}

void print_phase(const char* name, int times, double seconds) {
  if (times > 0) harness::print("  {:<10} {:>4} x {:>9.3f} ms\n", name, times, seconds / times * 1e3);
}

// Prints a trial, and returns its object for --stats_json.
base::json report(const outcome& o, std::uint64_t edges) {
  const engine_lab::phase_times& t = o.times;
  const std::string how = by_vertex()
                              ? "by vertex, pull"
                              : fmt::format("{}, {}{}, {}", FLAGS_encoding, FLAGS_engine,
                                            pushes_rows() ? " along rows" : "", FLAGS_phase_interface);
  harness::print("{}: {}: {}, {:.4f} s\n", FLAGS_algorithm, how,
                 harness::counted(t.iterations(), "iteration"), t.seconds());
  print_phase("edge pull", t.pulls, t.pull_seconds);
  print_phase("edge push", t.pushes, t.push_seconds);
  print_phase("vertex", t.iterations(), t.vertex_seconds);
  const double uneven = harness::imbalance(t.pull_cpu_seconds), dealt = harness::imbalance(t.dealt);
  if (t.pulls > 0)
    harness::print("  pulled by {}: the busiest core had {:.1f} % more processor time than the mean{}\n",
                   FLAGS_schedule, 100 * uneven,
                   t.dealt.empty() ? "" : fmt::format(", and began with {:.1f} % more load", 100 * dealt));
  if (t.vectors > 0)
    harness::print("  vectors with an active source: {:.3f} of all in pulls\n",
                   static_cast<double>(t.active_vectors) / static_cast<double>(t.vectors));
  const double processed = static_cast<double>(edges) * t.iterations();
  return {{"seconds", t.seconds()},
          {"iterations", t.iterations()},
          {"edges_per_second", processed / t.seconds()},
          {"pulls", t.pulls},
          {"pull_seconds", t.pull_seconds},
          {"pushes", t.pushes},
          {"push_seconds", t.push_seconds},
          {"vertex_seconds", t.vertex_seconds},
          {"pulled_vectors", t.vectors},
          {"active_vectors", t.active_vectors},
          {"pull_cpu_seconds", t.pull_cpu_seconds},
          {"imbalance", uneven},
          {"dealt_imbalance", t.dealt.empty() ? base::json() : base::json(dealt)}};
}

// Fails if the result is wrong. The nonatomic interface may give wrong results by its nature.
status judge(const engine_lab::verdict& v, std::optional<bool>& verified) {
  const bool may_be_wrong = FLAGS_phase_interface == "traditional_nonatomic";
  harness::print("{} {}{}\n",
                 v.right        ? "verified"
                 : may_be_wrong ? "wrong, as allowed:"
                                : "NOT VERIFIED",
                 v.text, may_be_wrong ? " (traditional_nonatomic loses updates)" : "");
  verified = v.right && verified.value_or(true);
  if (v.right || may_be_wrong) return {};
  return {exit_status::failed, "the result differs from the serial computation's"};
}

status run_trials(const graph::loaded_graph& loaded, harness::stats& stats) {
  graph::locale_graph& g = loaded.graph.here();
  stats.further["packing_efficiency"] = packing_efficiencies(*g.in_rows);
  const auto sources = harness::choose_sources(loaded, harness::trials());
  if (!sources.ok()) return sources.status();
  if (sources.value().empty()) return {};
  const edges e = make_edges(g);
  std::optional<verify::simple_graph> serial;
  if (harness::verify()) {
    auto made = harness::serial_graph();
    if (!made.ok()) return made.status();
    serial = std::move(made).value();
  }
  if (FLAGS_phase_interface == "traditional_nonatomic")
    harness::print("traditional_nonatomic: updates may be lost and results wrong\n");
  for (const harness::search_source& from : sources.value()) {
    const outcome o = run_algorithm(e, from, serial ? &*serial : nullptr);
    stats.trials.push_back(report(o, loaded.edges));
    if (!o.verdict) continue;
    if (status s = judge(*o.verdict, stats.verified); !s.ok()) return s;
  }
  return {};
}

status main_task() {
  if (locales() > 1) return {exit_status::usage, "engine_lab measures one locale: run it with -n 1"};
  if (pushes_rows() && FLAGS_phase_interface == "traditional_nonatomic")
    return {
        exit_status::usage,
        "--push_along=rows always writes atomically: it excludes --phase_interface=traditional_nonatomic"};
  auto stats_file = harness::open_stats();
  if (!stats_file.ok()) return stats_file.status();
  if (FLAGS_algorithm == "connected_components") {
    if (status s = harness::require_symmetrize("--algorithm=connected_components"); !s.ok()) return s;
  }
  auto loaded = layout::load_from_flags({.in_vectors = !by_vertex() && FLAGS_encoding == "compact",
                                         .in_rows = true,
                                         .out_rows = pushes(),
                                         .weights = false});
  if (!loaded.ok()) return loaded.status();
  const graph::loaded_graph& g = loaded.value();
  harness::stats stats = harness::tell_graph("engine_lab", g);
  const status done = run_trials(g, stats);
  g.graph.destroy();
  if (status written = write_stats(stats, stats_file.value()); !written.ok()) return written;
  return done;
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(argc, argv,
                    "engine_lab: ablation benchmark of the pull engine, phase by phase.\n\n"
                    "  bin/orujo run engine_lab --generate=kronecker:18 --symmetrize --verify\n"
                    "  bin/orujo run engine_lab --generate=kronecker:18 --phase_interface=traditional\n"
                    "  bin/orujo bench papers",
                    &orujo::internal::main_task);
}
