#include "framework/device/cuda.cuh"
#include "framework/device/selection.hpp"

namespace orujo::device {
namespace {

[[maybe_unused]] const bool counted = [] {
  count_cuda_cards = &cuda::cards;
  return true;
}();

}  // namespace
}  // namespace orujo::device
