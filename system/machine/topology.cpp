#include "system/machine/topology.hpp"

#include <gflags/gflags.h>
#include <numa.h>
#include <numaif.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "system/base/flags.hpp"
#include "system/base/numbers.hpp"

DEFINE_string(numa_nodes, "", "NUMA nodes whose CPUs and memory to use, such as 0,2 or 0-3; empty: all");
DEFINE_int32(emulate_numa, 0,
             "number of NUMA nodes to pretend the CPUs belong to, for tests; 0: the real ones");

namespace orujo::internal::machine {
namespace {

std::vector<int> cpus_of_affinity() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof(mask), &mask) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &mask)) cpus.push_back(cpu);
    }
  }
  if (cpus.empty()) cpus.push_back(0);
  return cpus;
}

// By CPU number; empty without NUMA support. Read once, because libnuma's look-ups are not thread-safe.
const std::vector<int>& numa_nodes_of_cpus() {
  static const std::vector<int> nodes = [] {
    std::vector<int> by_cpu;
    if (numa_available() < 0) return by_cpu;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) by_cpu.push_back(numa_node_of_cpu(cpu));
    return by_cpu;
  }();
  return nodes;
}

std::vector<numa_domain> all_domains() {
  const std::vector<int> cpus = cpus_of_affinity();
  std::vector<numa_domain> domains;
  if (FLAGS_emulate_numa > 0) {
    const auto n = static_cast<std::size_t>(FLAGS_emulate_numa);
    for (std::size_t d = 0; d < n; ++d) {
      const std::size_t first = d * cpus.size() / n, last = std::max((d + 1) * cpus.size() / n, first + 1);
      domains.push_back({static_cast<int>(d),
                         {cpus.begin() + static_cast<std::ptrdiff_t>(first),
                          cpus.begin() + static_cast<std::ptrdiff_t>(last)}});
    }
    return domains;
  }
  const std::vector<int>& node_of = numa_nodes_of_cpus();
  std::map<int, std::vector<int>> by_node;
  for (const int cpu : cpus)
    by_node[node_of.empty() ? 0 : node_of[static_cast<std::size_t>(cpu)]].push_back(cpu);
  for (auto& [node, its_cpus] : by_node) domains.push_back({node, std::move(its_cpus)});
  return domains;
}

std::optional<int> parse_number(std::string_view text) {
  const auto number = base::number_of<int>(text);
  return number && *number >= 0 ? number : std::nullopt;
}

// "0,2-3" as {0, 2, 3}; nothing for other texts.
std::optional<std::vector<int>> parse_nodes(std::string_view text) {
  std::vector<int> nodes;
  for (;;) {
    const std::size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    const std::size_t dash = item.find('-');
    const std::optional<int> first = parse_number(item.substr(0, dash));
    const std::optional<int> last = dash == item.npos ? first : parse_number(item.substr(dash + 1));
    if (!first || !last || *last < *first || *last > 1 << 16) return {};
    for (int node = *first; node <= *last; ++node) nodes.push_back(node);
    if (comma == text.npos) return nodes;
    text.remove_prefix(comma + 1);
  }
}

bool has_node(const std::vector<numa_domain>& domains, int node) {
  return std::any_of(domains.begin(), domains.end(), [=](const numa_domain& d) { return d.node == node; });
}

bool numa_nodes_are_usable() {
  if (FLAGS_numa_nodes.empty()) return true;
  const auto nodes = parse_nodes(FLAGS_numa_nodes);
  const std::vector<numa_domain> domains = all_domains();
  return nodes &&
         std::all_of(nodes->begin(), nodes->end(), [&](int node) { return has_node(domains, node); });
}

const flag_rule emulate_rule(
    "emulate_numa", [] { return FLAGS_emulate_numa >= 0 && FLAGS_emulate_numa <= 1024; }, "from 0 to 1024");
const flag_rule nodes_rule(
    "numa_nodes", numa_nodes_are_usable,
    "NUMA nodes with CPUs that this process may use, such as 0,2 or 0-3 (lscpu lists them)");

// Written under emulation only.
std::mutex emulation;
std::vector<placement> placements;

}  // namespace

std::vector<numa_domain> usable_domains() {
  std::vector<numa_domain> domains = all_domains();
  if (const auto nodes = parse_nodes(FLAGS_numa_nodes)) {
    std::erase_if(domains, [&](const numa_domain& d) {
      return std::find(nodes->begin(), nodes->end(), d.node) == nodes->end();
    });
  }
  return domains;
}

std::vector<core_place> place_cores(std::span<const numa_domain> domains, std::span<const int> cpus,
                                    int cores) {
  std::vector<core_place> places(static_cast<std::size_t>(cores));
  const auto domain_of = [&](std::size_t core) {
    if (cpus.empty()) return core * domains.size() / places.size();
    std::size_t d = 0;
    while (d + 1 < domains.size() &&
           !std::binary_search(domains[d].cpus.begin(), domains[d].cpus.end(), cpus[core]))
      ++d;
    return d;
  };
  int count = 0;
  for (std::size_t first = 0; first < places.size(); ++count) {
    std::size_t last = first + 1;
    while (last < places.size() && domain_of(last) == domain_of(first)) ++last;
    for (std::size_t k = first; k < last; ++k)
      places[k] = {domains[domain_of(first)].node, 0, static_cast<int>(first), static_cast<int>(last)};
    first = last;
  }
  for (core_place& p : places) p.domains = count;
  return places;
}

const core_place& my_place() { return base::made_part<core_place>(); }
void set_my_place(const core_place& p) { base::made_part<core_place>() = p; }

namespace {

// The kernel takes another node's memory if this node has none left. libnuma's functions would bind, and end
// the job while other nodes have memory to spare.
void prefer_node(void* memory, std::size_t bytes, int node) {
  constexpr std::size_t most_nodes = 1024, bits = 8 * sizeof(unsigned long);
  std::array<unsigned long, most_nodes / bits> mask{};
  const auto bit = static_cast<std::size_t>(node);
  if (bit >= most_nodes) return;
  mask[bit / bits] = 1ul << bit % bits;
  static_cast<void>(mbind(memory, bytes, MPOL_PREFERRED, mask.data(), most_nodes + 1, 0));
}

}  // namespace

std::vector<int> nodes_of_pages(std::span<void* const> pages) {
  std::vector<void*> asked(pages.begin(), pages.end());
  std::vector<int> nodes(pages.size(), -1);
  if (move_pages(0, asked.size(), asked.data(), nullptr, nodes.data(), 0) != 0)
    nodes.assign(pages.size(), -1);
  return nodes;
}

void place_here(void* memory, std::size_t bytes) {
  const core_place& place = my_place();
  if (place.domains == 1) return;
  constexpr std::uintptr_t page = 4096;
  const auto first = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto last = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  if (first >= last) return;
  if (FLAGS_emulate_numa > 0) {
    const std::lock_guard lock(emulation);
    placements.push_back({reinterpret_cast<const std::byte*>(first), last - first, place.node});
  } else {
    prefer_node(reinterpret_cast<void*>(first), last - first, place.node);
  }
}

std::vector<placement> emulated_placements() {
  const std::lock_guard lock(emulation);
  return placements;
}

}  // namespace orujo::internal::machine
