#include <benchmark/benchmark.h>

#include <chrono>
#include <memory>

#include "framework/generators/generator.hpp"
#include "framework/graph/build/build.hpp"
#include "framework/graph/build/radix_sort.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "tests/at_home.hpp"

namespace orujo::internal::graph {
namespace {

using clock = std::chrono::steady_clock;

// From edges in memory (16 bytes each, at every core its part) to the encoded graph, symmetrized.
void build_from_memory(benchmark::State& state, generators::graph_kind kind) {
  const generators::generator_spec spec{.kind = kind, .scale = static_cast<unsigned>(state.range(0))};
  double edges = 0, bytes = 0;  // the latter of this locale's part
  for (auto _ : state) {
    double seconds = 0;
    loops::on_all_cores([spec, to_seconds = at_home(seconds), to_edges = at_home(edges),
                         to_bytes = at_home(bytes)] {
      input_edges input = read_input({"", spec, ""}).value();
      input.mine = generators::generate(spec, input.generated->first, input.generated->last);
      input.generated.reset();
      collectives::barrier();
      const auto start = clock::now();
      const auto built = build(std::move(input), {.remove_self_loops = true, .symmetrize = true});
      if (my_core() != 0) return;
      *to_seconds = std::chrono::duration<double>(clock::now() - start).count();
      const locale_graph& g = *built.value();
      *to_edges = static_cast<double>(g.edges);
      *to_bytes = static_cast<double>(g.edge_vectors.size() * sizeof(edge_vector) +
                                      (g.top_level_at.size() + g.out_degree.size()) * sizeof(std::uint32_t));
    });
    state.SetIterationTime(seconds);
  }
  state.counters["edges"] = edges;
  state.counters["graph_bytes"] = bytes;
}
BENCHMARK_CAPTURE(build_from_memory, kronecker, generators::graph_kind::kronecker)
    ->Arg(16)
    ->Arg(20)
    ->Arg(22)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build_from_memory, uniform, generators::graph_kind::uniform)
    ->Arg(22)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

void generate_edges(benchmark::State& state, generators::graph_kind kind) {
  const generators::generator_spec spec{.kind = kind, .scale = 20};
  std::vector<edge> edges(1024);
  std::uint64_t first = 0;
  for (auto _ : state) {
    generators::generate(spec, first, edges, {});
    benchmark::DoNotOptimize(edges.data());
    benchmark::ClobberMemory();
    first += edges.size();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(edges.size()));
}
BENCHMARK_CAPTURE(generate_edges, kronecker, generators::graph_kind::kronecker);
BENCHMARK_CAPTURE(generate_edges, uniform, generators::graph_kind::uniform);

// A bin of the shuffle: 2^16 keys of this number of bits.
void sort_keys(benchmark::State& state) {
  const auto bits = static_cast<unsigned>(state.range(0));
  std::vector<std::uint64_t> random_keys(1 << 16), keys, spare(random_keys.size());
  random_stream random(1);
  for (std::uint64_t& key : random_keys) key = random() >> (64 - bits);
  for (auto _ : state) {
    keys = random_keys;
    benchmark::DoNotOptimize(radix_sort(keys, spare, bits).data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(keys.size()));
}
BENCHMARK(sort_keys)->Arg(31)->Arg(33)->Arg(44);

}  // namespace
}  // namespace orujo::internal::graph
