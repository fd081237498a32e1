// How much memory the processes of this machine may still take, and what this one has.
#pragma once

#include <cstdint>
#include <string>

namespace orujo::machine {

// Bytes that can be used without swapping: what the system says is available, or less where a control group
// (version 1 or 2) that this process is in, or one above it, has less left. What a group holds of files'
// pages counts as left. `root` stands before /proc and /sys (for tests).
std::uint64_t available_memory(const std::string& root = "");

// Bytes that this process may still map under its limits of address space and data (ulimit -v and -d). Costs
// next to nothing without limits.
std::uint64_t mappable_memory();

// Bytes of memory that this process has at the moment, shared ones too; 0 where the system does not say.
std::uint64_t resident_memory();

// Equal for processes on the same node, different for others.
std::uint64_t node_fingerprint();

}  // namespace orujo::machine
