// The common part of the benchmarks of random increments: the table, and its view for references.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <span>

#include "applications/messaging/word_table.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/delegate.hpp"

namespace orujo::internal::messaging {

inline constexpr std::size_t updates = 20'000'000;  // of one iteration, over the whole job

// One table at a time, kept from one benchmark to the next of its size.
inline word_table table_of(std::size_t words) {
  static std::unique_ptr<word_table> kept;
  if (!kept || kept->size() != words) {
    if (kept) kept->destroy();
    kept = std::make_unique<word_table>(word_table::create(words));
    kept->fill([](std::size_t i) { return i; });
  }
  return *kept;
}

// Runs f(table, draws) on every core, once per iteration; it returns its seconds, and the longest count.
template <class F>
void measure(benchmark::State& state, std::size_t count, const F& f) {
  const word_table table = table_of(std::size_t{1} << state.range(0));
  std::uint64_t seed = 0;
  for (auto _ : state) {
    double longest = 0;
    const memory::global_address<double> to(my_core(), &longest);
    loops::on_all_cores([=, d = draws{++seed, count}] {
      collectives::barrier();  // all have begun: within f a core may be deaf
      const double mine = f(table, d);
      delegates::call(to, [mine](double& all) { all = std::max(all, mine); });
    });
    state.SetIterationTime(longest);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The references' view of the table: each core's words, and which core and word a number drawn means.
struct part {
  word* words;
  std::size_t count;  // a power of two
};
inline part part_here(word_table table) {
  const std::span<word> mine = memory::local_span(table.first(), table.size());
  return {mine.data(), mine.size()};
}

#define ORUJO_TABLES(name) \
  BENCHMARK(name)->ArgName("log2_table")->Arg(22)->Arg(26)->UseManualTime()->Unit(benchmark::kMillisecond)
#define ORUJO_TABLES_AND_BYTES(name, a, b) \
  BENCHMARK(name)                          \
      ->ArgNames({"log2_table", "bytes"})  \
      ->ArgsProduct({{22, 26}, {a, b}})    \
      ->UseManualTime()                    \
      ->Unit(benchmark::kMillisecond)

}  // namespace orujo::internal::messaging
