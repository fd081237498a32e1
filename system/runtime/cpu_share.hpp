// A locale's share of its node's CPUs.
#pragma once

#include <cstddef>
#include <vector>

#include "system/machine/topology.hpp"
#include "system/transport/transport.hpp"

namespace orujo::internal::runtime {

// The sharing of a node's CPUs: locales with the same CPUs take slices of them.
struct cpu_share {
  std::vector<machine::numa_domain> domains;
  std::vector<int> cpus;    // of all domains
  std::size_t locales = 1;  // that may use these CPUs
  std::size_t place = 0;    // index of this locale among them
};

// Collective over the locales, before the cores start.
cpu_share find_cpu_share(transport::transport& link);

// Returns whether there are more cores than CPUs, if all locales have as many cores as this one.
bool is_crowded(const cpu_share& share, int cores_of_locale);

// A CPU for each core, or none if cores outnumber CPUs.
std::vector<int> cpus_to_pin(const cpu_share& share, int cores_of_locale);

}  // namespace orujo::internal::runtime
