// The balance of a loop over the cores.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "system/loops/schedule.hpp"

namespace orujo::internal::harness {

// Excess of the largest value over the mean, max / mean - 1, or 0 without values.
inline double imbalance(std::span<const double> of_cores) {
  const double sum = std::accumulate(of_cores.begin(), of_cores.end(), 0.0);
  if (sum <= 0) return 0;
  return *std::max_element(of_cores.begin(), of_cores.end()) * static_cast<double>(of_cores.size()) / sum - 1;
}

// The loads that the cores of the locale begin with, before any steals, by core. No clock is involved.
// load_before(i) is the load of all iterations before i. The result is empty for schedules that deal chunks
// in turn or to free cores. Call it after the loop's first execution.
template <class LoadBefore>
std::vector<double> dealt_loads(const loops::shared_loop& loop, const LoadBefore& load_before) {
  std::vector<double> loads;
  for (int core = 0; loop.deals_parts() && core < loop.cores(); ++core) {
    const index_range part = loop.part(core);
    loads.push_back(static_cast<double>(load_before(part.last) - load_before(part.first)));
  }
  return loads;
}

}  // namespace orujo::internal::harness
