// Checkpoints of loops: a job that is started again continues from the last one, on any number of locales and
// cores. Vertex programs and algorithms of <orujo/graph.hpp> have checkpoints without this header.
#pragma once

// IWYU pragma: begin_exports
#include "system/checkpoint/checkpoint_loop.hpp"
#include "system/checkpoint/run_checkpoints.hpp"
#include "system/checkpoint/state.hpp"
// IWYU pragma: end_exports

namespace orujo {

using internal::checkpoint::checkpoint_loop, internal::checkpoint::run_checkpoints;
using checkpoint_state = internal::checkpoint::state;

}  // namespace orujo
