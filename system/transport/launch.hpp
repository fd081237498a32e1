// What the environment says of the launcher that has started this process.
#pragma once

#include <string>

namespace orujo::transport {

struct launch_facts {
  // True when a launcher (mpirun, srun) started this process for MPI.
  bool by_mpi = false;
  // This process's number among those that were started together: what is known before MPI is initialised,
  // and where MPI does not know it. 0 without a launcher.
  int rank = 0;
  // Empty where a process whose MPI finds it alone is alone. Else what says otherwise: the launcher is not of
  // the MPI that the program is built with, and each of its processes would run the whole job.
  std::string others;
  // Whether this process tells, for all of them, what is wrong: the first one that knows.
  bool speaks = true;
};

// To be called before MPI is initialised, which changes the environment.
launch_facts look_at_launch();

}  // namespace orujo::transport
