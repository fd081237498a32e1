#include <gtest/gtest.h>

#include "tests/framework/collected_graph.hpp"

namespace orujo::graph {
namespace {

using test_graphs::plain_edge;

void expect_right_graph(std::size_t index, const build_options& options) {
  const test_graphs::test_graph whole = test_graphs::all()[index];
  SCOPED_TRACE(whole.name);
  const distributed_graph handle = test_graphs::build(index, options);
  const test_graphs::collected got = test_graphs::collect(handle);
  const test_graphs::expected_graph expected(whole, options);
  EXPECT_EQ(got.invalid, 0u);
  EXPECT_EQ(handle.here().vertices, expected.ids.size());
  EXPECT_EQ(handle.here().edges, expected.edges.size());
  EXPECT_TRUE(got.edges == expected.edges);
  ASSERT_EQ(got.external_id.size(), expected.ids.size());
  std::map<std::uint64_t, std::uint64_t> out_degree, in_degree;
  for (const plain_edge& e : expected.edges) ++out_degree[e.source], ++in_degree[e.target];
  for (std::uint64_t v = 0; v < expected.ids.size(); ++v) {
    EXPECT_EQ(got.external_id.at(v), expected.ids[v]);
    EXPECT_EQ(got.out_degree.at(v), out_degree[v]) << "of vertex " << v;
    EXPECT_EQ(got.in_degree.at(v), in_degree[v]) << "of vertex " << v;
  }
  handle.destroy();
}

TEST(build, keeps_every_edge_of_every_graph) {
  for (std::size_t g = 0; g < test_graphs::all().size(); ++g) expect_right_graph(g, {});
}

TEST(build, removes_self_loops_and_duplicates_and_symmetrizes) {
  for (std::size_t g = 0; g < test_graphs::all().size(); ++g) {
    expect_right_graph(g, {.remove_self_loops = true, .symmetrize = false, .remove_duplicates = false});
    expect_right_graph(g, {.remove_self_loops = false, .symmetrize = true, .remove_duplicates = false});
    expect_right_graph(g, {.remove_self_loops = true, .symmetrize = false, .remove_duplicates = true});
  }
}

TEST(build, keeps_every_edge_in_any_encoding) {
  for (std::size_t g = 0; g < test_graphs::all().size(); ++g) {
    build_options options;
    for (const std::size_t segments : {1, 2, 7}) {
      options.segments = segments;
      options.bundle_depth = segments == 7 ? 0 : 5;
      expect_right_graph(g, options);
    }
  }
}

TEST(build, keeps_every_edge_where_vertices_are_scattered) {
  for (std::size_t g = 0; g < test_graphs::all().size(); ++g) {
    expect_right_graph(g, {.partition = {.hash = true}});
    expect_right_graph(g, {.symmetrize = true, .partition = {.hash = true, .alpha = 0}});
  }
}

void expect_rows(bool arcs, const partition_options& cut = {}) {
  for (std::size_t g = 0; g < test_graphs::all().size(); ++g) {
    for (const bool symmetrize : {false, true}) {
      SCOPED_TRACE(test_graphs::all()[g].name);
      build_options options;
      options.symmetrize = symmetrize;
      options.partition = cut;
      options.keep = {.in_vectors = false, .in_rows = true, .out_rows = true, .arcs = arcs};
      const distributed_graph handle = test_graphs::build(g, options);
      EXPECT_TRUE(handle.here().in_edges().edges.empty());
      EXPECT_EQ(handle.here().out_rows->arcs.size() > 0, arcs && handle.here().weighted);
      EXPECT_EQ(handle.here().in_rows == handle.here().out_rows, symmetrize);
      const test_graphs::collected_rows got = test_graphs::collect_rows(handle);
      const test_graphs::expected_graph expected(test_graphs::all()[g], options);
      EXPECT_TRUE(got.in == expected.edges);
      EXPECT_TRUE(got.out == expected.edges);
      handle.destroy();
    }
  }
}

TEST(build, keeps_edges_by_vertex_in_both_directions) {
  expect_rows(false);
  expect_rows(false, {.hash = true});
}

TEST(build, keeps_weights_beside_the_neighbours_if_asked) { expect_rows(true); }

TEST(build, shares_the_work_among_the_cores) {
  const distributed_graph handle = test_graphs::build(test_graphs::all().size() - 1, {});
  const partition& owners = handle.here().owners;
  for (core_id c = 0; c < cores(); ++c) {
    const std::uint64_t vertices = owners.last_of(c) - owners.first_of(c);
    EXPECT_GT(vertices, 0u) << "core " << c << " has no vertices";
    EXPECT_LT(vertices, owners.vertices() * 2 / static_cast<std::uint64_t>(cores()) + 2);
  }
  handle.destroy();
}

}  // namespace
}  // namespace orujo::graph
