#include "framework/gas/run_options.hpp"

#include <gflags/gflags.h>

DEFINE_bool(overlap, true,
            "begin with edges from a locale's own vertices while values of other locales' are on their way");

namespace orujo::gas {

bool overlap_from_flags() { return FLAGS_overlap; }

}  // namespace orujo::gas
