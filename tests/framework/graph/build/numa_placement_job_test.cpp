// Where the parts of a graph are put on several NUMA domains; CTest runs it with --emulate_numa, too.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "system/delegates/delegate.hpp"
#include "system/machine/topology.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::graph {
namespace {

struct byte_bounds {
  const std::byte *first, *last;
};
byte_bounds whole_pages(const void* memory, std::size_t bytes) {
  const auto first = (reinterpret_cast<std::uintptr_t>(memory) + 4095) / 4096 * 4096;
  const auto last = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / 4096 * 4096;
  return {reinterpret_cast<const std::byte*>(first),
          reinterpret_cast<const std::byte*>(std::max(first, last))};
}

// Returns whether the kernel has most of these pages, of which some are checked, on this node. Placement is a
// hint.
bool kernel_has_on(const byte_bounds& pages, int node) {
  constexpr std::size_t page = 4096, most_asked = 256;
  const std::size_t count = static_cast<std::size_t>(pages.last - pages.first) / page;
  const std::size_t step = (count + most_asked - 1) / most_asked;
  std::vector<void*> asked;
  for (std::size_t k = 0; k < count; k += step)
    asked.push_back(const_cast<std::byte*>(pages.first) + k * page);
  const std::vector<int> nodes = machine::nodes_of_pages(asked);
  const auto there = static_cast<std::size_t>(std::count(nodes.begin(), nodes.end(), node));
  return 10 * there >= 9 * asked.size();
}

// Under emulation: whether these pages were put on this node last.
bool are_on(const std::vector<machine::placement>& placements, const byte_bounds& pages, int node) {
  int found = -1;
  for (const machine::placement& p : placements) {
    if (p.first <= pages.first && pages.last <= p.first + p.bytes) found = p.node;
  }
  return found == node;
}

TEST(numa_placement, puts_what_a_core_works_on_into_its_domain) {
  build_options options;
  options.keep.out_rows = true;
  const distributed_graph handle = test_graphs::build(test_graphs::all().size() - 1, options);
  const locale_graph& g = handle.here();
  const auto placements = machine::emulated_placements();
  const bool emulated = !placements.empty();
  if (machine::my_place().domains == 1) {
    EXPECT_TRUE(placements.empty());
    handle.destroy();
    return;
  }
  const auto parts = static_cast<std::size_t>(my_locales_cores());
  std::size_t checked = 0;
  const auto check = [&](const auto& values, int node) {
    const byte_bounds pages = whole_pages(values.data(), values.size_bytes());
    if (pages.first == pages.last) return;
    ++checked;
    EXPECT_TRUE(emulated ? are_on(placements, pages, node) : kernel_has_on(pages, node));
  };
  for (std::size_t k = 0; k < parts; ++k) {
    const int node = delegates::call(static_cast<core_id>(k), [] { return machine::my_place().node; });
    const core_part& part = g.parts[k];
    for (const edge_segment& segment : g.segments) {
      const edge_slice& slice = g.slices[segment.first_slice + k];
      check(g.edge_vectors.part(slice.first, slice.last), node);
    }
    check(part.of(std::span(g.out_degree.data(), g.out_degree.size())), node);
    check(g.out_rows->neighbours.part(g.out_rows->offsets[part.first], g.out_rows->offsets[part.last]), node);
  }
  EXPECT_GE(checked, 2 * parts);
  handle.destroy();
}

}  // namespace
}  // namespace orujo::graph
