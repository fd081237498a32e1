#include "system/loops/collectives.hpp"

#include <benchmark/benchmark.h>

#include "system/loops/forall.hpp"

namespace orujo::loops {
namespace {

constexpr int rounds = 1'000;

void barriers(benchmark::State& state) {
  for (auto _ : state) {
    on_all_cores([] {
      for (int k = 0; k < rounds; ++k) barrier();
    });
  }
  state.SetItemsProcessed(state.iterations() * rounds);
}
BENCHMARK(barriers)->UseRealTime();

void all_reduces_of_one_number(benchmark::State& state) {
  for (auto _ : state) {
    on_all_cores([] {
      for (int k = 0; k < rounds; ++k) all_reduce(k);
    });
  }
  state.SetItemsProcessed(state.iterations() * rounds);
}
BENCHMARK(all_reduces_of_one_number)->UseRealTime();

}  // namespace
}  // namespace orujo::loops
