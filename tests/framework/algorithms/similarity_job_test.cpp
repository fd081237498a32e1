#include "framework/algorithms/similarity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "framework/algorithms/pair_sums.hpp"
#include "framework/verify/similarity_oracle.hpp"
#include "system/collectives/collectives.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/plain_edges.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;
using measure = similarity_measure;
using scored_pairs = std::vector<verify::plain_edge<double>>;

const std::pair<measure, std::string> measures[] = {
    {measure::common_neighbours, "common_neighbours"},
    {measure::jaccard, "jaccard"},
    {measure::cosine, "cosine"},
    {measure::overlap, "overlap"},
    {measure::adamic_adar, "adamic_adar"},
    {measure::resource_allocation, "resource_allocation"},
    {measure::preferential_attachment, "preferential_attachment"}};

void expect_near(const scored_pairs& found, const scored_pairs& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    ASSERT_EQ(std::pair(found[k].source, found[k].target), std::pair(expected[k].source, expected[k].target));
    ASSERT_LE(std::abs(found[k].value - expected[k].value), 1e-12 * expected[k].value)
        << found[k].source << " - " << found[k].target << ": " << found[k].value << ", not "
        << expected[k].value;
  }
}

// Half of them lead to the first vertices, which have most edges in some graphs; every fifth has equal ends.
std::vector<graph::vertex_pair> some_pairs(std::uint64_t vertices, std::size_t count, std::uint64_t seed) {
  random_stream random(seed);
  std::vector<graph::vertex_pair> pairs;
  while (pairs.size() < count) {
    const std::uint64_t source = random.below(vertices);
    const std::uint64_t among = pairs.size() % 2 == 0 ? vertices : std::min<std::uint64_t>(vertices, 5);
    pairs.push_back({source, pairs.size() % 5 == 4 ? source : random.below(among)});
    if (pairs.size() % 7 == 0) pairs.push_back(pairs.back());
  }
  return pairs;
}

void expect_pairs(graph::distributed_graph handle, const verify::simple_graph& simple, measure m,
                  const std::string& name, std::size_t count) {
  const std::vector<graph::vertex_pair> pairs = simple.vertex_count() == 0
                                                    ? std::vector<graph::vertex_pair>()
                                                    : some_pairs(simple.vertex_count(), count, count);
  const auto all = containers::global_array<graph::vertex_pair>::create(pairs.size());
  all.put(0, std::span<const graph::vertex_pair>(pairs));
  scored_pairs found = test_graphs::take_edges(similarities_of_pairs(handle, all, m).pairs);
  all.destroy();
  std::vector<std::pair<std::size_t, std::size_t>> plain;
  ASSERT_EQ(found.size(), pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    ASSERT_EQ((graph::vertex_pair{found[k].source, found[k].target}), pairs[k]);  // in the given order
    plain.emplace_back(pairs[k].source, pairs[k].target);
  }
  std::sort(found.begin(), found.end());
  expect_near(found, verify::similarities(simple, name, plain));
}

// By each measure, or by one of each kind of weights.
enum class measured { all, some };

void expect_similarities(graph::distributed_graph handle, const verify::simple_graph& simple, measured by) {
  for (const auto& [m, name] : measures) {
    if (by == measured::some && m != measure::jaccard && m != measure::adamic_adar) continue;
    SCOPED_TRACE(name);
    scored_pairs found = test_graphs::take_edges(similarities_of_edges(handle, m).pairs);
    std::sort(found.begin(), found.end());
    expect_near(found, verify::similarities(simple, name));
    expect_pairs(handle, simple, m, name, 60);
  }
}

void expect_similarities(const test_graph& whole, graph::build_options options = {},
                         measured by = measured::all) {
  SCOPED_TRACE(whole.name);
  options.symmetrize = true;
  options.keep = similarity_forms;
  const graph::distributed_graph handle = test_graphs::build(whole, options);
  expect_similarities(
      handle,
      verify::simple_graph(whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = true}), by);
  handle.destroy();
}

// Edges that are drawn at random, most of them among the first vertices.
test_graph crowded_graph(std::uint64_t seed, std::uint64_t vertices, std::uint64_t edges) {
  random_stream random(seed);
  test_graph whole{"crowded, seed " + std::to_string(seed), {}, vertices};
  for (std::uint64_t k = 0; k < edges; ++k) {
    const std::uint64_t among = random.below(vertices) + 1;
    whole.list.edges.push_back({random.below(among), random.below(among)});
  }
  return whole;
}

TEST(similarity, has_measures_by_name) {
  for (const auto& [m, name] : measures) EXPECT_EQ(measure_of(name), m);
  EXPECT_EQ(measure_of("Jaccard"), std::nullopt);
}

TEST(similarity, is_that_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) expect_similarities(whole);
}

TEST(similarity, is_that_of_the_oracle_where_vertices_are_scattered) {
  for (const test_graph& whole : test_graphs::in_turn())
    expect_similarities(whole, {.partition = {.hash = true}}, measured::some);
}

