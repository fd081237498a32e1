// The NUMA domains of this machine: which CPUs and memory belong together, and which a core belongs to.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace orujo::machine {

struct numa_domain {
  int node;               // the system's number
  std::vector<int> cpus;  // ascending
};

// By node: the CPUs of the calling thread's affinity mask that lie on --numa_nodes, or on any. One domain
// where the system knows no NUMA; never empty, nor is any domain. With --emulate_numa=N the CPUs are dealt to
// N domains, numbered from 0, as if they were those of NUMA nodes; memory stays where it is.
std::vector<numa_domain> usable_domains();

// A core's domain, and the cores of its locale that share it: they are consecutive.
struct core_place {
  int node = 0;
  int domains = 1;                    // of the locale
  int first_core = 0, last_core = 1;  // [first, last), by core of the locale
};

// Places for the cores of a locale. cpus: of each core; none where cores are not bound to CPUs: then they are
// dealt evenly to the domains.
std::vector<core_place> place_cores(std::span<const numa_domain> domains, std::span<const int> cpus,
                                    int cores);

// The calling thread's; set once when a core starts.
const core_place& my_place();
void set_my_place(const core_place& place);

// Puts the whole pages within these bytes on the calling core's domain, where there is more than one: as a
// wish, and for pages that nobody has touched yet. Other threads may do the same for other bytes.
void place_here(void* memory, std::size_t bytes);
template <class T>
void place_here(std::span<T> values) {
  place_here(values.data(), values.size_bytes());
}

// Where the kernel has put these pages, which begin at multiples of 4,096: a node; negative for one that
// nobody has touched yet, and where the kernel does not tell.
std::vector<int> nodes_of_pages(std::span<void* const> pages);

// What place_here() was asked for under emulation since the start, for tests.
struct placement {
  const std::byte* first;
  std::size_t bytes;
  int node;
};
std::vector<placement> emulated_placements();

}  // namespace orujo::machine
