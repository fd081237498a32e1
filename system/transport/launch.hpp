// What the environment says of the launcher that has started this process.
#pragma once

#include <string>

namespace orujo::transport {

// True when a launcher (mpirun, srun) started this process for MPI, judging by the environment.
bool launched_by_mpi();

// This process's number among those that were started together, as the environment says: before MPI is
// initialised, and where MPI does not know it. 0 without a launcher.
int launched_rank();

// Empty where a process whose MPI finds it alone is alone. Else what says otherwise: the launcher is not of
// the MPI that the program is built with, and each of its processes would run the whole job.
std::string launched_with_others();

}  // namespace orujo::transport
