#include "framework/algorithms/truss_numbers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "framework/algorithms/edge_peeling.hpp"
#include "framework/verify/truss_oracle.hpp"
#include "system/collectives/collectives.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/plain_edges.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;
using counted_triangles = std::vector<verify::plain_edge<std::uint32_t>>;

// Destroys the edges.
counted_triangles ascending_values(graph::edge_array<std::uint32_t> found) {
  counted_triangles edges = test_graphs::take_edges(found);
  std::sort(edges.begin(), edges.end());
  return edges;
}

// Destroys the edges, and returns the figures of the run.
edge_triangles expect_values(const edge_triangles& found, const counted_triangles& expected,
                             const counted_triangles& supports) {
  EXPECT_EQ(ascending_values(found.edges), expected);
  std::uint64_t triangles = 0;
  for (const auto& e : supports) triangles += e.value;
  EXPECT_EQ(found.triangles, triangles / 3);
  std::map<std::uint32_t, std::uint64_t> edges_of;
  for (const auto& e : expected) ++edges_of[e.value];
  EXPECT_EQ(found.largest, edges_of.empty() ? 0 : edges_of.rbegin()->first);
  EXPECT_EQ(found.of_largest, edges_of.empty() ? 0 : edges_of.rbegin()->second);
  return found;
}

void expect_trusses(graph::distributed_graph handle, const verify::simple_graph& simple) {
  const counted_triangles supports = verify::edge_supports(simple);
  expect_values(edge_support(handle), supports, supports);
  const counted_triangles trusses = verify::truss_numbers(simple);
  const edge_triangles run = expect_values(truss_numbers(handle), trusses, supports);
  std::map<std::uint32_t, int> kinds;
  for (const auto& e : trusses) kinds[e.value] = 1;
  EXPECT_GE(run.levels, static_cast<int>(kinds.size()));
  EXPECT_GE(run.rounds, run.levels);
}

void expect_trusses(const test_graph& whole, graph::build_options options = {}) {
  SCOPED_TRACE(whole.name);
  options.symmetrize = true;
  options.keep = truss_forms;
  const graph::distributed_graph handle = test_graphs::build(whole, options);
  expect_trusses(handle, verify::simple_graph(whole.list.edges,
                                              {.vertex_count = whole.vertex_count, .symmetrize = true}));
  handle.destroy();
}

// Edges that are drawn at random, most of them among the first vertices.
test_graph random_triangles(std::uint64_t seed, std::uint64_t vertices, std::uint64_t edges) {
  random_stream random(seed);
  test_graph whole{"random, seed " + std::to_string(seed), {}, vertices};
  for (std::uint64_t k = 0; k < edges; ++k) {
    const std::uint64_t among = random.below(vertices) + 1;
    whole.list.edges.push_back({random.below(among), random.below(among)});
  }
  return whole;
}

TEST(truss_numbers, are_those_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) expect_trusses(whole);
}

TEST(truss_numbers, are_those_of_the_oracle_where_vertices_are_scattered) {
  for (const test_graph& whole : test_graphs::in_turn()) expect_trusses(whole, {.partition = {.hash = true}});
}

TEST(truss_numbers, are_those_of_the_oracle_on_random_graphs) {
  for (std::uint64_t seed = 1; seed <= (sanitized ? 4 : 12); ++seed) {
    const test_graph whole = random_triangles(seed, 30 * seed, 150 * seed * (1 + seed % 3));
    expect_trusses(whole);
    expect_trusses(whole, {.partition = {.hash = true}});
  }
}

// Cliques of 3, 4, .. vertices, of which each shares a vertex with the next: the edges of one of k vertices
// are a k-truss. All its edges are removed in one round, so each of its triangles has three.
TEST(truss_numbers, of_cliques_are_their_sizes) {
  test_graph chain{"cliques", {}, {}};
  std::uint64_t first = 0;
  for (std::uint64_t size = 3; size < 20; ++size, first += size - 2) {
    for (std::uint64_t u = first; u < first + size; ++u) {
      for (std::uint64_t v = u + 1; v < first + size; ++v) chain.list.edges.push_back({u, v});
    }
  }
  expect_trusses(chain);
  expect_trusses(chain, {.partition = {.hash = true}});
}

//   two hubs with an edge, and blades: triangles of a blade and both hubs, and some between blades
//
// The hubs' rows are long, those of blades short, so that members are searched instead of marked.
TEST(truss_numbers, are_found_along_long_rows) {
  test_graph fans{"fans", {{{0, 1}}, {}}, {}};
  constexpr std::uint64_t blades = sanitized ? 600 : 3000;
  for (std::uint64_t v = 2; v < 2 + blades; ++v) {
    fans.list.edges.push_back({0, v});
    if (v % 3 != 0) fans.list.edges.push_back({v, 1});
    if (v % 5 != 0) fans.list.edges.push_back({v, v + 1});
    if (v % 35 == 1) fans.list.edges.push_back({v, v + 2});
  }
  expect_trusses(fans);
  expect_trusses(fans, {.partition = {.hash = true}});
}

//   0 == 1 == 2 == 0     parallel edges and loops add no triangles
TEST(truss_numbers, do_not_count_loops_and_parallel_edges) {
  expect_trusses(test_graph{
      "parallel edges", {{{0, 1}, {1, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 1}, {2, 0}, {2, 2}, {2, 3}}, {}}, {}});
}

TEST(truss_numbers, of_graphs_without_edges_are_none) {
  for (const std::uint64_t vertices : {0, 1, 70}) expect_trusses(test_graph{"no edges", {}, vertices});
}

// As there are where more than 2^32 vertices exchange names of 8 bytes.
TEST(truss_numbers, need_no_more_than_names_of_8_bytes) {
  const test_graph whole = random_triangles(3, 100, 900);
  const graph::distributed_graph handle =
      test_graphs::build(whole, {.symmetrize = true, .keep = truss_forms});
  const auto sums = loops::on_all_cores([=] {
    std::uint64_t sums[2];
    for (const bool wide : {false, true}) {
      detail::edge_peeling edges(handle.here(), wide);
      edges.count();
      edges.peel();
      std::uint64_t sum = 0;
      for (const auto& e : edges.values()) sum += (e.source * 1000 + e.target) * 100 + e.value;
      sums[wide ? 1 : 0] = collectives::all_reduce(sum);
    }
    return std::array{sums[0], sums[1]};
  });
  EXPECT_GT(sums[0], 0u);
  EXPECT_EQ(sums[0], sums[1]);
  handle.destroy();
}

TEST(truss_numbers, are_the_oracles_whatever_else_the_graph_keeps) {
  test_graphs::expect_in_all_forms(
      {.out_rows = true}, true, "truss_numbers",
      [](const test_graphs::kept_graph& kept) { expect_trusses(kept.handle, *kept.simple); },
      [](const test_graphs::kept_graph& kept) { truss_numbers(kept.handle).edges.destroy(); });
}

}  // namespace
}  // namespace orujo::internal::algorithms
