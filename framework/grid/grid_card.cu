#include "framework/grid/grid_card.hpp"

#include "framework/device/cuda.cuh"

namespace orujo::algorithms::detail {
namespace {

[[maybe_unused]] const bool noted = [] {
  make_cuda_grid_card = [](const graph::locale_grid& g, grid_state& state, int number,
                           const found_packing& packing) {
    return std::unique_ptr<grid_card>(
        std::make_unique<grid_card_on<device::cuda>>(g, state, number, packing));
  };
  return true;
}();

}  // namespace
}  // namespace orujo::algorithms::detail
