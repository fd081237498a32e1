#include "framework/grid/grid_gpu.hpp"

#include "framework/device/cuda.cuh"

namespace orujo::internal::algorithms::detail {
namespace {

[[maybe_unused]] const bool noted = [] {
  make_cuda_grid_gpu = [](const graph::locale_grid& g, grid_state& state, int number,
                          const found_packing& packing) {
    return std::unique_ptr<grid_gpu>(std::make_unique<grid_gpu_on<device::cuda>>(g, state, number, packing));
  };
  return true;
}();

}  // namespace
}  // namespace orujo::internal::algorithms::detail
