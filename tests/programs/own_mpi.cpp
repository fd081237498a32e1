// Initialises MPI itself before it runs as a job. Its last argument chooses the way:
// * --serialized, or --again for two jobs: at the level that orujo::run needs.
// * --multiple: for two sessions beside which it uses MPI itself.
// * none: at a thread level that is too low.
// * --twice and --run_twice: MPI is left to sessions, or to orujo::run, of which only one can have it.
#define OMPI_SKIP_MPICXX 1  // the C interface only
#include <gflags/gflags.h>
#include <mpi.h>

#include <cstdio>
#include <string>

#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/runtime/runtime.hpp"
#include "system/runtime/session.hpp"

DEFINE_bool(serialized, false, "ask for MPI_THREAD_SERIALIZED");
DEFINE_bool(again, false, "run a second job after the first");
DEFINE_bool(run_twice, false, "run two jobs that initialise MPI");

namespace {

int say_how_large(int argc, char** argv) {
  const int ended = orujo::run(argc, argv, "says how large it is", [] {
    const int sum = orujo::internal::delegates::sum_of_all([] { return orujo::my_core() + 1; });
    std::printf("%d locales\n%d cores, whose numbers from 1 on add up to %d\n", orujo::locales(),
                orujo::cores(), sum);
    return orujo::status();
  });
  if (orujo::internal::base::is_core()) std::puts("a core after the job");
  return ended;
}

int run_as_job(int argc, char** argv, int level, int times) {
  int provided = 0, ended = 0;
  MPI_Init_thread(&argc, &argv, level, &provided);
  for (int k = 0; k < times; ++k) {
    ended |= say_how_large(argc, argv);
    MPI_Barrier(MPI_COMM_WORLD);  // MPI is still there
  }
  MPI_Finalize();
  return ended;
}

// Each process has its job add up what the processes have, and MPI, too.
int sum_in_sessions() {
  int provided = 0, rank = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int turn = 1; turn <= 2; ++turn) {
    orujo::session job({"--cores=2"});
    const int mine = turn * (rank + 1);
    auto sum_there = job.async_run([&] {
      return orujo::internal::collectives::all_reduce(mine, std::plus<>(),
                                                      orujo::internal::collectives::group::leaders);
    });
    int sum_here = 0;
    MPI_Allreduce(&mine, &sum_here, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    const int sum = sum_there.get();
    if (rank == 0) std::printf("session %d of %d locales: %d and %d\n", turn, job.locales(), sum, sum_here);
  }
  MPI_Finalize();
  return 0;
}

int begin_twice() {
  for (int turn = 1; turn <= 2; ++turn) {
    try {
      orujo::session job({"--cores=1"});
      job.run([] {});
    } catch (const orujo::job_error& e) {
      std::printf("session %d: status %d, %s\n", turn, static_cast<int>(e.code()), e.what());
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argv[argc - 1];
  if (how == "--multiple") return sum_in_sessions();
  if (how == "--twice") return begin_twice();
  if (how == "--run_twice") return say_how_large(argc, argv) | say_how_large(argc, argv);
  const bool again = how == "--again";
  return run_as_job(argc, argv, again || how == "--serialized" ? MPI_THREAD_SERIALIZED : MPI_THREAD_SINGLE,
                    again ? 2 : 1);
}
