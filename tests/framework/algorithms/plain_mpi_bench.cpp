// PageRank, breadth-first search, components and shortest paths beside the same in plain MPI (plain_mpi/).
// Both run on one graph, cut at the same vertices, in turn, and the results are compared each time. "ratio"
// is MPI's median over ours.
//   bin/orujo bench -n 2 -c 1 --filter=beside_mpi
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "framework/algorithms/breadth_first_search.hpp"
#include "framework/algorithms/connected_components.hpp"
#include "framework/algorithms/pagerank.hpp"
#include "framework/algorithms/shortest_paths.hpp"
#include "framework/graph/build/build.hpp"
#include "system/base/random.hpp"
#include "tests/framework/algorithms/plain_mpi/components.hpp"
#include "tests/framework/algorithms/plain_mpi/graph.hpp"
#include "tests/framework/algorithms/plain_mpi/pagerank.hpp"
#include "tests/framework/algorithms/plain_mpi/paths.hpp"
#include "tests/framework/algorithms/plain_mpi/search.hpp"

namespace orujo::internal::algorithms {
namespace {

generators::generator_spec spec_of(const benchmark::State& state, bool weighted) {
  const auto scale = static_cast<unsigned>(state.range(1));
  generators::generator_spec spec{.kind = generators::graph_kind::kronecker, .scale = scale};
  if (state.range(0) == 1) spec.kind = generators::graph_kind::uniform;
  if (state.range(0) == 2) {
    const std::uint64_t side = std::uint64_t{1} << scale / 2;
    spec = {.kind = generators::graph_kind::mesh2d, .width = side, .height = side};
  }
  if (weighted) spec.weighted = true, spec.weight_low = 1, spec.weight_high = 255;
  return spec;
}

// [task; suspends; collective over the job]
std::shared_ptr<graph::locale_graph> build_symmetric(const generators::generator_spec& spec,
                                                     const graph::edge_forms& keep,
                                                     graph::edge_placement placement = {}) {
  graph::build_options options;
  options.partition.placement = placement;
  options.symmetrize = true;
  options.keep = keep;
  return graph::build(graph::read_input({"", spec, ""}).value(), options).value();
}

// A Pair is one locale's side of both, made from the graph and its specification. run(round) measures ours,
// then MPI's.
template <class Pair>
void in_turn(benchmark::State& state, graph::edge_forms keep, bool weighted = false) {
  if (lacks_mpi(state)) return;
  const auto parts = containers::symmetric<std::shared_ptr<graph::locale_graph>>::reserve();
  const auto pairs = containers::symmetric<std::shared_ptr<Pair>>::reserve();
  loops::on_all_cores([=, spec = spec_of(state, weighted)] {
    parts.emplace_here(build_symmetric(spec, keep));
    collectives::barrier();
    pairs.emplace_here(std::make_shared<Pair>(*parts.here(), spec));
  });
  measure_beside_mpi(state, [&, round = std::uint64_t{0}]() mutable {
    return beside_mpi([pairs, round = round++] { return pairs.here()->run(round); });
  });
  pairs.destroy();
  graph::distributed_graph(parts).destroy();
}

// The same at every locale: a vertex with edges.
std::uint32_t source_of(const plain_mpi::rows& g, std::uint64_t round) {
  random_stream random(round);
  for (;;) {
    const auto drawn = static_cast<std::uint32_t>(random.below(g.vertices));
    const int has_edges = g.is_mine(drawn) && g.degree(drawn - g.first) > 0;
    if (plain_mpi::sum_of_all(has_edges, MPI_INT) > 0) return drawn;
  }
}

template <graph::edge_placement Placement>
struct pagerank_pair {
  static constexpr int iterations = 10;
  // Ours keeps vectors only, as the application does.
  pagerank_pair(graph::locale_graph& of_rows, const generators::generator_spec& spec)
      : graph(build_symmetric(spec, {}, Placement)), plain(of_rows), theirs(plain), ranks(graph->own) {}
  seconds_beside run(std::uint64_t) {
    seconds_beside both;
    both.ours = seconds_of([&] {
      pagerank<float> program(*graph, ranks, {.iterations = iterations});
      gas::run(program, *graph, {});
    });
    both.mpi = seconds_within_mpi([&] { theirs.run(iterations); });
    for (std::size_t v = 0; v < ranks.size(); ++v)
      both.wrong += !(std::abs(ranks[v] - theirs.ranks[v]) <= 1e-3f * ranks[v]);
    return both;
  }
  std::shared_ptr<graph::locale_graph> graph;
  plain_mpi::rows plain;
  plain_mpi::pagerank theirs;
  std::vector<float> ranks;
};

struct search_pair {
  search_pair(graph::locale_graph& g, const generators::generator_spec&)
      : plain(g), ours(g), theirs(plain), levels(plain.vertices) {}
  seconds_beside run(std::uint64_t round) {
    collectives::barrier();  // no core waits for messages within MPI
    const std::uint32_t source = source_of(plain, round);
    seconds_beside both;
    both.ours = seconds_of([&] { ours.run(source); });
    both.mpi = seconds_within_mpi([&] { theirs.run(source); });
    both.wrong = wrong_parents(source);
    return both;
  }
  // By the levels of ours: a parent is a neighbour, and one level above.
  std::uint64_t wrong_parents(std::uint32_t source) {
    std::ranges::fill(levels, -1);
    ours.for_each_reached([&](std::uint32_t vertex, std::uint64_t, std::size_t level) {
      levels[plain.first + vertex] = static_cast<int>(level);
    });
    plain_mpi::gather_parts(plain, std::span(levels), MPI_INT);
    std::uint64_t wrong = 0;
    for (std::uint32_t v = 0; v < plain.own; ++v) {
      const int level = levels[plain.first + v];
      const std::uint32_t parent = theirs.parents[v];
      if (level < 0 || plain.first + v == source) {
        wrong += parent != (level < 0 ? plain_mpi::search::none : source);
      } else {
        wrong += parent == plain_mpi::search::none || levels[parent] != level - 1 ||
                 std::ranges::find(plain.of(v), parent) == plain.of(v).end();
      }
    }
    return wrong;
  }
  plain_mpi::rows plain;
  breadth_first_search ours;
  plain_mpi::search theirs;
  std::vector<int> levels;  // by number
};

struct components_pair {
  components_pair(graph::locale_graph& g, const generators::generator_spec&)
      : plain(g), labels(g.own), ours(g, labels), theirs(plain) {}
  seconds_beside run(std::uint64_t) {
    seconds_beside both;
    both.ours = seconds_of([&] { ours.run(); });
    both.mpi = seconds_within_mpi([&] { theirs.run(); });
    for (std::uint32_t v = 0; v < plain.own; ++v) both.wrong += labels[v] != theirs.labels[plain.first + v];
    return both;
  }
  plain_mpi::rows plain;
  std::vector<std::uint32_t> labels;
  connected_components<std::uint32_t> ours;
  plain_mpi::components theirs;
};

struct paths_pair {
  paths_pair(graph::locale_graph& g, const generators::generator_spec&)
      : plain(g), ours(g), theirs(plain, mpi_width(plain)) {}
  seconds_beside run(std::uint64_t round) {
    collectives::barrier();
    const std::uint32_t source = source_of(plain, round);
    seconds_beside both;
    both.ours = seconds_of([&] { ours.run(source); });
    both.mpi = seconds_within_mpi([&] { theirs.run(source); });
    for (std::uint32_t v = 0; v < plain.own; ++v)
      both.wrong += ours.distance(v) != static_cast<double>(theirs.distances[v]);
    return both;
  }
  // The best of 2, 8, 32, 128, 512, with weights up to 255: more edges, more that a narrow bin saves.
  static float mpi_width(const plain_mpi::rows& g) {
    return g.neighbours.size() > 8 * std::size_t{g.own} ? 2 : 128;
  }
  plain_mpi::rows plain;
  shortest_paths ours;
  plain_mpi::paths theirs;
};

constexpr graph::edge_forms rows_both_ways{.in_vectors = false, .in_rows = true, .out_rows = true};

constexpr graph::edge_forms out_rows_only{.in_vectors = false, .out_rows = true};

void pagerank_beside_mpi(benchmark::State& state) {
  in_turn<pagerank_pair<graph::edge_placement::by_target>>(state, out_rows_only);
}
void pagerank_on_grid_beside_mpi(benchmark::State& state) {
  in_turn<pagerank_pair<graph::edge_placement::grid>>(state, out_rows_only);
}
void search_beside_mpi(benchmark::State& state) { in_turn<search_pair>(state, rows_both_ways); }
void components_beside_mpi(benchmark::State& state) {
  in_turn<components_pair>(state, connected_components_forms);
}
void paths_beside_mpi(benchmark::State& state) { in_turn<paths_pair>(state, shortest_paths_forms(), true); }

// Kronecker, uniform and a mesh of 2^scale vertices.
void graphs(benchmark::internal::Benchmark* b) {
  b->ArgNames({"kind", "scale"})->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(9);
  for (int kind = 0; kind < 3; ++kind) b->Args({kind, 20});
}
BENCHMARK(pagerank_beside_mpi)->Apply(graphs);
BENCHMARK(pagerank_on_grid_beside_mpi)->Apply(graphs);
BENCHMARK(search_beside_mpi)->Apply(graphs);
BENCHMARK(components_beside_mpi)->Apply(graphs);
BENCHMARK(paths_beside_mpi)->Apply(graphs);

}  // namespace
}  // namespace orujo::internal::algorithms
