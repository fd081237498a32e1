// The transport between processes: parcels as non-blocking MPI messages. The only MPI in the project is here.
#pragma once

#include <cstdint>
#include <memory>

#include "system/transport/transport.hpp"

namespace orujo::transport {

// Initialises MPI (MPI_THREAD_SERIALIZED) and makes fail() end the whole job by MPI_Abort. Once per process;
// the destructor finalises MPI. Ends the job with no_resource where MPI cannot give the thread level. Where
// the program has initialised MPI itself, it is its to finalise, too.
// `chaos_seed` not 0: sends are synchronous at random, by this seed.
std::unique_ptr<transport> make_mpi(int* argc, char*** argv, std::uint64_t chaos_seed = 0);

}  // namespace orujo::transport
