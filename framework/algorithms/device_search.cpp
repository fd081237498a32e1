#include "framework/algorithms/device_search.hpp"

#include "framework/algorithms/gpu_search_part.hpp"
#include "framework/device/serial.hpp"

namespace orujo::internal::algorithms {

std::shared_ptr<device_search> device_search::make(const graph::locale_graph& g,
                                                   const steps::direction_options& options,
                                                   const device::selection& device) {
  if (device.wanted == device::kind::emulated)
    return detail::make_search_on<device::serial>(g, options, device);
  if (detail::make_cuda_search != nullptr) return detail::make_cuda_search(g, options, device);
  device::all_have_gpus(device, "this program is built without CUDA");
  return nullptr;
}

}  // namespace orujo::internal::algorithms
