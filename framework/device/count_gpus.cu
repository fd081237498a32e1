#include "framework/device/cuda.cuh"
#include "framework/device/selection.hpp"

namespace orujo::internal::device {
namespace {

[[maybe_unused]] const bool counted = [] {
  count_cuda_gpus = &cuda::gpus;
  return true;
}();

}  // namespace
}  // namespace orujo::internal::device
