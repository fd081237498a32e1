// Vertex programs that can run on a GPU, and how a run gets there.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "framework/device/selection.hpp"
#include "framework/gas/program.hpp"
#include "framework/gas/run_options.hpp"
#include "framework/graph/distributed_graph.hpp"

namespace orujo::internal::gas {

// The code of a program for GPUs. It exists if a source of the executable has these lines; for CUDA, a source
// that CUDA's compiler compiles.
//
//   #include <orujo/device.hpp>
//   template struct orujo::runs_on<my_program, orujo::cuda_gpu>;
//
// (device_runner.hpp). A program without it runs on the CPU.
template <class Program>
struct device_code {
  // [task; suspends; collective over the job] Returns nothing if no GPU is available and the CPU takes over.
  // `shown` receives the values of all own vertices of the locale, unless it is empty.
  using run_function = std::optional<run_report> (*)(Program& program, graph::locale_graph& g,
                                                     const run_options& options,
                                                     std::span<typename Program::value> shown);
  static inline run_function cuda = nullptr, emulated = nullptr;
};

namespace detail {

// Any thread. Ends the job with `exit_status::usage`, as the program has no such code.
[[noreturn]] void refuse_device(device::kind wanted);
// [task; suspends; collective over the job] Core 0 reports that there is no code or no GPU.
void leave_to_cpu(const device::selection& device);
// Ends the job if checkpoints are `wanted` and --checkpoint_dir is given.
void refuse_checkpoints_on_gpus(bool wanted);

// [task; suspends; collective over the job] Returns nothing if the CPU is to run the program.
template <class Program>
std::optional<run_report> run_on_device(Program& program, graph::locale_graph& g, const run_options& options,
                                        std::span<typename Program::value> shown = {}) {
  const device::kind wanted = options.device.wanted;
  if (wanted == device::kind::cpu) return std::nullopt;
  const auto code =
      wanted == device::kind::emulated ? device_code<Program>::emulated : device_code<Program>::cuda;
  if (code != nullptr) return code(program, g, options, shown);
  if (wanted != device::kind::automatic) refuse_device(wanted);
  leave_to_cpu(options.device);
  return std::nullopt;
}

}  // namespace detail

}  // namespace orujo::internal::gas
