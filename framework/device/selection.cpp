#include "framework/device/selection.hpp"

#include <glog/logging.h>

#include <cstdint>

#include "system/base/fatal.hpp"
#include "system/base/identity.hpp"
#include "system/base/shape.hpp"
#include "system/collectives/collectives.hpp"
#include "system/machine/available_memory.hpp"
#include "system/report/job_report.hpp"

namespace orujo::internal::device {

graph::edge_forms forms_on(const selection& device, graph::edge_forms on_cpu) {
  if (!device.may_be_gpu()) return on_cpu;
  on_cpu.in_rows = true;
  if (device.wanted != kind::automatic) on_cpu.in_vectors = false;
  return on_cpu;
}

std::optional<std::string> why_no_gpu() {
  if (count_cuda_gpus == nullptr) return "this program is built without CUDA";
  if (count_cuda_gpus() == 0) return "no CUDA GPU, or no driver for it";
  return std::nullopt;
}

int gpu_of_locale(const selection& device) {
  const by_core<std::uint64_t> nodes = collectives::all_gather(machine::node_fingerprint());
  if (device.number) return *device.number;
  if (count_cuda_gpus == nullptr || device.wanted == kind::emulated) return 0;
  const auto node_of = [&](locale_id l) { return nodes[shape().first_core_of(l)]; };
  int before = 0;
  for (locale_id l = 0; l < my_locale(); ++l) before += node_of(l) == node_of(my_locale()) ? 1 : 0;
  const int gpus = count_cuda_gpus();
  return gpus == 0 ? 0 : before % gpus;
}

bool all_have_gpus(const selection& device, const std::string& wrong, const std::string& name) {
  const auto tell = [](const std::string& processor) {
    if (my_core() == 0) report::tell_setting("device at locale 0", [&] { return processor; });
  };
  const int first = collectives::all_reduce(wrong.empty() ? cores() : my_core(),
                                            [](int a, int b) { return a < b ? a : b; });
  if (first == cores()) {
    tell(name);
    return true;
  }
  if (device.wanted != kind::automatic) {
    if (!wrong.empty()) fail_for_gpu(wrong);
    collectives::barrier();  // the locale without a GPU ends the job
  }
  const std::string why = wrong.empty() ? "another locale has no suitable GPU" : wrong;
  LOG_IF(WARNING, my_core() == 0) << "--device=auto uses the CPU: " << why;
  tell("cpu: " + why);
  return false;
}

void fail_for_gpu(const std::string& why) {
  base::fail(exit_status::no_resource,
             "--device: the GPU cannot be used: " + why + "; pass --device=cpu or auto to run without it");
}

}  // namespace orujo::internal::device
