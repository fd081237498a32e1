// Initialises MPI itself before it runs as a job: with --serialized, its last argument, as the runtime needs
// it.
#define OMPI_SKIP_MPICXX 1  // the C interface only
#include <gflags/gflags.h>
#include <mpi.h>

#include <cstdio>
#include <cstring>

#include "system/base/identity.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_bool(serialized, false, "ask for MPI_THREAD_SERIALIZED");

int main(int argc, char** argv) {
  int provided = 0;
  const bool serialized = std::strcmp(argv[argc - 1], "--serialized") == 0;
  MPI_Init_thread(&argc, &argv, serialized ? MPI_THREAD_SERIALIZED : MPI_THREAD_SINGLE, &provided);
  const auto say = [] {
    std::printf("%d locales\n", orujo::locales());
    return orujo::status();
  };
  const int ended = orujo::run(argc, argv, "says how large it is", say);
  MPI_Barrier(MPI_COMM_WORLD);  // MPI is still there
  MPI_Finalize();
  return ended;
}
