// Where the parts of a graph, and the state of algorithms, are put on several NUMA domains. CTest runs it
// with
// --emulate_numa, and on two nodes of a guest (numa_nodes_test.py).
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "framework/algorithms/breadth_first_search.hpp"
#include "framework/algorithms/connected_components.hpp"
#include "framework/algorithms/shortest_paths.hpp"
#include "framework/graph/property.hpp"
#include "system/delegates/delegate.hpp"
#include "system/machine/topology.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::internal::graph {
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

// Checks the domains of the cores of this locale.
class checker {
 public:
  // `values` are those of core k.
  template <class T>
  void check(std::size_t k, std::span<T> values, const char* what) {
    const byte_bounds pages = whole_pages(values.data(), values.size_bytes());
    if (pages.first == pages.last) return;
    ++checked_;
    EXPECT_TRUE(placements_.empty() ? kernel_has_on(pages, nodes_[k]) : are_on(placements_, pages, nodes_[k]))
        << what << " of core " << k << ", for node " << nodes_[k];
  }
  std::size_t cores() const { return nodes_.size(); }
  std::size_t checked() const { return checked_; }

 private:
  static std::vector<int> find_nodes() {
    std::vector<int> nodes;
    for (core_id c = 0; c < my_locales_cores(); ++c)
      nodes.push_back(delegates::call(c, [] { return machine::my_place().node; }));
    return nodes;
  }

  const std::vector<int> nodes_ = find_nodes();
  const std::vector<machine::placement> placements_ = machine::emulated_placements();
  std::size_t checked_ = 0;
};

TEST(numa_placement, puts_what_a_core_works_on_into_its_domain) {
  if (machine::my_place().domains == 1) GTEST_SKIP() << "one domain";
  build_options options;
  options.keep.out_rows = true;
  const distributed_graph handle = test_graphs::build(test_graphs::all().size() - 1, options);
  const locale_graph& g = handle.here();
  checker places;
  for (std::size_t k = 0; k < places.cores(); ++k) {
    const core_part& part = g.parts[k];
    for (const edge_segment& segment : g.segments) {
      const edge_slice& slice = g.slices[segment.first_slice + k];
      places.check(k, g.edge_vectors.part(slice.first, slice.last), "edges");
    }
    places.check(k, g.out_degree.part(part.first, part.last), "degrees");
    places.check(k,
                 g.out_rows->neighbours.part(g.out_rows->offsets[part.first], g.out_rows->offsets[part.last]),
                 "rows");
  }
  EXPECT_GE(places.checked(), 2 * places.cores());
  handle.destroy();
}

// The cores' parts of the algorithms, which have run on all cores of the job.
struct algorithm_parts {
  algorithm_parts(locale_graph& g, std::span<std::uint32_t> labels)
      : search(g), paths(g, 0, algorithms::path_precision::single), components(g, labels) {
    search.run(0);
    paths.run(0);
    components.run();
  }
  algorithms::breadth_first_search search;
  algorithms::shortest_paths paths;
  algorithms::connected_components<std::uint32_t> components;
};

TEST(numa_placement, puts_the_state_of_a_cores_vertices_into_its_domain) {
  if (machine::my_place().domains == 1) GTEST_SKIP() << "one domain";
  constexpr std::uint64_t vertices = 100'000;
  build_options options;
  options.symmetrize = true;
  options.keep.in_rows = options.keep.out_rows = true;
  const distributed_graph handle = test_graphs::build(
      {"large", test_graphs::random_edges(6, vertices, 2 * vertices, false), vertices}, options);
  const auto labels = property<std::uint32_t>::create(handle);
  const auto all = containers::symmetric<std::shared_ptr<algorithm_parts>>::create_by(
      [=] { return std::make_shared<algorithm_parts>(handle.here(), labels.here()); });
  const algorithm_parts& here = *all.here();
  checker places;
  for (std::size_t k = 0; k < places.cores(); ++k) {
    const core_part& part = handle.here().parts[k];
    places.check(k, part.of(here.search.parents()), "parents");
    places.check(k, part.of(here.paths.singles()), "distances");
    places.check(k, part.of(labels.here()), "labels");
    const std::uint32_t first = here.components.places().own_place(part.first);
    places.check(k, here.components.parents().subspan(first, part.last - part.first), "trees");
  }
  EXPECT_EQ(places.checked(), 4 * places.cores());
  all.destroy();
  labels.destroy();
  handle.destroy();
}

}  // namespace
}  // namespace orujo::internal::graph
