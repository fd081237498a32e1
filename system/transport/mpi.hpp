// The transport between processes: parcels as non-blocking MPI messages. Only the files mpi* use MPI.
#pragma once

#include <cstdint>
#include <memory>

#include "system/transport/transport.hpp"

namespace orujo::internal::transport {

// Initialises MPI (MPI_THREAD_SERIALIZED) and makes fail() end the whole job by MPI_Abort. Once per process;
// the destructor finalises MPI. Ends the job with no_resource if MPI cannot give the thread level. A program
// that has initialised MPI itself also finalises it. A `chaos_seed` other than 0 makes sends synchronous at
// random.
std::unique_ptr<transport> make_mpi(int* argc, char*** argv, std::uint64_t chaos_seed = 0);

}  // namespace orujo::internal::transport
