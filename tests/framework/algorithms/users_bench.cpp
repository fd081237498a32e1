// Algorithms as users write them by the public headers, in at most 25 lines each, beside the library's: on
// the same graph, in turn, with the same results. The time is that of the user's algorithm. Counters are
// medians of all turns: library_ms, the ratio of the first to it, and that of their bytes between locales.
//   bin/orujo bench -n 2 -c 1 --filter=by_a_user
#include <benchmark/benchmark.h>
#include <orujo/algorithms.hpp>
#include <orujo/orujo.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "framework/graph/build/build.hpp"
#include "system/base/lap_clock.hpp"
#include "system/base/random.hpp"
#include "system/report/merged_metrics.hpp"

namespace orujo::internal::algorithms {
namespace {

using graph::distributed_graph, graph::property, graph::vertex, graph::vertex_set;

distributed_graph made_graph(std::int64_t kind, const graph::edge_forms& keep, std::uint64_t side = 1000) {
  using generators::graph_kind;
  const generators::generator_spec specs[] = {{.kind = graph_kind::kronecker, .scale = 20},
                                              {.kind = graph_kind::uniform, .scale = 20},
                                              {.kind = graph_kind::mesh2d, .width = side, .height = side}};
  return distributed_graph(containers::symmetric<std::shared_ptr<graph::locale_graph>>::create_by(
      [keep, what = specs[static_cast<std::size_t>(kind)]] {
        graph::build_options options;
        options.symmetrize = true;
        options.keep = keep;
        return graph::build(graph::read_input({"", what, ""}).value(), options).value();
      }));
}

double median(std::vector<double> all) {
  std::ranges::sort(all);
  return all[all.size() / 2];
}

// library(turn) and user(turn) find the same, one after the other; the first turn makes what they share.
template <class Library, class User>
void in_turn(benchmark::State& state, Library library, User user) {
  struct measured {
    double seconds, bytes;
  };
  const auto measure = [](auto& f, std::size_t turn) {
    const auto before = report::merged_metrics().count_of("parcels.bytes");
    base::lap_clock clock;
    f(turn);
    const double seconds = clock.lap();
    return measured{seconds,
                    static_cast<double>(report::merged_metrics().count_of("parcels.bytes") - before)};
  };
  std::vector<double> library_ms, ratios, bytes;
  std::size_t turn = 0;
  library(turn);
  user(turn);
  for (auto _ : state) {
    ++turn;
    const measured of_library = measure(library, turn), of_user = measure(user, turn);
    state.SetIterationTime(of_user.seconds);
    library_ms.push_back(of_library.seconds * 1e3);
    ratios.push_back(of_user.seconds / of_library.seconds);
    bytes.push_back(of_library.bytes > 0 ? of_user.bytes / of_library.bytes : 0);
  }
  state.counters["library_ms"] = median(library_ms);
  state.counters["ratio"] = median(ratios);
  if (locales() > 1) state.counters["bytes_ratio"] = median(bytes);
}

// Ends the benchmark where the two results differ by more than the tolerance.
template <class T>
void compare(benchmark::State& state, property<T> a, property<T> b, distributed_graph graph,
             double tolerance = 0) {
  const double most = vertex_reduce(
      vertex_set::all(graph),
      [=](const vertex& v) {
        const auto x = static_cast<double>(a[v]), y = static_cast<double>(b[v]);
        return x == y ? 0.0 : std::abs(x - y) / std::max(std::abs(x), std::abs(y));
      },
      [](double x, double y) { return std::max(x, y); });
  if (most > tolerance) state.SkipWithError("the results differ");
}

// The least label that reaches a vertex: components.
struct smallest {
  static constexpr bool incremental = true, asynchronous = true;
  using value = std::uint32_t;
  static constexpr auto combine = gas::minimum{};
  using aggregate = gas::nothing;
  template <class V>
  V gather(V shown, V) const {
    return shown;
  }
  value start(const vertex& v, aggregate&) { return static_cast<value>(v.number()); }
  bool apply(const vertex&, value total, value& shown, aggregate&) {
    if (total >= shown) return false;
    shown = total;
    return true;
  }
};

void components_by_a_user(benchmark::State& state) {
  const distributed_graph graph =
      made_graph(state.range(0), {.in_vectors = true, .in_rows = true, .out_rows = true, .weights = false});
  const auto labels = property<std::uint32_t>::create(graph), shown = property<std::uint32_t>::create(graph);
  using components = connected_components<std::uint32_t>;
  const auto made = containers::symmetric<std::shared_ptr<components>>::create_by(
      [=] { return std::make_shared<components>(graph.here(), labels.here()); });
  in_turn(
      state, [=](std::size_t) { loops::on_all_cores([=] { made.here()->run(); }); },
      [=](std::size_t) {
        smallest program;
        run(program, graph, shown);
      });
  compare(state, labels, shown, graph);
  made.destroy();
  labels.destroy();
  shown.destroy();
  graph.destroy();
}

// A vertex that loses neighbours has at least k left, and goes with those that have no more.
struct lose {
  static constexpr bool asynchronous = true;
  using value = std::uint32_t;
  static constexpr auto combine = gas::sum{};
  value show(const vertex&) const { return 1; }
  bool visit(const vertex& v, value gone) {
    left[v] = left[v] > gone + k ? left[v] - gone : k;
    return left[v] <= k;
  }
  property<std::uint32_t> left;
  std::uint32_t k;
};
void find_cores(distributed_graph graph, property<std::uint32_t> left) {
  vertex_set rest = vertex_set::all(graph);
  vertex_map(rest, [=](const vertex& v) { left[v] = static_cast<std::uint32_t>(v.out_degree); });
  while (!rest.empty()) {
    const std::uint32_t k = vertex_reduce(
        rest, [=](const vertex& v) { return left[v]; }, [](auto a, auto b) { return std::min(a, b); });
    const vertex_set gone = vertex_filter(rest, [=](const vertex& v) { return left[v] <= k; });
    edge_map(gone, lose{left, k}, {.out_of = &rest});
  }
}

void core_numbers_by_a_user(benchmark::State& state) {
  const distributed_graph graph = made_graph(state.range(0), gas::forms_for_maps);
  const auto numbers = property<std::uint32_t>::create(graph), left = property<std::uint32_t>::create(graph);
  in_turn(
      state,
      [=](std::size_t) { loops::on_all_cores([=] { core_numbers(graph.here(), numbers.here()).run(); }); },
      [=](std::size_t) { find_cores(graph, left); });
  compare(state, numbers, left, graph);
  numbers.destroy();
  left.destroy();
  graph.destroy();
}

// Betweenness from one source, after Brandes: paths are counted level by level, and shares go back. A mesh of
// 1000 x 1000 has more paths than a double counts, which the library scales.
struct searched {
  property<double> paths, shares;
  property<std::int32_t> level;
};
struct count_paths : searched {
  using value = double;
  static constexpr auto combine = gas::sum{};
  value show(const vertex& v) const { return paths[v]; }
  bool wants(const vertex& v) const { return level[v] < 0; }
  bool visit(const vertex& v, value more) {
    paths[v] = more;
    level[v] = now;
    return true;
  }
  std::int32_t now;
};
struct give_back : searched {
  using value = double;
  static constexpr auto combine = gas::sum{};
  value show(const vertex& v) const { return (1 + shares[v]) / paths[v]; }
  bool wants(const vertex& v) const { return level[v] == now; }
  bool visit(const vertex& v, value share) {
    shares[v] = paths[v] * share;
    return false;
  }
  std::int32_t now;
};
void find_shares(distributed_graph graph, const searched& of, std::uint64_t source) {
  vertex_map(vertex_set::all(graph),
             [=](const vertex& v) { of.paths[v] = of.shares[v] = 0, of.level[v] = -1; });
  std::vector<vertex_set> levels;
  levels.push_back(vertex_set::of(graph, {source}));
  vertex_map(levels[0], [=](const vertex& v) { of.paths[v] = 1, of.level[v] = 0; });
  while (!levels.back().empty())
    levels.push_back(edge_map(levels.back(), count_paths{of, static_cast<std::int32_t>(levels.size())}));
  for (std::size_t k = levels.size() - 1; k-- > 1;)
    edge_map(levels[k], give_back{of, static_cast<std::int32_t>(k - 1)});
  vertex_map(levels[0], [=](const vertex& v) { of.shares[v] = 0; });
}

void betweenness_by_a_user(benchmark::State& state) {
  const distributed_graph graph = made_graph(state.range(0), gas::forms_for_maps, 500);
  const auto scores = property<double>::create(graph);
  const searched of{property<double>::create(graph), property<double>::create(graph),
                    property<std::int32_t>::create(graph)};
  const auto made = containers::symmetric<std::shared_ptr<betweenness_centrality>>::create_by(
      [=] { return std::make_shared<betweenness_centrality>(graph.here(), scores.here()); });
  // Vertices that have neighbours, as most have on these graphs.
  std::vector<std::uint64_t> sources;
  random_stream random(5);
  while (sources.size() < 100) {
    const std::uint64_t v = random.below(graph.here().vertices);
    if (!graph::out_neighbours(graph, v).empty()) sources.push_back(v);
  }
  in_turn(
      state,
      [=](std::size_t turn) {
        loops::on_all_cores([=, source = sources[turn]] { made.here()->run(std::span(&source, 1)); });
      },
      [=](std::size_t turn) { find_shares(graph, of, sources[turn]); });
  compare(state, scores, of.shares, graph, 1e-9);
  made.destroy();
  for (const auto& all : {scores, of.paths, of.shares}) all.destroy();
  of.level.destroy();
  graph.destroy();
}

// Twenty iterations of PageRank, without the ranks of vertices without edges.
struct plain_ranks {
  using value = float;
  static constexpr auto combine = gas::sum{};
  using aggregate = gas::nothing;
  template <class V>
  V gather(V shown, V) const {
    return shown;
  }
  value start(const vertex& v, aggregate&) { return show(v, 1 / vertices); }
  bool apply(const vertex& v, value total, value& shown, aggregate&) {
    shown = show(v, 0.15f / vertices + 0.85f * total);
    return true;
  }
  value show(const vertex& v, float rank) const {
    ranks[v] = rank;
    return v.out_degree > 0 ? rank / static_cast<float>(v.out_degree) : 0;
  }
  property<float> ranks;
  float vertices;
};

void ranks_by_a_user(benchmark::State& state) {
  const distributed_graph graph = made_graph(state.range(0), gas::forms_for<plain_ranks>());
  const auto of_library = property<float>::create(graph), ranks = property<float>::create(graph);
  in_turn(
      state,
      [=](std::size_t) {
        loops::on_all_cores([=] {
          pagerank<float> program(graph.here(), of_library.here(), {.iterations = 20, .redistribute = false});
          gas::run(program, graph.here());
        });
      },
      [=](std::size_t) {
        plain_ranks program{ranks, static_cast<float>(graph.here().vertices)};
        run(program, graph, {.most_supersteps = 20});
      });
  compare(state, of_library, ranks, graph, 1e-4);
  of_library.destroy();
  ranks.destroy();
  graph.destroy();
}

// Five rounds in which every vertex takes the label that most of its neighbours have, as the tutorial's.
struct votes {
  using value = std::uint32_t;
  using aggregate = gas::nothing;
  static constexpr bool incremental = true;
  value start(const vertex& v, aggregate&) { return static_cast<value>(graph.here().position_of(v.local)); }
  value collect(const vertex&, value own, const gas::neighbours<value>& all) {
    return gas::most_frequent(own, all);
  }
  bool apply(const vertex&, value total, value& shown, aggregate&) {
    return std::exchange(shown, total) != total;
  }
  distributed_graph graph;
};

void labels_by_a_user(benchmark::State& state) {
  const distributed_graph graph =
      made_graph(state.range(0), gas::forms_for<label_propagation<std::uint32_t>>());
  const auto of_library = property<std::uint32_t>::create(graph),
             shown = property<std::uint32_t>::create(graph);
  in_turn(
      state,
      [=](std::size_t) {
        loops::on_all_cores([=] {
          label_propagation<std::uint32_t> program(graph.here(), of_library.here(), 5);
          gas::run(program, graph.here());
        });
      },
      [=](std::size_t) {
        votes program{graph};
        run(program, graph, shown, {.most_supersteps = 5});
      });
  compare(state, of_library, shown, graph);
  of_library.destroy();
  shown.destroy();
  graph.destroy();
}

void in_all_cases(benchmark::internal::Benchmark* of) {
  of->UseManualTime()->Unit(benchmark::kMillisecond)->DenseRange(0, 2)->Iterations(7);
}
BENCHMARK(components_by_a_user)->Apply(in_all_cases);
BENCHMARK(core_numbers_by_a_user)->Apply(in_all_cases);
BENCHMARK(betweenness_by_a_user)->Apply(in_all_cases);
BENCHMARK(ranks_by_a_user)->Apply(in_all_cases);
BENCHMARK(labels_by_a_user)->Apply(in_all_cases);

}  // namespace
}  // namespace orujo::internal::algorithms
