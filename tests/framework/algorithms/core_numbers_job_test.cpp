#include "framework/algorithms/core_numbers.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "framework/verify/core_numbers_oracle.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;

// Expects the core numbers of the second of two runs to be right.
void expect_cores(graph::distributed_graph handle, const verify::simple_graph& simple) {
  const auto cores = graph::property<std::uint32_t>::create(handle);
  cores_report report;
  loops::on_all_cores([=, to = at_home(report)] {
    core_numbers finder(handle.here(), cores.here());
    finder.run();
    const cores_report mine = finder.run();
    if (my_core() == 0) *to = mine;
  });
  const std::vector<std::uint32_t> expected = verify::core_numbers(simple);
  const std::set<std::uint32_t> different(expected.begin(), expected.end());
  EXPECT_EQ(test_graphs::by_vertex_number(cores), expected);
  EXPECT_EQ(report.levels, static_cast<int>(different.size()));
  EXPECT_EQ(report.largest, different.empty() ? 0 : *different.rbegin());
  cores.destroy();
}

void expect_cores(const test_graph& whole, bool remove_self_loops = false) {
  SCOPED_TRACE(whole.name);
  const graph::distributed_graph handle =
      test_graphs::build(whole, {.remove_self_loops = remove_self_loops,
                                 .symmetrize = true,
                                 .keep = {.in_vectors = false, .out_rows = true}});
  expect_cores(handle, verify::simple_graph(whole.list.edges, {.vertex_count = whole.vertex_count,
                                                               .remove_self_loops = remove_self_loops,
                                                               .symmetrize = true}));
  handle.destroy();
}

void add_clique(test_graph& to, std::uint64_t first, std::uint64_t size) {
  for (std::uint64_t u = first; u < first + size; ++u) {
    for (std::uint64_t v = u + 1; v < first + size; ++v) to.list.edges.push_back({v, u});
  }
}

TEST(core_numbers, are_those_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    expect_cores(whole);
    expect_cores(whole, true);
  }
}

// Cliques of 2, 3, ... 30 vertices in a chain have every core number from 1 to 29.
TEST(core_numbers, are_those_of_the_oracle_on_a_chain_of_cliques) {
  test_graph whole{"chain of cliques", {}, {}};
  for (std::uint64_t size = 2, first = 0; size <= 30; first += size++) {
    add_clique(whole, first, size);
    if (size < 30) whole.list.edges.push_back({first + size, first});
  }
  expect_cores(whole);
}

// A hub is a neighbour of half of every clique, so all levels lower its number of neighbours left.
TEST(core_numbers, are_those_of_the_oracle_on_a_star_of_cliques) {
  test_graph whole{"star of cliques", {}, {}};
  for (std::uint64_t k = 0, first = 1; k < 300; ++k) {
    const std::uint64_t size = 1 + k % 12;
    add_clique(whole, first, size);
    for (std::uint64_t v = first; v < first + size; v += 2) whole.list.edges.push_back({0, v});
    first += size;
  }
  expect_cores(whole);
}

//   0 -- 1 -- 2 -- ... -- n
// The path is removed one by one from both ends. In the scattered path nearly every step leads to another
// core.
TEST(core_numbers, are_those_of_the_oracle_on_long_paths) {
  const std::uint64_t length = test_graphs::largest / 10, stride = 611;  // coprime
  test_graph near{"path", {}, length}, far{"scattered path", {}, length};
  for (std::uint64_t v = 1; v < length; ++v) {
    near.list.edges.push_back({v - 1, v});
    far.list.edges.push_back({(v - 1) * stride % length, v * stride % length});
  }
  // A clique beside the path has a level after the path's.
  for (test_graph* whole : {&near, &far}) {
    add_clique(*whole, length, 5);
    whole->vertex_count = length + 5;
    expect_cores(*whole);
  }
}

// Meshes are removed from their corners on, diagonal by diagonal.
TEST(core_numbers, are_those_of_the_oracle_on_meshes) {
  const std::uint64_t side = test_graphs::largest / 300;
  for (const std::uint64_t width : {std::uint64_t{3}, side}) {
    const std::uint64_t height = side * side / width;
    test_graph whole{"mesh", {}, width * height};
    for (std::uint64_t v = 0; v < width * height; ++v) {
      if ((v + 1) % width != 0) whole.list.edges.push_back({v, v + 1});
      if (v + width < width * height) whole.list.edges.push_back({v, v + width});
    }
    expect_cores(whole);
  }
}

//        0
//      1   2
//     3 4 5 6
//     -- ring --
// All vertices have three neighbours but the root, which has two, and which one core removes. The rest falls
// after it, level by level of the tree, and that core has to share what it finds.
TEST(core_numbers, are_those_of_the_oracle_on_a_tree_whose_leaves_are_a_ring) {
  test_graph whole{"tree with a ring", {}, {}};
  std::uint64_t leaf = 1;  // the first leaf
  while (4 * leaf < test_graphs::largest) leaf = 2 * leaf + 1;
  for (std::uint64_t v = 1; v <= 2 * leaf; ++v) whole.list.edges.push_back({(v - 1) / 2, v});
  for (std::uint64_t v = leaf; v <= 2 * leaf; ++v)
    whole.list.edges.push_back({v, v < 2 * leaf ? v + 1 : leaf});
  expect_cores(whole);
}

TEST(core_numbers, are_those_of_the_oracle_on_random_graphs) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const std::uint64_t vertices = 300 * seed;
    expect_cores({"random, seed " + std::to_string(seed),
                  test_graphs::random_edges(seed, vertices, vertices * seed, false), vertices});
  }
}

TEST(core_numbers, are_those_of_the_oracle_whatever_else_the_graph_keeps) {
  test_graphs::expect_in_all_forms(
      {.out_rows = true}, true, "core_numbers",
      [](const test_graphs::kept_graph& kept) { expect_cores(kept.handle, *kept.simple); },
      [](const test_graphs::kept_graph& kept) { core_numbers(kept.handle.here(), {}); });
}

}  // namespace
}  // namespace orujo::internal::algorithms
