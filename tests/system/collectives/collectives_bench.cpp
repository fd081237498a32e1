#include "system/collectives/collectives.hpp"

#include <benchmark/benchmark.h>

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
