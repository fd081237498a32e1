// Delegates from core 0 to the job's last core: the other core of the locale with -c 2, another locale with
// -n 2.
#include "system/delegates/delegate.hpp"

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>

#include "system/base/identity.hpp"

namespace orujo::internal::delegates {
namespace {

// A word of the job's last core, which lives as long as the program.
global_address<std::uint64_t> a_word_elsewhere() {
  static const auto word = call(cores() - 1, [] {
    static std::uint64_t words[64];
    return global_address<std::uint64_t>(my_core(), &words[0]);
  });
  return word;
}

void blocking_fetch_and_add(benchmark::State& state) {
  const auto tasks = static_cast<std::size_t>(state.range(0));
  constexpr std::size_t each = 100;
  const auto word = a_word_elsewhere();
  for (auto _ : state) {
    tasks::join_counter ended(tasks);
    for (std::size_t k = 0; k < tasks; ++k) {
      tasks::spawn([&ended, word] {
        for (std::size_t i = 0; i < each; ++i) fetch_and_add(word, 1);
        ended.complete();
      });
    }
    ended.wait();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(tasks * each));
}
BENCHMARK(blocking_fetch_and_add)->ArgName("tasks")->Arg(1)->Arg(100)->Arg(1'000)->Arg(10'000)->UseRealTime();

void async_increments(benchmark::State& state) {
  constexpr std::size_t each = 100'000;
  const auto word = a_word_elsewhere();
  completion_event all;
  for (auto _ : state) {
    for (std::size_t k = 0; k < each; ++k) async_increment(all, word);
    all.wait();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(each));
}
BENCHMARK(async_increments)->UseRealTime();

void wait_for_an_event_without_work(benchmark::State& state) {
  completion_event none;
  for (auto _ : state) none.wait();
}
BENCHMARK(wait_for_an_event_without_work)->UseRealTime();

}  // namespace
}  // namespace orujo::internal::delegates
