// The GPUs that tests can run on: the emulated one, and what the machine has.
#pragma once

#include <vector>

#include "framework/device/selection.hpp"

namespace orujo::internal::test_graphs {

inline std::vector<device::selection> devices() {
  std::vector<device::selection> all{{device::kind::emulated, {}}};
  if (!device::why_no_gpu()) all.push_back({device::kind::cuda, {}});
  return all;
}

}  // namespace orujo::internal::test_graphs
