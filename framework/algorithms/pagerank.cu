#include "framework/algorithms/pagerank.hpp"
#include "framework/device/cuda.cuh"
#include "framework/gas/device_runner.hpp"

namespace orujo::internal::gas {

template struct runs_on<algorithms::pagerank<float>, device::cuda>;
template struct runs_on<algorithms::pagerank<double>, device::cuda>;

}  // namespace orujo::internal::gas
