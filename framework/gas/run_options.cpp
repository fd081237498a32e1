#include "framework/gas/run_options.hpp"

#include <gflags/gflags.h>

#include "system/base/fatal.hpp"

DEFINE_bool(overlap, true,
            "process edges from a locale's own vertices while values from other locales arrive");

namespace orujo::internal::gas {

bool overlap_from_flags() { return FLAGS_overlap; }

void detail::check_options(const run_options& options, bool shares_pulls, bool goes_ahead, bool adds_floats) {
  if (!shares_pulls && options.edges != vectors::edge_loop_options{})
    base::fail(exit_status::usage,
               "gas::run: run_options.edges (--schedule, --chunk_vectors) has no effect on programs with "
               "combine = any{}, whose pulls stop at the first in-neighbour, and on those with priority(), "
               "which do not pull: remove it");
  if (!goes_ahead && options.ahead == going_ahead::always)
    base::fail(exit_status::usage,
               "gas::run: run_options.ahead = always is for asynchronous programs and those with priority(): "
               "remove it");
  if (!adds_floats && options.rounded)
    base::fail(exit_status::usage,
               "gas::run: run_options.rounded is for programs with value = float and combine = "
               "sum{} that are not incremental: remove it");
}

}  // namespace orujo::internal::gas
