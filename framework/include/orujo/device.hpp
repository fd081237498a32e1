// Vertex programs on GPUs (framework/gas/device_runner.hpp says what they have to say for that).
#pragma once

// IWYU pragma: begin_exports
#include "framework/device/selection.hpp"
#include "framework/device/serial.hpp"
#ifdef __CUDACC__
#include "framework/device/cuda.cuh"
#endif
#include "framework/gas/device_runner.hpp"
#include "framework/graph/device_state.hpp"
#include "orujo/vertex_programs.hpp"
// IWYU pragma: end_exports

namespace orujo {

// On device::cuda, or on device::serial, which emulates a GPU.
using gas::runs_on;
using graph::device_state;

}  // namespace orujo
