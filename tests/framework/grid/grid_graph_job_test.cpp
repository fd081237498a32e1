#include "framework/grid/grid_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "tests/at_home.hpp"
#include "tests/framework/job_grid.hpp"

namespace orujo::internal::graph {
namespace {

using test_graphs::plain_edge;

struct gathered_grid {
  std::vector<plain_edge> by_target, by_source;
  std::vector<std::uint32_t> out_degree;
  int misplaced = 0;
};

void append(std::vector<plain_edge>& to, const std::vector<std::vector<plain_edge>>& parts) {
  for (const auto& part : parts) to.insert(to.end(), part.begin(), part.end());
  std::sort(to.begin(), to.end());
}

// [task; suspends; collective over the job] Gathers the parts of all locales at core 0.
gathered_grid gather(const locale_grid& g) {
  std::vector<plain_edge> by_target, by_source;
  std::vector<std::uint32_t> degrees;
  int misplaced = 0;
  if (leads_locale()) {
    const auto add = [&](std::vector<plain_edge>& to, std::uint64_t source, std::uint64_t target) {
      const plain_edge e{g.shape.vertex_of_column(g.column, source),
                         static_cast<std::uint64_t>(g.row) * g.shape.row_size() + target, 1};
      const grid_shape::place from = g.shape.place_of(e.source), into = g.shape.place_of(e.target);
      misplaced += g.shape.keeper(from, into) == my_locale() ? 0 : 1;
      misplaced += g.shape.column_index(from) == source && g.shape.row_index(into) == target ? 0 : 1;
      to.push_back(e);
    };
    for (std::uint32_t row = 0; row < g.shape.row_size(); ++row) {
      for (const std::uint32_t source : g.by_target->of(row)) add(by_target, source, row);
    }
    for (std::uint32_t row = 0; row < g.shape.column_size(); ++row) {
      for (const std::uint32_t target : g.by_source->of(row)) add(by_source, row, target);
    }
    for (std::uint32_t v = 0; v < g.own; ++v) {
      misplaced += g.shape.owner(g.first_vertex + v) == my_locale() ? 0 : 1;
      degrees.push_back(g.out_degree[v]);
    }
  }
  gathered_grid all;
  append(all.by_target, collectives::gather(by_target, 0));
  append(all.by_source, collectives::gather(by_source, 0));
  for (const auto& part : collectives::gather(degrees, 0))
    all.out_degree.insert(all.out_degree.end(), part.begin(), part.end());
  all.misplaced = collectives::all_reduce(misplaced);
  return all;
}

std::vector<std::uint64_t> on_one_node(int locales) {
  return std::vector<std::uint64_t>(static_cast<std::size_t>(locales));
}

//       six locales on nodes a b a b a b     eight on a a b b c c d d
//            column 0  1  2                       column 0  1
//      row 0     a0  a2  a4                  row 0      a0  a1
//      row 1     b1  b3  b5                  row 1      b2  b3   ...
TEST(grid_graph, has_the_locales_of_a_node_in_a_row) {
  const auto rows_of = [](std::vector<std::uint64_t> nodes) {
    const grid_shape shape = grid_shape::choose(1000, nodes);
    std::vector<std::vector<locale_id>> rows;
    for (int r = 0; r < shape.rows; ++r) {
      rows.emplace_back();
      for (int c = 0; c < shape.columns; ++c) {
        const locale_id l = shape.at(r, c);
        rows.back().push_back(l);
        EXPECT_EQ(shape.row_of(l), r);
        EXPECT_EQ(shape.column_of(l), c);
        EXPECT_EQ(shape.owner(shape.first_vertex_of(l)), l);
      }
    }
    return rows;
  };
  using rows = std::vector<std::vector<locale_id>>;
  EXPECT_EQ(rows_of({7, 8, 7, 8, 7, 8}), (rows{{0, 2, 4}, {1, 3, 5}}));
  EXPECT_EQ(rows_of({1, 1, 2, 2, 3, 3, 4, 4}), (rows{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
  EXPECT_EQ(rows_of({5, 5, 5, 5}), (rows{{0, 1}, {2, 3}}));
  // Where rows cannot lie within nodes: as many columns as rows, or more.
  EXPECT_EQ(rows_of({1, 2, 3}), (rows{{0, 1, 2}}));
  EXPECT_EQ(rows_of({1, 2, 3, 4, 5, 6}), (rows{{0, 1, 2}, {3, 4, 5}}));
}

TEST(grid_graph, has_every_edge_at_its_keeper_in_both_orders) {
  for (const std::size_t index : test_graphs::places_in_turn()) {
    const test_graphs::test_graph whole = test_graphs::all()[index];
    for (const bool symmetrize : {false, true}) {
      SCOPED_TRACE(whole.name + (symmetrize ? ", symmetrized" : ""));
      build_options options;
      options.symmetrize = options.remove_self_loops = symmetrize;
      const grid_graph graph = test_graphs::build_grid(index, options);
      gathered_grid all;
      loops::on_all_cores([graph, to = at_home(all)] {
        gathered_grid mine = gather(graph.here());
        if (my_core() == 0) *to = std::move(mine);
      });
      test_graphs::expected_graph expected(whole, options);
      for (plain_edge& e : expected.edges) e.weight = 1;
      EXPECT_EQ(all.misplaced, 0);
      EXPECT_TRUE(all.by_target == expected.edges) << all.by_target.size() << " edges";
      EXPECT_TRUE(all.by_source == expected.edges) << all.by_source.size() << " edges";
      EXPECT_EQ(graph.here().edges, expected.edges.size());
      ASSERT_EQ(all.out_degree.size(), expected.ids.size());
      std::vector<std::uint32_t> degrees(expected.ids.size());
      for (const plain_edge& e : expected.edges) ++degrees[e.source];
      EXPECT_TRUE(all.out_degree == degrees);
      graph.destroy();
    }
  }
}

TEST(grid_shape, is_as_square_as_the_locales_allow) {
  const auto sides = [](int locales) {
    const grid_shape s = grid_shape::choose(1000, on_one_node(locales));
    return std::pair(s.rows, s.columns);
  };
  EXPECT_EQ(sides(1), std::pair(1, 1));
  EXPECT_EQ(sides(2), std::pair(1, 2));
  EXPECT_EQ(sides(4), std::pair(2, 2));
  EXPECT_EQ(sides(7), std::pair(1, 7));
  EXPECT_EQ(sides(12), std::pair(3, 4));
  EXPECT_EQ(sides(64), std::pair(8, 8));
}

TEST(grid_shape, covers_all_vertices_with_ranges_of_whole_words) {
  for (const std::uint64_t vertices : {0, 1, 63, 64, 65, 1000, 1 << 20, (1 << 20) + 1}) {
    for (const int locales : {1, 2, 3, 6, 16, 131}) {
      const grid_shape s = grid_shape::choose(vertices, on_one_node(locales));
      EXPECT_EQ(s.range % 64, 0u);
      EXPECT_GE(s.range * static_cast<std::uint64_t>(locales), vertices);
      EXPECT_LE(s.range, vertices / static_cast<std::uint64_t>(locales) * 1.01 + 65);
    }
  }
}

}  // namespace
}  // namespace orujo::internal::graph
