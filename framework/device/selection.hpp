// Which processor a locale's steps along edges run on.
#pragma once

#include <optional>
#include <string>

#include "framework/graph/edge_forms.hpp"

namespace orujo::internal::device {

class cuda;  // cuda.cuh

// Where vertex programs run: the values of --device.
enum class kind {
  cpu,
  automatic,  // a GPU where there is one, with code for the program and enough memory; else the CPU
  cuda,       // a GPU, or the job ends
  emulated    // the GPU's code on the CPU: for tests
};

// A choice of the processor, as --device makes it: run_options.device.
struct selection {
  kind wanted = kind::cpu;
  std::optional<int> number;  // of the GPU; none: the locales of a node take its GPUs in turn

  bool may_be_gpu() const { return wanted != kind::cpu; }
  bool may_be_cpu() const { return wanted == kind::cpu || wanted == kind::automatic; }
};

// [any thread, once flags are read] Returns the device that --device selects.
selection device_from_flags();

// The forms of edges that a graph needs for this selection: rows for GPUs, and `on_cpu` if the CPU may run
// the program.
graph::edge_forms forms_on(const selection& device, graph::edge_forms on_cpu);

// Any thread. Returns nothing if there is a GPU, and otherwise the reason: no CUDA in this build, or no
// driver.
std::optional<std::string> why_no_gpu();

// [task; suspends; collective over the job] The number of the GPU for this locale: as selected, or by its
// place in the node.
int gpu_of_locale(const selection& device);

// [task; suspends; collective over the job] Returns whether every locale has a suitable GPU, and notes it for
// --print_settings. wrong: the reason why this locale has none, or empty. name: of its GPU. If some locale
// has none, `kind::automatic` leaves the work to the CPU with a warning of core 0; other kinds end the job
// with `exit_status::no_resource`.
bool all_have_gpus(const selection& device, const std::string& wrong, const std::string& name = {});

// Any thread. Ends the job with `exit_status::no_resource`, because a GPU was lost or is full.
[[noreturn]] void fail_for_gpu(const std::string& why);

// The number of GPUs of the machine; set by the library of CUDA sources if it is linked.
inline int (*count_cuda_gpus)() = nullptr;

}  // namespace orujo::internal::device
