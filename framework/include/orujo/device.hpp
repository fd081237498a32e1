// Vertex programs on GPUs. docs/how_to/gpus.md has a whole example.
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

// Code for GPUs.
using cuda_gpu = device::cuda;
using emulated_gpu = device::serial;
using gas::runs_on;
using graph::device_state;

// The choice of the processor.
using device::device_from_flags, device::forms_on;
using device_selection = device::selection;
using device_kind = device::kind;

}  // namespace orujo
