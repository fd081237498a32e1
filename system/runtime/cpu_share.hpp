// Which CPUs a locale gets of those that its node has.
#pragma once

#include <cstddef>
#include <vector>

#include "system/machine/topology.hpp"
#include "system/transport/transport.hpp"

namespace orujo::runtime {

// How the locales of a node share its CPUs: those with the same CPUs take slices of them.
struct cpu_share {
  std::vector<machine::numa_domain> domains;
  std::vector<int> cpus;    // of all domains
  std::size_t locales = 1;  // that may use these CPUs
  std::size_t place = 0;    // of this locale among them
};

// Collective over the locales, before the cores start.
cpu_share find_cpu_share(transport::transport& link);

// Whether there are more cores than CPUs, if all locales have as many cores as this one.
bool is_crowded(const cpu_share& share, int cores_of_locale);

// A CPU for each core; none where it is crowded.
std::vector<int> cpus_to_pin(const cpu_share& share, int cores_of_locale);

}  // namespace orujo::runtime
