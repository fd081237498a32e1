// The cost of an empty iteration, beside the loop that a programmer would write.
#include "system/loops/forall.hpp"

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>

namespace orujo::internal::loops {
namespace {

constexpr std::size_t iterations = 1'000'000;

void plain_loop(benchmark::State& state) {
  for (auto _ : state) {
    for (std::size_t i = 0; i < iterations; ++i) benchmark::DoNotOptimize(i);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(iterations));
}
BENCHMARK(plain_loop);

void forall_that_may_not_suspend(benchmark::State& state) {
  for (auto _ : state) {
    forall_here({0, iterations}, [](std::size_t i) { benchmark::DoNotOptimize(i); }, {.may_suspend = false});
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(iterations));
}
BENCHMARK(forall_that_may_not_suspend);

void forall_that_may_suspend(benchmark::State& state) {
  for (auto _ : state) {
    forall_here({0, iterations}, [](std::size_t i) { benchmark::DoNotOptimize(i); });
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(iterations));
}
BENCHMARK(forall_that_may_suspend);

void forall_on_all_cores(benchmark::State& state) {
  for (auto _ : state) forall({0, 1}, [](std::size_t i) { benchmark::DoNotOptimize(i); });
}
BENCHMARK(forall_on_all_cores)->UseRealTime();

}  // namespace
}  // namespace orujo::internal::loops
