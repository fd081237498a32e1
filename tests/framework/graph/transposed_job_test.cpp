#include "framework/graph/transposed.hpp"

#include <gtest/gtest.h>

#include "system/delegates/call_on_all.hpp"
#include "tests/framework/collected_graph.hpp"

namespace orujo::internal::graph {
namespace {

constexpr edge_forms rows_both_ways{.in_vectors = false, .in_rows = true, .out_rows = true};

// Counts differences among the calling core's vertices.
std::uint64_t count_differences(const locale_graph& g, const locale_graph& reversed) {
  std::uint64_t different = 0;
  for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
    different += reversed.out_degree[v] != g.in_degree(v) || reversed.in_degree(v) != g.out_degree[v] ||
                         reversed.external_id(v) != g.external_id(v) ||
                         reversed.number_of(v) != g.number_of(v)
                     ? 1
                     : 0;
  }
  return different;
}

TEST(transposed, has_every_edge_reversed_and_its_degrees) {
  for (const std::size_t g : test_graphs::places_in_turn()) {
    for (const bool symmetrize : {false, true}) {
      const distributed_graph given =
          test_graphs::build(g, {.symmetrize = symmetrize, .keep = rows_both_ways});
      const distributed_graph reversed = transposed(given);
      const test_graphs::collected_rows rows = test_graphs::collect_rows(reversed);
      test_graphs::expected_graph expected(test_graphs::all()[g], {.symmetrize = symmetrize});
      for (auto& e : expected.edges) std::swap(e.source, e.target);
      std::sort(expected.edges.begin(), expected.edges.end());
      EXPECT_TRUE(rows.in == expected.edges) << test_graphs::all()[g].name;
      EXPECT_TRUE(rows.out == expected.edges) << test_graphs::all()[g].name;
      EXPECT_EQ(delegates::sum_of_all([=] { return count_differences(given.here(), reversed.here()); }), 0u)
          << test_graphs::all()[g].name;
      reversed.destroy();
      given.destroy();
    }
  }
}

}  // namespace
}  // namespace orujo::internal::graph
