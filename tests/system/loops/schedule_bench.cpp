// The cost of a schedule: figure 7 of Bak, Guo, Balaji, Sarkar (ICPP 2019). A flat loop of 10 additions per
// iteration is shared by the cores of this locale, under every schedule and chunk size. The paper's measure
// is the time relative to round_robin/1. The counter cpu_ns is the CPU time of all cores together in the
// loop, per iteration. Unlike the time it is meaningful on a machine that others use, too.
#include <benchmark/benchmark.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "system/base/identity.hpp"
#include "system/loops/schedule.hpp"

namespace orujo::internal::loops {
namespace {

constexpr index_range flat_loop{0, 100'000};

// Ten dependent additions, which the compiler must not fold into one.
struct ten_additions {
  void operator()(std::size_t i) {
    for (int k = 0; k < 10; ++k) {
      sum += i;
      benchmark::DoNotOptimize(sum);
    }
  }
  std::size_t sum = 0;
};

// Executes the loop; adds the CPU time of all cores in it.
void execute(shared_loop& loop, std::atomic<double>& cpu_ns) {
  on_locale([&] {
    const double start = detail::thread_cpu_ns();
    run_share(loop, my_core_of_locale(), ten_additions{});
    cpu_ns += detail::thread_cpu_ns() - start;
  });
}

void report(benchmark::State& state, double cpu_ns, int executions) {
  const auto all = state.iterations() * executions * static_cast<std::int64_t>(flat_loop.size());
  state.counters["cpu_ns"] = cpu_ns / static_cast<double>(all);
}

using make_schedule = schedule (*)(std::size_t chunk);

void share_flat_loop(benchmark::State& state, make_schedule make) {
  shared_loop loop(flat_loop, my_locales_cores(), make(static_cast<std::size_t>(state.range(0))));
  std::atomic<double> cpu_ns{0};
  execute(loop, cpu_ns);  // the profiled one cuts and measures
  execute(loop, cpu_ns);  // and balances
  cpu_ns = 0;
  for (auto _ : state) execute(loop, cpu_ns);
  report(state, cpu_ns, 1);
}

// The first execution, which inspects and measures, and the second, which balances.
void profile_flat_loop(benchmark::State& state) {
  shared_loop loop(flat_loop, my_locales_cores(),
                   schedule::profiled(static_cast<std::size_t>(state.range(0))));
  std::atomic<double> cpu_ns{0};
  for (auto _ : state) {
    loop.reset();
    execute(loop, cpu_ns);
    execute(loop, cpu_ns);
  }
  report(state, cpu_ns, 2);
}

#define SCHEDULE_BENCHMARK(name)                            \
  BENCHMARK_CAPTURE(share_flat_loop, name, &schedule::name) \
      ->RangeMultiplier(2)                                  \
      ->Range(1, 1024)                                      \
      ->UseRealTime()                                       \
      ->Unit(benchmark::kMicrosecond)
SCHEDULE_BENCHMARK(fixed);
SCHEDULE_BENCHMARK(round_robin);
SCHEDULE_BENCHMARK(dynamic);
SCHEDULE_BENCHMARK(guided);
SCHEDULE_BENCHMARK(stealing);
SCHEDULE_BENCHMARK(profiled);
#undef SCHEDULE_BENCHMARK
BENCHMARK(profile_flat_loop)->RangeMultiplier(8)->Range(1, 512)->UseRealTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace orujo::internal::loops
