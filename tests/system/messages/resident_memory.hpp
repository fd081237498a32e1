// The kernel's figures of this process's memory.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace orujo::internal {

// A line of /proc/self/status, in bytes. VmRSS is resident now, and VmHWM is the maximum after the begin of
// the process or the last reset. 0 if there is no such line.
inline std::uint64_t memory_of_process(const std::string& which) {
  std::ifstream in("/proc/self/status");
  for (std::string word; in >> word;) {
    std::uint64_t kib = 0;
    if (word == which + ":" && in >> kib) return kib * 1024;
  }
  return 0;
}

// Lets the peak begin anew, and returns what it begins at: all that is resident now or, where the kernel does
// not allow it, the peak so far.
inline std::uint64_t reset_peak_memory() {
  std::ofstream("/proc/self/clear_refs") << 5 << std::flush;
  return memory_of_process("VmHWM");
}

}  // namespace orujo::internal
