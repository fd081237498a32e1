// Reads of random words into an array of one's own, in three ways: all at a time, by a read each, and by
// tasks that wait for one word at a time. items_per_second is over the whole job.
//   bin/orujo bench -c 2 --filter=gather
//   bin/orujo bench -n 2 -c 1 --filter=gather
#include "applications/messaging/index_gather.hpp"

#include <benchmark/benchmark.h>

#include "system/containers/symmetric.hpp"
#include "tests/applications/messaging/updates_bench.hpp"

namespace orujo::internal::messaging {
namespace {

constexpr std::size_t reads_of_iteration = 10'000'000;  // of one iteration, over the whole job

struct arrays {
  machine::huge_array<word> indices, values;
};

// gather_here(event, table, indices, values) at every core.
template <class Gather>
void run_gathers(benchmark::State& state, std::size_t count, const Gather& gather_here) {
  const word_table table = table_of(std::size_t{1} << state.range(0));
  const auto mine = containers::symmetric<arrays>::create_by([=] {
    auto indices = drawn_places(draws{1, count}, table.size());
    machine::huge_array<word> values(indices.size());
    return arrays{std::move(indices), std::move(values)};
  });
  for (auto _ : state) {
    delegates::completion_event gathered;
    loops::on_all_cores(
        [=, event = gathered.ref()] { gather_here(event, table, mine.here().indices, mine.here().values); });
    gathered.wait();
  }
  mine.destroy();
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}

using indices_read = std::span<const word>;
using values_read = std::span<word>;
void gathers(benchmark::State& state) {
  run_gathers(
      state, reads_of_iteration,
      [](delegates::event_ref, word_table table, indices_read i, values_read v) { gather(table, i, v); });
}
void gathers_by_reads(benchmark::State& state) {
  run_gathers(state, reads_of_iteration,
              [](delegates::event_ref event, word_table table, indices_read i, values_read v) {
                gather_by_reads(event, table, i, v);
              });
}
void gathers_by_blocking_tasks(benchmark::State& state) {
  run_gathers(state, reads_of_iteration / 10,
              [](delegates::event_ref, word_table table, indices_read i, values_read v) {
                gather_blocking(table, i, v, 1000);
              });
}

void tables(benchmark::internal::Benchmark* b) {
  b->ArgName("log2_table")->Arg(18)->Arg(22)->Arg(26)->UseRealTime()->Unit(benchmark::kMillisecond);
}
BENCHMARK(gathers)->Apply(tables);
BENCHMARK(gathers_by_reads)->Apply(tables);
BENCHMARK(gathers_by_blocking_tasks)
    ->ArgName("log2_table")
    ->Arg(22)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace orujo::internal::messaging
