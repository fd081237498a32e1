#include "framework/device/cuda.cuh"
#include "framework/gas/device_runner.hpp"
#include "tests/framework/gas/device_programs.hpp"

namespace orujo::internal::gas {

template struct runs_on<test_programs::least_label, device::cuda>;
template struct runs_on<test_programs::greatest_raised, device::cuda>;
template struct runs_on<test_programs::lengths_from_several, device::cuda>;
template struct runs_on<test_programs::weighted_sums, device::cuda>;
template struct runs_on<test_programs::walks_that_end, device::cuda>;

}  // namespace orujo::internal::gas
