// For the benchmarks that compare with plain MPI: what they need to call it beside the running job.
#pragma once

#define OMPI_SKIP_MPICXX 1  // the C interface only
#include <benchmark/benchmark.h>
#include <mpi.h>

#include "system/base/identity.hpp"
#include "system/loops/collectives.hpp"
#include "system/transport/launch.hpp"

namespace orujo {

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

// [task; suspends; on every core] Runs f between two barriers of MPI and returns its seconds. No core begins
// before all tasks have, as a core within MPI sends no messages of the runtime.
template <class F>
double seconds_within_mpi(const F& f) {
  loops::barrier();
  MPI_Barrier(reference_world());
  const double begun = MPI_Wtime();
  f();
  MPI_Barrier(reference_world());
  return MPI_Wtime() - begun;
}

}  // namespace orujo
