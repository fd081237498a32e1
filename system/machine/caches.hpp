// Sizes of the processor's caches.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace orujo::internal::machine {

// A data cache of CPU 0, and the number of CPUs that share it.
struct cache {
  int level = 0;
  std::size_t bytes = 0;
  int cpus = 1;
  bool operator==(const cache&) const = default;
};

// By level; empty if the system does not tell. `root` stands before /sys (for tests).
std::vector<cache> data_caches(const std::string& root = "");

// Bytes of a second-level cache: the C library's figure, or the system's for CPU 0, or 1 MiB. A cache that
// several cores share counts in full.
std::size_t second_level_cache_bytes();

namespace detail {
// Bytes of a size in the kernel's notation, "2048K"; 0 for other texts.
std::size_t parse_cache_size(std::string_view text);
// Number of CPUs in a list in the kernel's notation, "0-3,8"; 1 for other texts.
int count_cpus(const std::string& list);
}  // namespace detail

}  // namespace orujo::internal::machine
