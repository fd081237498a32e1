#include "applications/harness/top.hpp"

#include <gflags/gflags.h>

#include "system/base/flags.hpp"

DEFINE_int32(top, 10, "how many of the foremost to print; 0: none");

static const orujo::flag_rule top_rule(
    "top", [] { return FLAGS_top >= 0; }, "at least 0");

namespace orujo::harness {

int top() { return FLAGS_top; }

}  // namespace orujo::harness
