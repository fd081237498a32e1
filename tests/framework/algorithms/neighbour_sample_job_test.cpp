#include "framework/algorithms/neighbour_sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "framework/verify/neighbour_sample_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;
using layered_edges = std::vector<verify::plain_edge<std::uint32_t>>;

// Every fifth vertex, from the last one on.
std::vector<std::uint64_t> some_seeds(std::size_t vertices) {
  std::vector<std::uint64_t> seeds;
  for (std::size_t v = vertices; v > 0; v = v < 5 ? 0 : v - 5) seeds.push_back(v - 1);
  return seeds;
}

// The edges from end to end, sorted. Checks the counts, and the numbers of vertices and edges.
layered_edges edges_of(const neighbour_sample& found, const verify::simple_graph& simple, bool in_edges,
                       std::size_t layers) {
  // (vertex drawn at, neighbour), by the number of the edge
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (std::size_t v = 0; v < simple.vertex_count(); ++v)
    for (const std::size_t u : simple.out_neighbors(v))
      all.push_back(in_edges ? std::pair(u, v) : std::pair(v, u));
  std::ranges::sort(all);
  EXPECT_EQ(std::set(found.vertices.begin(), found.vertices.end()).size(), found.vertices.size());
  EXPECT_EQ(found.edges_of_layer.size(), layers);
  EXPECT_EQ(found.vertices_of_layer.size(), layers + 1);
  EXPECT_EQ(std::accumulate(found.vertices_of_layer.begin(), found.vertices_of_layer.end(), std::uint64_t{0}),
            found.vertices.size());
  layered_edges edges;
  std::uint64_t begin = 0, end = 0, next = 0, at = 0;  // of the layer's vertices; of vertices to add
  for (std::uint32_t layer = 0; layer < layers; ++layer) {
    begin = end;
    end += found.vertices_of_layer[layer];
    next = std::max(next, end);
    for (std::uint64_t k = 0; k < found.edges_of_layer[layer]; ++k) {
      const sampled_edge& e = found.edges[edges.size()];
      at = k == 0 ? begin : at;
      EXPECT_TRUE(e.at >= at && e.at < end);
      at = e.at;
      EXPECT_LE(e.neighbour, next);  // vertices are added in the order of edges
      next = std::max(next, e.neighbour + 1);
      const std::uint64_t v = found.vertices[e.at], u = found.vertices[e.neighbour];
      EXPECT_EQ(all[e.edge], std::pair(v, u));
      edges.push_back(in_edges ? verify::plain_edge<std::uint32_t>{u, v, layer + 1}
                               : verify::plain_edge<std::uint32_t>{v, u, layer + 1});
    }
  }
  EXPECT_EQ(edges.size(), found.edges.size());
  std::ranges::sort(edges);
  return edges;
}

graph::distributed_graph built(const test_graph& whole, bool hash) {
  return test_graphs::build(
      whole, {.partition = {.hash = hash}, .keep = {.in_vectors = false, .in_rows = true, .out_rows = true}});
}

void expect_sample(graph::distributed_graph handle, const verify::simple_graph& simple,
                   const std::vector<std::int64_t>& fan_outs, bool replace, bool in_edges) {
  const std::vector<std::uint64_t> seeds = some_seeds(simple.vertex_count());
  const auto found = sample_neighbours(handle, seeds, {fan_outs, replace, in_edges, 5});
  ASSERT_TRUE(std::ranges::equal(seeds, std::span(found.vertices).first(seeds.size())));
  EXPECT_TRUE(
      edges_of(found, simple, in_edges, fan_outs.size()) ==
      verify::sample_neighbours(simple, {{seeds.begin(), seeds.end()}, fan_outs, replace, in_edges, 5}));
}

