// Memory that the processes of this machine may still take, and that this one has.
#pragma once

#include <cstdint>
#include <string>

namespace orujo::internal::machine {

// Bytes that can be used without swapping. This is the system's available memory, or what the control group
// of this process (version 1 or 2), or one above it, has left if that is less. A group's file pages count as
// left. `root` stands before /proc and /sys (for tests).
std::uint64_t available_memory(const std::string& root = "");

// Bytes that this process may still map under its limits of address space and data (ulimit -v and -d). Costs
// next to nothing without limits.
std::uint64_t mappable_memory();

// Bytes of memory that this process has at the moment, including shared ones; 0 if the system does not tell.
std::uint64_t resident_memory();

// Equal for processes on the same node, different for others.
std::uint64_t node_fingerprint();

}  // namespace orujo::internal::machine
