// Trees of breadth-first searches, as tests gather and check them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "framework/verify/breadth_first_search_oracle.hpp"

namespace orujo::internal::test_graphs {

struct place_in_tree {
  std::int64_t parent, level;
};

// By vertex number.
struct search_tree {
  std::vector<std::int64_t> parents, levels;
};

// A right tree, and a report with its figures.
template <class Report>
void expect_right(const verify::simple_graph& simple, std::uint64_t source, const Report& report,
                  const search_tree& tree) {
  ASSERT_EQ(tree.levels.size(), simple.vertex_count());
  EXPECT_EQ(verify::check_search(simple, source, tree.parents, tree.levels).value_or(""), "");
  std::uint64_t reached = 0, out_edges = 0;
  std::int64_t deepest = 0;
  for (std::size_t v = 0; v < tree.levels.size(); ++v) {
    if (tree.levels[v] == verify::unreached) continue;
    ++reached;
    out_edges += simple.out_degree(v);
    deepest = std::max(deepest, tree.levels[v]);
  }
  EXPECT_EQ(report.vertices, reached);
  EXPECT_EQ(report.out_edges, out_edges);
  EXPECT_EQ(report.levels, deepest + 1);
}

}  // namespace orujo::internal::test_graphs
