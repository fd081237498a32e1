#include "framework/algorithms/device_search.hpp"

#include "framework/algorithms/gpu_search_part.hpp"
#include "framework/device/cuda.cuh"

namespace orujo::internal::algorithms::detail {
namespace {

[[maybe_unused]] const bool noted = [] {
  make_cuda_search = &make_search_on<device::cuda>;
  return true;
}();

}  // namespace
}  // namespace orujo::internal::algorithms::detail
