#include "framework/graph/partition_costs.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <set>
#include <utility>

#include "tests/framework/test_graphs.hpp"

namespace orujo::internal::graph {
namespace {

using targets_of = std::vector<std::vector<std::uint64_t>>;

// By definition: a set of the vertices that each locale mirrors.
partition_costs count_naively(const targets_of& targets, const partition& owners, const job_shape& shape) {
  partition_costs made;
  by_locale<std::set<std::uint64_t>> mirrored(shape.locales()), on_grid(shape.locales());
  const auto grid = grid_of_locales::choose(by_locale<std::uint64_t>(shape.locales()));
  made.vertices.resize(static_cast<std::size_t>(shape.cores()));
  made.in_edges.resize(made.vertices.size());
  for (std::uint64_t v = 0; v < targets.size(); ++v) {
    ++made.vertices[static_cast<std::size_t>(owners.owner(v))];
    for (const std::uint64_t target : targets[v]) {
      ++made.in_edges[static_cast<std::size_t>(owners.owner(target))];
      const locale_id to = shape.locale_of(owners.owner(target)), from = shape.locale_of(owners.owner(v));
      const locale_id keeper = grid.at(grid.row_of(to), grid.column_of(from));
      if (keeper != from) on_grid[keeper].insert(2 * v);         // a mirror
      if (keeper != to) on_grid[keeper].insert(2 * target + 1);  // a guest
      if (to == from) continue;
      ++made.cut_edges;
      mirrored[to].insert(v);
    }
  }
  for (const auto& of_locale : mirrored) made.mirrors.push_back(of_locale.size());
  for (const auto& of_locale : on_grid) made.values_on_grid += of_locale.size();
  return made;
}

// In `parts` parts, every one of some vertices.
partition_costs count_in_parts(const targets_of& targets, const partition& owners, const job_shape& shape,
                               std::size_t parts) {
  std::vector<partition_counter> counters(parts, partition_counter(owners, shape));
  targets_of sources(targets.size());
  for (std::uint64_t v = 0; v < targets.size(); ++v) {
    for (const std::uint64_t target : targets[v]) sources[target].push_back(v);
  }
  for (std::uint64_t v = 0; v < targets.size(); ++v) counters[v % parts].add(v, targets[v], sources[v]);
  for (std::size_t k = 1; k < parts; ++k) {
    const auto all = counters[0].sums(), some = counters[k].sums();
    std::transform(all.begin(), all.end(), some.begin(), all.begin(), std::plus<>());
  }
  return counters[0].costs();
}

partition even_partition(std::uint64_t vertices, int cores) {
  std::vector<std::uint64_t> bounds;
  for (int c = 0; c <= cores; ++c)
    bounds.push_back(vertices * static_cast<std::uint64_t>(c) / static_cast<std::uint64_t>(cores));
  return partition(std::move(bounds));
}

TEST(partition_costs, are_those_of_a_naive_count) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    random_stream random(seed);
    const std::uint64_t vertices = random.below(300);
    targets_of targets(vertices);
    if (vertices > 0) {
      for (const edge& e : test_graphs::random_edges(seed, vertices, random.below(3000), false).edges)
        targets[e.source].push_back(e.target);
    }
    for (const std::vector<int>& shape_of :
         {std::vector{1}, std::vector{1, 1}, std::vector{2, 2}, std::vector{1, 3, 2}, std::vector(40, 1)}) {
      const job_shape shape(shape_of);
      const partition owners = even_partition(vertices, shape.cores());
      const partition_costs expected = count_naively(targets, owners, shape);
      const partition_costs got = count_in_parts(targets, owners, shape, 1 + seed % 3);
      EXPECT_EQ(got.vertices, expected.vertices) << "seed " << seed;
      EXPECT_EQ(got.in_edges, expected.in_edges) << "seed " << seed;
      EXPECT_EQ(got.mirrors, expected.mirrors) << "seed " << seed;
      EXPECT_EQ(got.cut_edges, expected.cut_edges) << "seed " << seed;
      EXPECT_EQ(got.values_on_grid, expected.values_on_grid) << "seed " << seed;
    }
  }
}

//   locale 0: 0 1     locale 1: 2 3      0 -> 2, 0 -> 3, 0 -> 1, 1 -> 3, 3 -> 0, and 3 -> 3
TEST(partition_costs, counts_a_vertex_once_per_locale_that_mirrors_it) {
  const partition_costs got =
      count_in_parts({{2, 3, 1}, {3}, {}, {0, 3}}, even_partition(4, 2), job_shape(std::vector{1, 1}), 1);
  EXPECT_EQ(got.vertices, (std::vector<std::uint64_t>{2, 2}));
  EXPECT_EQ(got.in_edges, (std::vector<std::uint64_t>{2, 4}));
  EXPECT_EQ(got.mirrors, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(got.cut_edges, 4u);
}

}  // namespace
}  // namespace orujo::internal::graph