TEST(similarity, is_that_of_the_oracle_on_random_graphs) {
  for (std::uint64_t seed = 1; seed <= (sanitized ? 3 : 8); ++seed) {
    const test_graph whole = crowded_graph(seed, 30 * seed, 150 * seed * (1 + seed % 3));
    expect_similarities(whole);
    expect_similarities(whole, {.partition = {.hash = true}});
  }
}

//   0 - 1, 0 - 2, 1 - 2, 2 - 3, some of them twice, and loops at 1 and 3
//
// 0 and 1 have 2 in common, which has 3 neighbours; 0 and 3 as well.
TEST(similarity, does_not_count_loops_and_parallel_edges) {
  const test_graph whole{
      "parallel edges", {{{0, 1}, {1, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 0}, {0, 2}, {2, 3}, {3, 3}}, {}}, {}};
  expect_similarities(whole);
  const graph::distributed_graph handle =
      test_graphs::build(whole, {.symmetrize = true, .keep = similarity_forms});
  const std::vector<graph::vertex_pair> pairs = {{0, 1}, {3, 0}, {3, 3}, {2, 2}};
  const auto all = containers::global_array<graph::vertex_pair>::create(pairs.size());
  all.put(0, std::span<const graph::vertex_pair>(pairs));
  const auto are = [&](measure m, const std::vector<double>& expected) {
    const scored_pairs found = test_graphs::take_edges(similarities_of_pairs(handle, all, m).pairs);
    for (std::size_t k = 0; k < pairs.size(); ++k) EXPECT_DOUBLE_EQ(found[k].value, expected[k]) << k;
  };
  are(measure::common_neighbours, {1, 1, 1, 3});
  are(measure::jaccard, {1. / 3, 1. / 2, 1, 1});
  are(measure::cosine, {1. / 2, 1 / std::sqrt(2.), 1, 1});
  are(measure::overlap, {1. / 2, 1, 1, 1});
  are(measure::adamic_adar, {1 / std::log(3.), 1 / std::log(3.), 1 / std::log(3.), 2 / std::log(2.)});
  are(measure::resource_allocation, {1. / 3, 1. / 3, 1. / 3, 2});
  are(measure::preferential_attachment, {4, 2, 1, 9});
  all.destroy();
  handle.destroy();
}

TEST(similarity, of_graphs_without_edges_is_that_of_no_neighbours) {
  for (const std::uint64_t vertices : {0, 1, 70}) expect_similarities(test_graph{"no edges", {}, vertices});
}

//   two hubs with common neighbours 2 .., of which the first have few others: rows are far longer than those
//   of most pairs, and more pairs travel than go at a time
TEST(similarity, is_found_along_long_rows_and_in_several_rounds) {
  test_graph fans{"fans", {{{0, 1}}, {}}, {}};
  constexpr std::uint64_t blades = sanitized ? 600 : 4000;
  for (std::uint64_t v = 2; v < 2 + blades; ++v) {
    fans.list.edges.push_back({0, v});
    if (v % 3 != 0) fans.list.edges.push_back({v, 1});
    if (v % 5 != 0) fans.list.edges.push_back({v, v + 1});
  }
  const graph::distributed_graph handle =
      test_graphs::build(fans, {.symmetrize = true, .partition = {.hash = true}, .keep = similarity_forms});
  const verify::simple_graph simple(fans.list.edges, {.symmetrize = true});
  expect_pairs(handle, simple, measure::resource_allocation, "resource_allocation",
               sanitized ? 2000 : 300000);
  handle.destroy();
}

// As there are where more than 2^32 vertices exchange names of 8 bytes.
TEST(similarity, needs_no_more_than_names_of_8_bytes) {
  const test_graph whole = crowded_graph(3, 100, 900);
  const graph::distributed_graph handle =
      test_graphs::build(whole, {.symmetrize = true, .keep = similarity_forms});
  const auto sums = loops::on_all_cores([=] {
    std::array<std::uint64_t, 2> sums = {};
    for (const bool wide : {false, true}) {
      detail::pair_sums pairs(handle.here(), wide, detail::neighbour_weight::one);
      const auto edges = pairs.edges();
      const auto found = pairs.of(edges);
      for (std::size_t k = 0; k < edges.size(); ++k)
        sums[wide ? 1 : 0] += static_cast<std::uint64_t>(found[k].sum) * (edges[k].source + edges[k].target);
    }
    return std::array{collectives::all_reduce(sums[0]), collectives::all_reduce(sums[1])};
  });
  EXPECT_GT(sums[0], 0u);
  EXPECT_EQ(sums[0], sums[1]);
  handle.destroy();
}

TEST(similarity, is_the_oracles_whatever_else_the_graph_keeps) {
  test_graphs::expect_in_all_forms(
      {.out_rows = true}, true, "similarity",
      [](const test_graphs::kept_graph& kept) {
        expect_similarities(kept.handle, *kept.simple, measured::some);
      },
      [](const test_graphs::kept_graph& kept) {
        similarities_of_edges(kept.handle, measure::jaccard).pairs.destroy();
      });
}

}  // namespace
}  // namespace orujo::internal::algorithms
