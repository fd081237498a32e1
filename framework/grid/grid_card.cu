#include "framework/grid/grid_card.hpp"

#include "framework/device/cuda.cuh"

namespace orujo::algorithms::detail {
namespace {

std::unique_ptr<grid_card> make(const graph::locale_grid& g, grid_state& state, int number) {
  return std::make_unique<grid_card_on<device::cuda>>(g, state, number);
}

[[maybe_unused]] const bool noted = [] {
  make_cuda_grid_card = &make;
  return true;
}();

}  // namespace
}  // namespace orujo::algorithms::detail
