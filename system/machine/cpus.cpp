#include "system/machine/cpus.hpp"

#include <gflags/gflags.h>
#include <numa.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <string>

#include "system/base/flags.hpp"
#include "system/base/random.hpp"
#include "system/machine/available_memory.hpp"

DEFINE_string(simd, "auto", "vector instructions of the graph engine: auto, avx2 or scalar");

static const orujo::flag_rule simd_rule(
    "simd",
    [] {
      return FLAGS_simd == "auto" || FLAGS_simd == "scalar" ||
             (FLAGS_simd == "avx2" && orujo::machine::runs_x86_64_v3());
    },
    "auto or scalar, or avx2 where the processor has it");

namespace orujo::machine {
namespace {

// By CPU number; empty where there is no NUMA support. Read once: libnuma's look-ups are not safe for
// threads.
const std::vector<int>& numa_nodes_of_cpus() {
  static const std::vector<int> nodes = [] {
    std::vector<int> by_cpu;
    if (numa_available() < 0) return by_cpu;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) by_cpu.push_back(numa_node_of_cpu(cpu));
    return by_cpu;
  }();
  return nodes;
}

}  // namespace

std::vector<int> usable_cpus() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof(mask), &mask) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &mask)) cpus.push_back(cpu);
    }
  }
  if (cpus.empty()) cpus.push_back(0);
  const std::vector<int>& node = numa_nodes_of_cpus();
  if (!node.empty()) {
    std::stable_sort(cpus.begin(), cpus.end(), [&](int a, int b) {
      return node[static_cast<std::size_t>(a)] < node[static_cast<std::size_t>(b)];
    });
  }
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

simd_choice chosen_simd() {
  if (FLAGS_simd == "avx2") return simd_choice::avx2;
  return FLAGS_simd == "scalar" ? simd_choice::scalar : simd_choice::automatic;
}

status continue_as_fastest_build(char** argv) {
  if (chosen_simd() == simd_choice::scalar || !runs_x86_64_v3()) return {};
  char self[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", self, sizeof(self));
  const std::string faster = std::string(self, size > 0 ? static_cast<std::size_t>(size) : 0) + "-v3";
  execv(faster.c_str(), argv);  // returns only where there is no such build
  if (chosen_simd() != simd_choice::avx2) return {};
  return {exit_status::usage,
          "--simd=avx2: this program is not built for AVX2, and there is no " + faster + "; use --simd=auto"};
}

}  // namespace orujo::machine
