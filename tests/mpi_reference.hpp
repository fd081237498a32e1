// For the benchmarks that compare with plain MPI: what they need to call it beside the running job.
#pragma once

#define OMPI_SKIP_MPICXX 1  // the C interface only
#include <benchmark/benchmark.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/cpus.hpp"
#include "system/transport/launch.hpp"
#include "system/transport/mpi_patience.hpp"
#include "tests/at_home.hpp"

namespace orujo::internal {

// The runtime asks for MPI_THREAD_SERIALIZED and calls MPI from whichever core holds its lock. So a reference
// may use MPI only where a locale has one core, from a task that does not suspend meanwhile: then nobody else
// calls it. True, and the benchmark is skipped with the reason, where that is not so.
inline bool lacks_mpi(benchmark::State& state) {
  if (!transport::look_at_launch().by_mpi) {
    state.SkipWithError("needs MPI: bin/orujo bench -n 2 -c 1");
    return true;
  }
  if (locales() < 2 || cores() != locales()) {
    state.SkipWithError("needs two locales or more of one core each: bin/orujo bench -n 2 -c 1");
    return true;
  }
  return false;
}

// A communicator of the references' own; the first call is collective.
inline MPI_Comm reference_world() {
  static MPI_Comm world = [] {
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    return made;
  }();
  return world;
}

// Plain MPI gives the CPU away while it waits where there are more processes than CPUs, as mpirun has it by
// itself, and only there. The runtime has that switched off (system/transport/mpi_patience.hpp).
class as_mpirun_has_it {
 public:
  as_mpirun_has_it() {
    if (set_) before_ = set_(static_cast<std::size_t>(locales()) > machine::usable_cpus().size());
  }
  ~as_mpirun_has_it() {
    if (set_) set_(before_);
  }
  as_mpirun_has_it(const as_mpirun_has_it&) = delete;

 private:
  const transport::mpi_yield_setter set_ = transport::find_mpi_yield_setter();
  bool before_ = true;
};

// [task; suspends; on every core] Runs f between two barriers of MPI and returns its seconds. No core begins
// before all tasks have, as a core within MPI sends no messages of the runtime.
template <class F>
double seconds_within_mpi(const F& f) {
  collectives::barrier();
  const as_mpirun_has_it yields;
  MPI_Barrier(reference_world());
  const double begun = MPI_Wtime();
  f();
  MPI_Barrier(reference_world());
  return MPI_Wtime() - begun;
}

// [task; suspends; on every core] Does so for our own operations.
template <class F>
double seconds_of(const F& f) {
  collectives::barrier();
  const double begun = MPI_Wtime();
  f();
  collectives::barrier();
  return MPI_Wtime() - begun;
}

struct seconds_beside {
  double ours = 0, mpi = 0;
  std::uint64_t wrong = 0;  // values of this core in which the two differ
};

// [task; suspends] Runs f() on all cores, which returns seconds_beside; those of core 0, and all that is
// wrong.
template <class F>
seconds_beside beside_mpi(const F& f) {
  seconds_beside all;
  loops::on_all_cores([f, to = at_home(all)] {
    seconds_beside mine = f();
    mine.wrong = collectives::all_reduce(mine.wrong);
    if (my_core() == 0) *to = mine;
  });
  return all;
}

// Ours and MPI's in turn, by round() for as many rounds as the benchmark has: their medians, and the ratio of
// MPI's to ours.
template <class F>
void measure_beside_mpi(benchmark::State& state, F round) {
  std::vector<double> ours, mpi;
  std::uint64_t wrong = 0;
  for (auto _ : state) {
    const seconds_beside both = round();
    ours.push_back(1e3 * both.ours);
    mpi.push_back(1e3 * both.mpi);
    wrong += both.wrong;
    state.SetIterationTime(both.ours);
  }
  const auto median = [](std::vector<double>& values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
  };
  state.counters["ours_ms"] = median(ours);
  state.counters["mpi_ms"] = median(mpi);
  state.counters["ratio"] = median(mpi) / median(ours);
  if (wrong > 0) state.SkipWithError((std::to_string(wrong) + " values differ from those by MPI").c_str());
}

}  // namespace orujo::internal
