#include "framework/algorithms/cliques.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "framework/algorithms/clique_rows.hpp"
#include "framework/algorithms/clique_search.hpp"
#include "framework/verify/cliques_oracle.hpp"
#include "system/collectives/collectives.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;

void expect_cliques(graph::distributed_graph handle, const verify::simple_graph& simple, int size) {
  SCOPED_TRACE("size " + std::to_string(size));
  const std::vector<std::uint64_t> expected = verify::cliques(simple, size);
  const std::uint64_t all = std::accumulate(expected.begin(), expected.end(), std::uint64_t{0});
  const auto counts = graph::property<std::uint64_t>::create(handle);
  EXPECT_EQ(count_cliques(handle, size, counts).value().cliques * static_cast<std::uint64_t>(size), all);
  EXPECT_EQ(test_graphs::by_position(handle, counts), expected);
  counts.destroy();
  const clique_report without = count_cliques(handle, size).value();
  EXPECT_EQ(without.cliques * static_cast<std::uint64_t>(size), all);
}

void expect_cliques(const test_graph& whole, graph::build_options options = {}, int largest = 6) {
  SCOPED_TRACE(whole.name);
  options.symmetrize = true;
  options.keep = clique_forms;
  const graph::distributed_graph handle = test_graphs::build(whole, options);
  const verify::simple_graph simple(whole.list.edges,
                                    {.vertex_count = whole.vertex_count, .symmetrize = true});
  for (int size = smallest_clique; size <= largest; ++size) expect_cliques(handle, simple, size);
  handle.destroy();
}

// Edges that are drawn at random, most of them among the first vertices.
test_graph nested_crowds(std::uint64_t seed, std::uint64_t vertices, std::uint64_t edges) {
  random_stream random(seed);
  test_graph whole{"crowds, seed " + std::to_string(seed), {}, vertices};
  for (std::uint64_t k = 0; k < edges; ++k) {
    const std::uint64_t among = random.below(vertices) + 1;
    whole.list.edges.push_back({random.below(among), random.below(among)});
  }
  return whole;
}

test_graph complete_graph(std::uint64_t vertices) {
  test_graph whole{"complete", {}, vertices};
  for (std::uint64_t u = 0; u < vertices; ++u) {
    for (std::uint64_t v = 0; v < u; ++v) whole.list.edges.push_back({u, v});
  }
  return whole;
}

TEST(cliques, are_those_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) expect_cliques(whole, {}, 4);
}

TEST(cliques, are_those_of_the_oracle_where_vertices_are_scattered) {
  for (const test_graph& whole : test_graphs::in_turn())
    expect_cliques(whole, {.partition = {.hash = true}}, 4);
}

TEST(cliques, are_those_of_the_oracle_on_random_graphs) {
  for (std::uint64_t seed = 1; seed <= (sanitized ? 3 : 8); ++seed) {
    const test_graph whole = nested_crowds(seed, 30 * seed, 120 * seed * (1 + seed % 3));
    expect_cliques(whole, {}, 7);
    expect_cliques(whole, {.partition = {.hash = true}}, 7);
  }
}

