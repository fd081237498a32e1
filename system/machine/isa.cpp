#include "system/machine/isa.hpp"

#include <gflags/gflags.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "system/base/flags.hpp"

#if defined(ORUJO_VECTOR_KERNELS)
#include <immintrin.h>
#endif

DEFINE_string(simd, "auto", "vector instructions of kernels: auto, avx512, avx2 or scalar");

namespace orujo::internal::machine {
namespace {

const flag_rule simd_rule(
    "simd",
    [] {
      return FLAGS_simd == "auto" || FLAGS_simd == "scalar" ||
             (FLAGS_simd == "avx2" && runs(instruction_set::avx2)) ||
             (FLAGS_simd == "avx512" && runs(instruction_set::avx512));
    },
    "auto or scalar, or avx2 or avx512 where the processor has it");

#if defined(ORUJO_VECTOR_KERNELS)
constexpr int gathered = 512;
struct alignas(64) gather_test {
  float sources[256] = {};
  std::uint32_t places[gathered];
};

ORUJO_AVX2 void sum_by_loads(gather_test& t) {
  __m256 sum = _mm256_setzero_ps();
  for (int k = 0; k < gathered; k += 8) {
    const auto at = [&](int i) { return t.sources[t.places[k + i]]; };
    sum = _mm256_add_ps(sum, _mm256_setr_ps(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)));
  }
  _mm256_store_ps(t.sources, sum);
}

ORUJO_AVX512 void sum_by_gathers(gather_test& t) {
  __m256 sum = _mm256_setzero_ps();
  for (int k = 0; k < gathered; k += 8) {
    const __m256i places = _mm256_load_si256(reinterpret_cast<const __m256i*>(t.places + k));
    sum = _mm256_add_ps(sum, _mm256_mmask_i32gather_ps(_mm256_setzero_ps(), 0xff, places, t.sources, 4));
  }
  _mm256_store_ps(t.sources, sum);
}

// The shortest of some runs, with sources in the first-level cache.
std::chrono::nanoseconds time_of(void (*sum)(gather_test&)) {
  gather_test t;
  for (std::uint32_t k = 0; k < gathered; ++k) t.places[k] = (k / 8 * 37 + k % 8 * 101) % 256;
  std::chrono::nanoseconds shortest = std::chrono::nanoseconds::max();
  for (int run = 0; run < 8; ++run) {
    const auto start = std::chrono::steady_clock::now();
    for (int again = 0; again < 8; ++again) {
      sum(t);
      asm volatile("" : : "r"(&t) : "memory");
    }
    shortest = std::min<std::chrono::nanoseconds>(shortest, std::chrono::steady_clock::now() - start);
  }
  return shortest;
}

// Returns whether gather instructions are as fast as single loads. Microcode that keeps them from leaking
// data ("Downfall") makes them several times slower, and a virtual machine may hide this. It is therefore
// measured once, in about 0.1 ms. Kronecker 18 takes 7.5 ms per iteration with gathers on such a machine, and
// 4.5 ms without.
bool gathers_pay() { return time_of(sum_by_gathers) <= time_of(sum_by_loads) * 5 / 4; }
#endif

instruction_set fastest_here() {
#if defined(ORUJO_VECTOR_KERNELS)
  if (runs(instruction_set::avx512) && gathers_pay()) return instruction_set::avx512;
#endif
  return runs(instruction_set::avx2) ? instruction_set::avx2 : instruction_set::scalar;
}

}  // namespace

bool runs(instruction_set set) {
#if defined(ORUJO_VECTOR_KERNELS)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
  if (set == instruction_set::avx2) return avx2;
  if (set == instruction_set::avx512)
    return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
#endif
  return set == instruction_set::scalar;
}

instruction_set simd_from_flags() {
  if (FLAGS_simd == "avx512") return instruction_set::avx512;
  if (FLAGS_simd == "avx2") return instruction_set::avx2;
  if (FLAGS_simd == "scalar") return instruction_set::scalar;
  static const instruction_set fastest = fastest_here();
  return fastest;
}

std::string_view name_of(instruction_set set) {
  constexpr std::string_view names[] = {"scalar", "avx2", "avx512"};
  return names[static_cast<int>(set)];
}

}  // namespace orujo::internal::machine
