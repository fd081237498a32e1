// The processors this process may use.
#pragma once

#include <cstdint>
#include <vector>

namespace orujo::internal::machine {

// The CPUs of usable_domains() (topology.hpp), one domain after the other; never empty.
std::vector<int> usable_cpus();

// Equal for processes on the same node that may use the same CPUs, different for others.
std::uint64_t cpus_fingerprint();

// Binds the calling thread to one CPU; returns false if the system refuses.
bool pin_this_thread(int cpu);

}  // namespace orujo::internal::machine
