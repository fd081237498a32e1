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
using cuda_gpu = internal::device::cuda;
using emulated_gpu = internal::device::serial;
using internal::gas::runs_on;
using internal::graph::device_state;

// The choice of the processor.
using internal::device::device_from_flags, internal::device::forms_on;
using device_selection = internal::device::selection;
using device_kind = internal::device::kind;

}  // namespace orujo
