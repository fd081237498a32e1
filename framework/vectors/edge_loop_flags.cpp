#include <gflags/gflags.h>

#include "framework/vectors/edge_loops.hpp"
#include "system/loops/schedule_flags.hpp"

DEFINE_uint64(chunk_vectors, 0,
              "edge vectors, of 8 edges, per chunk; 0: about 32 chunks per core and segment");

namespace orujo::internal::vectors {

// edge_schedule has the order of schedule_kind.
static_assert(static_cast<int>(edge_schedule::usersched_profiled) ==
              static_cast<int>(loops::schedule_kind::profiled));

edge_loop_options edge_loop_options_from_flags() {
  return {static_cast<edge_schedule>(loops::schedule_kind_from_flags()), FLAGS_chunk_vectors};
}

}  // namespace orujo::internal::vectors
