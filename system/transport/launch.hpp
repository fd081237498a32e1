// Facts about the launcher that has started this process, from the environment.
#pragma once

#include <string>

namespace orujo::internal::transport {

struct launch_facts {
  // True when a launcher (mpirun, srun) started this process for MPI.
  bool by_mpi = false;
  // This process's number among those that were started together, before MPI is initialised or if MPI does
  // not know it.
  int rank = 0;
  // Describes a launcher that does not belong to the MPI that the program is built with. Each of its
  // processes would find itself alone and run the whole job. Empty if a process that MPI finds alone is
  // alone.
  std::string others;
  // True if this process prints errors for all of them: the first one that finds the error.
  bool speaks = true;
};

// Call it before MPI is initialised, which changes the environment.
launch_facts look_at_launch();

}  // namespace orujo::internal::transport
