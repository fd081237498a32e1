// In place of system/transport/mpi.cpp in the module for single processes, which so needs no MPI library.
#include "system/base/fatal.hpp"
#include "system/transport/mpi.hpp"

namespace orujo::internal::transport {

std::unique_ptr<transport> make_mpi(int*, char***, std::uint64_t) {
  base::fail(exit_status::misuse,
             "a launcher's variables were set after orujo was imported: set them before");
}

}  // namespace orujo::internal::transport