// Times, and parallel edges of several.
TEST(neighbour_sample, is_that_of_the_oracle_by_time) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    SCOPED_TRACE(whole.name);
    for (const bool hash : {false, true}) {
      const graph::distributed_graph handle = built(whole, hash);
      const verify::simple_graph simple(whole.list.edges, {.vertex_count = whole.vertex_count},
                                        whole.list.weights);
      const std::vector<std::uint64_t> seeds = some_seeds(simple.vertex_count());
      std::vector<float> times = whole.list.weights;
      std::ranges::sort(times);
      const float until = times.empty() ? 1 : times[times.size() / 2];
      for (const bool in_edges : {false, true}) {
        for (const bool latest : {false, true}) {
          const std::vector<std::int64_t> fan_outs{3, 2, -1};
          const auto found =
              sample_neighbours(handle, seeds, {fan_outs, false, in_edges, 5, true, until, latest});
          EXPECT_TRUE(edges_of(found, simple, in_edges, fan_outs.size()) ==
                      verify::sample_neighbours(simple, {{seeds.begin(), seeds.end()},
                                                         fan_outs,
                                                         false,
                                                         in_edges,
                                                         5,
                                                         true,
                                                         static_cast<double>(until),
                                                         latest}));
        }
      }
      handle.destroy();
    }
  }
}

TEST(neighbour_sample, is_that_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    SCOPED_TRACE(whole.name);
    for (const bool hash : {false, true}) {
      const graph::distributed_graph handle = built(whole, hash);
      const verify::simple_graph simple(whole.list.edges, {.vertex_count = whole.vertex_count});
      for (const bool in_edges : {false, true}) {
        expect_sample(handle, simple, {2, 3, 1}, false, in_edges);
        expect_sample(handle, simple, {3, 2}, true, in_edges);
        expect_sample(handle, simple, {-1, 0, 4}, false, in_edges);
      }
      expect_sample(handle, simple, {}, false, true);
      handle.destroy();
    }
  }
}

//   0 -> 1 .. 6, and 1 twice: each of the 21 pairs of edges is as likely as others, and with replacement each
//   of the 49 ordered ones.
TEST(neighbour_sample, draws_every_edge_as_often_as_others) {
  const test_graph whole{"star", {{{0, 1}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}}, {}}, 7};
  const graph::distributed_graph handle =
      test_graphs::build(whole, {.keep = {.in_vectors = false, .out_rows = true}});
  const std::vector<std::uint64_t> seeds{0};
  const std::vector<std::int64_t> two{2};
  for (const bool replace : {false, true}) {
    std::map<std::pair<std::uint64_t, std::uint64_t>, int> seen;
    constexpr int samples = sanitized ? 600 : 1500;
    for (std::uint64_t seed = 0; seed < samples; ++seed) {
      const auto found = sample_neighbours(handle, seeds, {two, replace, false, seed});
      ++seen[{found.edges[0].edge, found.edges[1].edge}];
    }
    const std::size_t pairs = replace ? 49 : 21;
    ASSERT_EQ(seen.size(), pairs);
    const double expected = samples / static_cast<double>(pairs);
    double chi_square = 0;
    for (const auto& [pair, count] : seen) chi_square += (count - expected) * (count - expected) / expected;
    const auto freedom = static_cast<double>(pairs - 1);
    EXPECT_LT(chi_square, freedom + 4 * std::sqrt(2 * freedom));
  }
  handle.destroy();
}

TEST(neighbour_sample, is_that_of_the_oracle_whatever_else_the_graph_keeps) {
  const std::vector<std::uint64_t> none;
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_in_all_forms(
        {.in_rows = true}, symmetrized, "sample_neighbours",
        [](const test_graphs::kept_graph& kept) {
          expect_sample(kept.handle, *kept.simple, {3, 2}, false, true);
        },
        [&](const test_graphs::kept_graph& kept) { sample_neighbours(kept.handle, none, {}); });
  }
}

TEST(neighbour_sample, refuses_seeds_that_are_no_vertices_or_there_twice) {
  const graph::distributed_graph handle =
      test_graphs::build({"pair", {{{0, 1}}, {}}, 2}, {.keep = {.in_vectors = false, .in_rows = true}});
  for (const std::vector<std::uint64_t>& wrong : {std::vector<std::uint64_t>{2}, {0, 0}, {0, 1, 0}}) {
    const base::failures_are_thrown instead_of_ending;
    EXPECT_THROW(sample_neighbours(handle, wrong, {}), job_error);
  }
  handle.destroy();
}

}  // namespace
}  // namespace orujo::internal::algorithms