// The members of rows fill more than a word of bits.
TEST(cliques, of_a_complete_graph_are_choices) {
  const graph::distributed_graph handle =
      test_graphs::build(complete_graph(150), {.symmetrize = true, .keep = clique_forms});
  EXPECT_EQ(count_cliques(handle, 3).value().cliques, 551'300u);
  EXPECT_EQ(count_cliques(handle, 4).value().cliques, 20'260'275u);
  if (!sanitized) {
    EXPECT_EQ(count_cliques(handle, 5).value().cliques, 591'600'030u);
  }
  const auto counts = graph::property<std::uint64_t>::create(handle);
  EXPECT_TRUE(count_cliques(handle, 4, counts).ok());
  EXPECT_EQ(test_graphs::by_position(handle, counts), std::vector<std::uint64_t>(150, 540'274));
  counts.destroy();
  handle.destroy();
  expect_cliques(complete_graph(14), {.partition = {.hash = true}}, 15);  // of 14 there is one, of 15 none
}

//   0 == 1 == 2 == 0     parallel edges and loops add no cliques
TEST(cliques, do_not_count_loops_and_parallel_edges) {
  expect_cliques(test_graph{
      "parallel edges", {{{0, 1}, {1, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 1}, {2, 0}, {2, 2}, {2, 3}}, {}}, {}});
}

TEST(cliques, of_graphs_without_edges_are_none) {
  for (const std::uint64_t vertices : {0, 1, 70}) expect_cliques(test_graph{"no edges", {}, vertices});
}

// The triangles of a graph by its rows, and the rounds in which these were fetched.
std::array<std::uint64_t, 2> triangles_by_rows(graph::distributed_graph handle, bool wide,
                                               std::uint64_t most) {
  return loops::on_all_cores([=] {
    detail::clique_rows rows(handle.here(), 3, wide, most);
    std::uint64_t found = 0, rounds = 0;
    for (; rows.fetch(); ++rounds) {
      rows.deal([&](std::uint32_t, std::span<const std::uint32_t> row) {
        for (const std::uint32_t middle : row) {
          for (const std::uint32_t third : rows.of(middle))
            found += static_cast<std::uint64_t>(std::ranges::count(row, third));
        }
      });
      collectives::barrier();
    }
    return std::array{collectives::all_reduce(found), rounds};
  });
}

// Names have 8 bytes where there are more than 2^32 vertices. With few members in a round, the same rows are
// fetched in several.
TEST(cliques, need_no_more_than_names_of_8_bytes_and_rows_of_a_round) {
  const graph::distributed_graph handle = test_graphs::build(
      nested_crowds(3, 200, 1500), {.symmetrize = true, .partition = {.hash = true}, .keep = clique_forms});
  const std::uint64_t expected = count_cliques(handle, 3).value().cliques;
  for (const bool wide : {false, true}) {
    for (const std::uint64_t most : {1, 50, 1 << 24}) {
      const auto [triangles, rounds] = triangles_by_rows(handle, wide, most);
      EXPECT_EQ(triangles, expected);
      if (locales() == 1 || most > 50) {
        EXPECT_EQ(rounds, 1u);
      } else {
        EXPECT_GT(rounds, 1u);
      }
    }
  }
  handle.destroy();
}

// Candidates in groups of 5, where all of a group have edges with all of other groups.
TEST(clique_search, counts_by_candidate_at_any_depth) {
  constexpr std::size_t candidates = 70, group = 5;
  for (const machine::instruction_set isa : {machine::instruction_set::scalar, machine::simd_from_flags()}) {
    for (int size = 3; size <= 5; ++size) {
      detail::clique_search search(size, true, isa);
      search.begin(candidates);
      for (std::size_t later = 0; later < candidates; ++later) {
        for (std::size_t earlier = 0; earlier < later / group * group; ++earlier) search.join(later, earlier);
      }
      std::uint64_t all = 0;
      for (std::size_t last = 0; last < candidates; ++last) all += search.count(last);
      const std::uint64_t of_groups[] = {91, 364, 1001};  // 2, 3 and 4 of 14 groups
      const std::uint64_t of_members[] = {25, 125, 625};
      EXPECT_EQ(all, of_groups[size - 3] * of_members[size - 3]);
      for (const std::uint64_t of_one : search.of_candidates())
        EXPECT_EQ(of_one * candidates, all * static_cast<std::uint64_t>(size - 1));
    }
  }
}

TEST(cliques, are_the_oracles_whatever_else_the_graph_keeps) {
  test_graphs::expect_in_all_forms(
      {.out_rows = true}, true, "count_cliques",
      [](const test_graphs::kept_graph& kept) { expect_cliques(kept.handle, *kept.simple, 4); },
      [](const test_graphs::kept_graph& kept) { EXPECT_TRUE(count_cliques(kept.handle, 4).ok()); });
}

}  // namespace
}  // namespace orujo::internal::algorithms
