#include "system/collectives/collectives.hpp"

#include <benchmark/benchmark.h>
#include <sched.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "system/base/aligned_bytes.hpp"
#include "system/base/by_core.hpp"
#include "system/loops/forall.hpp"
#include "tests/at_home.hpp"
#include "tests/mpi_reference.hpp"

namespace orujo::internal::collectives {
namespace {

constexpr int rounds = 1'000;

void barriers(benchmark::State& state) {
  for (auto _ : state) {
    loops::on_all_cores([] {
      for (int k = 0; k < rounds; ++k) barrier();
    });
  }
  state.SetItemsProcessed(state.iterations() * rounds);
}
BENCHMARK(barriers)->UseRealTime();

void all_reduces_of_one_number(benchmark::State& state) {
  for (auto _ : state) {
    loops::on_all_cores([] {
      for (int k = 0; k < rounds; ++k) all_reduce(k);
    });
  }
  state.SetItemsProcessed(state.iterations() * rounds);
}
BENCHMARK(all_reduces_of_one_number)->UseRealTime();

// Threads without a runtime would reduce like this: each writes a line of its own and reads those of all
// others. Two lines per core take turns, as one core may be a round ahead of another.
class flags {
 public:
  explicit flags(int cores) : lines_(cores) {}

  std::uint64_t sum(int me, std::uint64_t round, std::uint64_t mine) {
    const auto turn = static_cast<std::size_t>(round % 2);
    line& own = lines_[me][turn];
    own.value.store(mine, std::memory_order_relaxed);
    own.round.store(round, std::memory_order_release);
    std::uint64_t all = 0;
    for (const std::array<line, 2>& of : lines_) {
      for (int looks = 1; of[turn].round.load(std::memory_order_acquire) < round; ++looks) {
        if (looks % 4096 == 0) ::sched_yield();
      }
      all += of[turn].value.load(std::memory_order_relaxed);
    }
    return all;
  }

 private:
  struct alignas(base::cache_line_bytes) line {
    std::atomic<std::uint64_t> round{0}, value{0};
  };
  by_core<std::array<line, 2>> lines_;
};

void all_reduces_by_flags(benchmark::State& state) {
  if (locales() > 1) return state.SkipWithError("needs one locale: bin/orujo bench -c 2");
  for (auto _ : state) {
    loops::on_all_cores([] {
      const auto shared = share_on_locale<flags>([] { return std::make_shared<flags>(my_locales_cores()); });
      std::uint64_t sum = 0;
      for (std::uint64_t k = 1; k <= rounds; ++k) sum += shared->sum(my_core_of_locale(), k, k);
      benchmark::DoNotOptimize(sum);
    });
  }
  state.SetItemsProcessed(state.iterations() * rounds);
}
BENCHMARK(all_reduces_by_flags)->UseRealTime();

// The same by MPI: 8 bytes between all locales.
void all_reduces_by_mpi(benchmark::State& state) {
  if (lacks_mpi(state)) return;
  for (auto _ : state) {
    double took = 0;
    loops::on_all_cores([to = at_home(took)] {
      const double mine = seconds_within_mpi([] {
        std::uint64_t sum = 1;
        for (int k = 0; k < rounds; ++k) {
          const std::uint64_t one = 1;
          MPI_Allreduce(&one, &sum, 1, MPI_UINT64_T, MPI_SUM, reference_world());
        }
      });
      if (my_core() == 0) *to = mine;
    });
    state.SetIterationTime(took);
  }
  state.SetItemsProcessed(state.iterations() * rounds);
}
BENCHMARK(all_reduces_by_mpi)->UseManualTime()->Iterations(20);

}  // namespace
}  // namespace orujo::internal::collectives
