#include "framework/algorithms/coloring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "framework/verify/coloring_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;

std::vector<std::int32_t> colors_in(graph::distributed_graph handle) {
  const auto property = graph::property<std::int32_t>::create(handle);
  std::vector<std::int32_t> colors;
  {
    coloring finder(handle, property);
    for (int repetition = 0; repetition < 2; ++repetition) {
      const std::vector<std::int32_t> before = std::exchange(colors, {});
      const coloring_report report = finder.run();
      colors = test_graphs::by_position(handle, property);
      EXPECT_TRUE(repetition == 0 || colors == before);
      EXPECT_EQ(report.colors, colors.empty() ? 0 : std::ranges::max(colors) + 1);
    }
  }
  property.destroy();
  return colors;
}
std::vector<std::int32_t> colors_of(const test_graph& whole, const graph::partition_options& cut) {
  const graph::distributed_graph handle = test_graphs::build(
      whole, {.symmetrize = true, .partition = cut, .keep = gas::forms_for<coloring_order>()});
  const std::vector<std::int32_t> colors = colors_in(handle);
  handle.destroy();
  return colors;
}

void expect_greedy_coloring(const verify::simple_graph& simple, const std::vector<std::int32_t>& colors) {
  std::vector<std::uint64_t> hashes;
  for (const std::uint64_t id : simple.ids()) hashes.push_back(coloring_order::hash(id));
  EXPECT_EQ(verify::count_conflicts(simple, colors), 0u);
  EXPECT_TRUE(colors == verify::greedy_coloring(simple, hashes));
}
void expect_greedy_coloring(const test_graph& whole, const graph::partition_options& cut = {}) {
  SCOPED_TRACE(whole.name);
  const verify::simple_graph simple(whole.list.edges,
                                    {.vertex_count = whole.vertex_count, .symmetrize = true});
  expect_greedy_coloring(simple, colors_of(whole, cut));
}

TEST(coloring, is_that_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) expect_greedy_coloring(whole);
}

TEST(coloring, is_the_same_where_vertices_are_scattered) {
  for (const test_graph& whole : test_graphs::in_turn()) expect_greedy_coloring(whole, {.hash = true});
}

// Words of 64 colours are full, but for those of vertices that go later.
TEST(coloring, takes_as_many_colors_as_it_needs) {
  for (const std::uint64_t size : {63u, 64u, 65u, 128u, 150u}) {
    test_graph clique{"clique", {}, {}};
    for (std::uint64_t u = 0; u < size; ++u) {
      for (std::uint64_t v = 0; v < u; ++v) clique.list.edges.push_back({u, v});
    }
    expect_greedy_coloring(clique);
    const std::vector<std::int32_t> colors = colors_of(clique, {});
    EXPECT_EQ(std::ranges::max(colors), static_cast<std::int32_t>(size) - 1);
  }
}

// A ring in the order of the hashes: one vertex after the other is coloured.
TEST(coloring, is_found_however_long_it_takes) {
  std::vector<std::uint64_t> ids(201);
  for (std::uint64_t k = 0; k < ids.size(); ++k) ids[k] = k;
  std::ranges::sort(ids, {}, &coloring_order::hash);
  test_graph ring{"ring", {}, {}};
  for (std::size_t k = 0; k < ids.size(); ++k) ring.list.edges.push_back({ids[k], ids[(k + 1) % ids.size()]});
  expect_greedy_coloring(ring);
}

TEST(coloring, is_that_of_the_oracle_whatever_else_the_graph_keeps) {
  test_graphs::expect_program_in_all_forms<coloring_order>(true, [](const test_graphs::kept_graph& kept) {
    expect_greedy_coloring(*kept.simple, colors_in(kept.handle));
  });
}

}  // namespace
}  // namespace orujo::internal::algorithms
