// The processors this process may use, and what they can do.
#pragma once

#include <cstdint>
#include <vector>

#include "system/base/status.hpp"

namespace orujo::machine {

// CPU numbers of the calling thread's affinity mask, those of one NUMA node together, ascending; never empty.
std::vector<int> usable_cpus();

// Equal for processes on the same node that may use the same CPUs, different for others.
std::uint64_t cpus_fingerprint();

// Binds the calling thread to one CPU; false where the system refuses.
bool pin_this_thread(int cpu);

// True when the processor and the operating system run code compiled with -march=x86-64-v3 (AVX2, FMA, BMI2).
bool runs_x86_64_v3();

// What --simd asks for: the fastest the machine has, or less.
enum class simd_choice { automatic, avx2, scalar };
simd_choice chosen_simd();

// Whether the including source is compiled for AVX2: every program is built with and without (simd_choice).
// Internal linkage, because the answer differs between the sources of one program: libraries are portable.
#if defined(__AVX2__) && defined(__FMA__)
static constexpr bool compiled_for_avx2 = true;
#else
static constexpr bool compiled_for_avx2 = false;
#endif

// For a program that is not compiled for AVX2: replaces this process by PROGRAM-v3 beside it, the same
// program built for x86-64-v3, where there is one, the machine runs it and --simd allows it; otherwise
// returns. A usage error if --simd=avx2 asks for one that is not there. Before MPI is initialised and threads
// are started.
status continue_as_fastest_build(char** argv);

}  // namespace orujo::machine
