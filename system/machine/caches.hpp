// Sizes of the processor's caches.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace orujo::machine {

// A cache for data that CPU 0 has, and how many CPUs share it.
struct cache {
  int level = 0;
  std::size_t bytes = 0;
  int cpus = 1;
  bool operator==(const cache&) const = default;
};

// By level; empty where the system does not say. `root` stands before /sys (for tests).
std::vector<cache> data_caches(const std::string& root = "");

// Bytes of a second-level cache: what the C library knows, or else what the system says of CPU 0, or else
// 1 MiB. Whether cores share it is not looked at.
std::size_t second_level_cache_bytes();

namespace detail {
// Bytes of a size as the kernel writes it, "2048K"; 0 where it is none.
std::size_t parse_cache_size(const std::string& text);
// How many CPUs a list as the kernel writes it has, "0-3,8"; 1 where it is none.
int count_cpus(const std::string& list);
}  // namespace detail

}  // namespace orujo::machine
