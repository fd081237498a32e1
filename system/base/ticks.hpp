// A clock that costs a few ns, in units of its own, for measuring and for tracing.
#pragma once

#include <chrono>
#include <cstdint>

namespace orujo::internal::base {

// The time stamp counter where there is one: of constant rate, and the same on all CPUs of a machine.
inline std::uint64_t ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

// Nanoseconds of the steady clock; a few times as expensive as ticks().
inline std::uint64_t now_ns() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

// Measured from the program's start to the call; waits for the first millisecond to pass.
double ns_per_tick();

}  // namespace orujo::internal::base
