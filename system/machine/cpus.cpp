#include "system/machine/cpus.hpp"

#include <sched.h>

#include "system/base/random.hpp"
#include "system/machine/available_memory.hpp"
#include "system/machine/topology.hpp"

namespace orujo::internal::machine {
std::vector<int> usable_cpus() {
  std::vector<int> cpus;
  for (const numa_domain& domain : usable_domains())
    cpus.insert(cpus.end(), domain.cpus.begin(), domain.cpus.end());
  return cpus;
}

std::uint64_t cpus_fingerprint() {
  std::uint64_t hash = node_fingerprint();
  for (int cpu : usable_cpus()) hash = mix64(hash ^ static_cast<std::uint64_t>(cpu));
  return hash;
}

bool pin_this_thread(int cpu) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(cpu, &mask);
  return sched_setaffinity(0, sizeof(mask), &mask) == 0;
}

}  // namespace orujo::internal::machine
