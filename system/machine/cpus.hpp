// The processors this process may use, and what they can do.
#pragma once

#include <cstdint>
#include <vector>

#include "system/base/status.hpp"

namespace orujo::machine {

// The CPUs of usable_domains() (topology.hpp), one domain after the other; never empty.
std::vector<int> usable_cpus();

// Equal for processes on the same node that may use the same CPUs, different for others.
std::uint64_t cpus_fingerprint();

// Binds the calling thread to one CPU; false where the system refuses.
bool pin_this_thread(int cpu);

// True when the processor and the operating system run code compiled with -march=x86-64-v3 (AVX2, FMA, BMI2)
// or -march=x86-64-v4 (AVX-512 F, BW, CD, DQ, VL).
bool runs_x86_64_v3();
bool runs_x86_64_v4();

// What --simd asks for: the fastest the machine has, or less.
enum class simd_choice { automatic, avx512, avx2, scalar };
simd_choice chosen_simd();

// What the including source is compiled for: every program is built for each (simd_choice). Internal linkage,
// because the answer differs between the sources of one program: libraries are portable.
enum class build_level { portable, x86_64_v3, x86_64_v4 };
#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512DQ__) && defined(__AVX512BW__)
static constexpr build_level this_build = build_level::x86_64_v4;
#elif defined(__AVX2__) && defined(__FMA__)
static constexpr build_level this_build = build_level::x86_64_v3;
#else
static constexpr build_level this_build = build_level::portable;
#endif
// Whether this machine runs code of that level.
bool runs(build_level level);

// For a program built at this level: where that is portable, replaces this process by PROGRAM-v4 or
// PROGRAM-v3 beside it, the same program built for more, the first that is there, that the machine runs and
// that --simd allows; otherwise returns. A usage error if --simd asks for instructions for which no build is
// there. Before MPI is initialised and threads are started.
status continue_as_fastest_build(char** argv, build_level level);

}  // namespace orujo::machine
