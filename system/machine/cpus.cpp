#include "system/machine/cpus.hpp"

#include <gflags/gflags.h>
#include <sched.h>
#include <unistd.h>

#include <climits>
#include <string>

#include "system/base/flags.hpp"
#include "system/base/random.hpp"
#include "system/machine/available_memory.hpp"
#include "system/machine/topology.hpp"

DEFINE_string(simd, "auto", "vector instructions of the graph engine: auto, avx512, avx2 or scalar");

static const orujo::flag_rule simd_rule(
    "simd",
    [] {
      return FLAGS_simd == "auto" || FLAGS_simd == "scalar" ||
             (FLAGS_simd == "avx2" && orujo::machine::runs_x86_64_v3()) ||
             (FLAGS_simd == "avx512" && orujo::machine::runs_x86_64_v4());
    },
    "auto or scalar, or avx2 or avx512 where the processor has it");

namespace orujo::machine {
std::vector<int> usable_cpus() {
  std::vector<int> cpus;
  for (const numa_domain& domain : usable_domains())
    cpus.insert(cpus.end(), domain.cpus.begin(), domain.cpus.end());
  return cpus;
}

std::uint64_t cpus_fingerprint() {
  std::uint64_t hash = node_fingerprint();
  for (int cpu : usable_cpus()) hash = mix64(hash ^ static_cast<std::uint64_t>(cpu));
  return hash;
}

bool pin_this_thread(int cpu) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(cpu, &mask);
  return sched_setaffinity(0, sizeof(mask), &mask) == 0;
}

bool runs_x86_64_v3() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}

bool runs_x86_64_v4() {
#if defined(__x86_64__)
  return runs_x86_64_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

bool runs(build_level level) {
  return level == build_level::portable ||
         (level == build_level::x86_64_v3 ? runs_x86_64_v3() : runs_x86_64_v4());
}

simd_choice chosen_simd() {
  if (FLAGS_simd == "avx512") return simd_choice::avx512;
  if (FLAGS_simd == "avx2") return simd_choice::avx2;
  return FLAGS_simd == "scalar" ? simd_choice::scalar : simd_choice::automatic;
}

status continue_as_fastest_build(char** argv, build_level level) {
  const simd_choice choice = chosen_simd();
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof(path));
  const std::string self(path, size > 0 ? static_cast<std::size_t>(size) : 0);
  if (level == build_level::portable) {
    // execv() returns only where there is no such build.
    const bool any = choice == simd_choice::automatic;
    if ((any || choice == simd_choice::avx512) && runs_x86_64_v4()) execv((self + "-v4").c_str(), argv);
    if ((any || choice == simd_choice::avx2) && runs_x86_64_v3()) execv((self + "-v3").c_str(), argv);
  }
  const build_level needed = choice == simd_choice::avx512 ? build_level::x86_64_v4
                             : choice == simd_choice::avx2 ? build_level::x86_64_v3
                                                           : build_level::portable;
  if (level >= needed) return {};
  return {exit_status::usage, "--simd=" + FLAGS_simd + ": this program is not built for it, and " +
                                  (level == build_level::portable
                                       ? "there is no " + self + (choice == simd_choice::avx2 ? "-v3" : "-v4")
                                       : "a build for one processor does not look for another") +
                                  "; use --simd=auto"};
}

}  // namespace orujo::machine
