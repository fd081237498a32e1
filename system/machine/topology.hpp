// The NUMA domains of this machine: groups of CPUs and memory, and the domain of a core.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "system/base/thread_state.hpp"

namespace orujo::internal::machine {

struct numa_domain {
  int node;               // the system's number
  std::vector<int> cpus;  // ascending
};

// The CPUs of the calling thread's affinity mask that lie on --numa_nodes, or on any node, by node. The
// result is one domain if the system has no NUMA, and never empty, nor is any domain. With --emulate_numa=N
// the CPUs are dealt to N domains, numbered from 0, as if they were NUMA nodes; memory stays where it is.
std::vector<numa_domain> usable_domains();

// A core's domain, and the cores of its locale that share it. These are consecutive.
struct core_place {
  static constexpr base::core_part part = base::core_part::place;
  int node = 0;
  int domains = 1;                    // of the locale
  int first_core = 0, last_core = 1;  // [first, last), numbered within the locale
};

// Places of the cores of a locale. `cpus` has the CPU of each core. It is empty if cores are not bound to
// CPUs; then they are dealt evenly to the domains.
std::vector<core_place> place_cores(std::span<const numa_domain> domains, std::span<const int> cpus,
                                    int cores);

// The calling thread's place; set once when a core starts.
const core_place& my_place();
void set_my_place(const core_place& place);

// Places the whole pages within these bytes on the calling core's domain, if there is more than one. It is a
// hint, and affects untouched pages only. Other threads may do the same for other bytes.
void place_here(void* memory, std::size_t bytes);
template <class T>
void place_here(std::span<T> values) {
  place_here(values.data(), values.size_bytes());
}

// The kernel's placement of these pages, which begin at multiples of 4,096. The result is a node per page, or
// negative for an untouched page or if the kernel does not tell.
std::vector<int> nodes_of_pages(std::span<void* const> pages);

// The placements that place_here() was asked for under emulation, for tests.
struct placement {
  const std::byte* first;
  std::size_t bytes;
  int node;
};
std::vector<placement> emulated_placements();

}  // namespace orujo::internal::machine
