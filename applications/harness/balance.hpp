// How evenly the cores share a loop.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "system/loops/schedule.hpp"

namespace orujo::harness {

// By how much the largest exceeds the mean: max / mean - 1; 0 where there is nothing.
inline double imbalance(std::span<const double> of_cores) {
  const double sum = std::accumulate(of_cores.begin(), of_cores.end(), 0.0);
  if (sum <= 0) return 0;
  return *std::max_element(of_cores.begin(), of_cores.end()) * static_cast<double>(of_cores.size()) / sum - 1;
}

// What the cores of the locale begin with, before any steals, by core: known without any clock.
// load_before(i) is the load of all iterations before i. Empty for schedules that deal chunks in turn or to
// whoever is free. After the loop's first execution.
template <class LoadBefore>
std::vector<double> dealt_loads(const loops::shared_loop& loop, const LoadBefore& load_before) {
  std::vector<double> loads;
  for (int core = 0; loop.deals_parts() && core < loop.cores(); ++core) {
    const loops::index_range part = loop.part(core);
    loads.push_back(static_cast<double>(load_before(part.last) - load_before(part.first)));
  }
  return loads;
}

}  // namespace orujo::harness
