#include "framework/algorithms/condensation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "framework/algorithms/strongly_connected_components.hpp"
#include "framework/gas/load.hpp"
#include "framework/verify/strong_components_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/plain_edges.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;
using counted_edges = std::vector<verify::plain_edge<std::uint64_t>>;

// The edges at core 0, ascending.
counted_edges condensed(graph::distributed_graph handle, graph::property<std::uint64_t> labels) {
  counted_edges edges = test_graphs::take_edges(condensation(handle, labels));
  std::sort(edges.begin(), edges.end());
  return edges;
}

TEST(condensation, of_strong_components_is_the_oracles) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    SCOPED_TRACE(whole.name);
    const counted_edges expected =
        verify::condensation(verify::simple_graph(whole.list.edges, {.vertex_count = whole.vertex_count}));
    for (const bool hash : {false, true}) {
      const graph::distributed_graph handle =
          test_graphs::build(whole, {.partition = {.hash = hash}, .keep = gas::forms_for_maps});
      const auto labels = graph::property<std::uint64_t>::create(handle);
      strongly_connected_components(handle, labels);
      EXPECT_EQ(condensed(handle, labels), expected);
      labels.destroy();
      handle.destroy();
    }
  }
}

// Any labels make groups: here positions without their lowest bits.
TEST(condensation, counts_the_edges_between_groups) {
  random_stream random(5);
  test_graph whole{"random", {}, 64};
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> counts;
  for (int k = 0; k < 3000; ++k) {
    const std::uint64_t source = random.below(64), target = random.below(64);
    whole.list.edges.push_back({source, target});
    if (source / 8 != target / 8) ++counts[{source / 8 * 8, target / 8 * 8}];
  }
  const graph::distributed_graph handle = test_graphs::build(whole, {.keep = gas::forms_for_maps});
  const auto labels = graph::property<std::uint64_t>::create(handle);
  loops::on_all_cores([=] {
    const graph::locale_graph& g = handle.here();
    for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v)
      labels.here()[v] = g.position_of(v) / 8 * 8;
  });
  counted_edges expected;
  for (const auto& [ends, count] : counts) expected.push_back({ends.first, ends.second, count});
  EXPECT_EQ(condensed(handle, labels), expected);
  labels.destroy();
  handle.destroy();
}

}  // namespace
}  // namespace orujo::internal::algorithms
