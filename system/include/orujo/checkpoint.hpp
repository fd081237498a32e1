// Checkpoints of loops: what a job that is started again goes on from, on as many locales and cores as there
// are then. Vertex programs have them by run() (framework/gas/program.hpp).
#pragma once

// IWYU pragma: begin_exports
#include "system/checkpoint/checkpoint_loop.hpp"
#include "system/checkpoint/run_checkpoints.hpp"
#include "system/checkpoint/state.hpp"
// IWYU pragma: end_exports

namespace orujo {

using checkpoint::checkpoint_loop, checkpoint::run_checkpoints;
using checkpoint_state = checkpoint::state;

}  // namespace orujo
