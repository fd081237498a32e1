#include "framework/algorithms/shortest_path_tree.hpp"

#include <gtest/gtest.h>

#include "framework/algorithms/shortest_paths.hpp"
#include "framework/verify/shortest_paths_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

// The distances are the algorithm's; the parents those of the last of two sources.
struct found_tree {
  std::vector<double> distances;
  std::vector<std::int64_t> parents;
};

found_tree find_tree(graph::distributed_graph graph, std::uint64_t first_source, std::uint64_t source) {
  const auto distances = graph::property<double>::create(graph);
  const auto parents = graph::property<std::int64_t>::create(graph);
  loops::on_all_cores([=] {
    shortest_paths paths(graph.here());
    shortest_path_tree<double> tree(graph.here(), distances.here());
    for (const std::uint64_t from : {first_source, source}) {
      paths.run(from);
      paths.write(distances.here());
      tree.write(parents.here());
    }
  });
  found_tree found{test_graphs::by_vertex_number(distances), test_graphs::by_vertex_number(parents)};
  parents.destroy();
  distances.destroy();
  return found;
}

bool has_edge(const verify::simple_graph& graph, std::size_t from, std::size_t to, double weight) {
  for (std::size_t k = 0; k < graph.out_degree(from); ++k) {
    const float found = graph.out_weights(from).empty() ? 1 : graph.out_weights(from)[k];
    if (graph.out_neighbors(from)[k] == to && static_cast<double>(found) == weight) return true;
  }
  return false;
}

void expect_tree(const verify::simple_graph& graph, std::uint64_t source, const found_tree& found) {
  const std::vector<double>& d = found.distances;
  ASSERT_EQ(d, verify::shortest_paths<double>(graph, source));
  ASSERT_EQ(found.parents.size(), d.size());
  for (std::size_t v = 0; v < d.size(); ++v) {
    if (v == source || d[v] == std::numeric_limits<double>::infinity()) {
      EXPECT_EQ(found.parents[v], v == source ? static_cast<std::int64_t>(v) : -1) << "vertex " << v;
      continue;
    }
    ASSERT_GE(found.parents[v], 0) << "vertex " << v;
    const auto p = static_cast<std::size_t>(found.parents[v]);
    ASSERT_LT(p, d.size());
    EXPECT_LT(d[p], d[v]) << "vertex " << v;
    EXPECT_TRUE(has_edge(graph, p, v, d[v] - d[p])) << "vertex " << v << ", parent " << p;
  }
}

TEST(shortest_path_tree, joins_every_vertex_to_one_on_a_shortest_path) {
  for (test_graphs::test_graph whole : test_graphs::in_turn()) {
    // Distances of every other graph lie beyond single precision.
    const float least = whole.name.size() % 2 == 0 ? 1 : 0x1p24f;
    for (float& weight : whole.list.weights) weight += least;
    for (const bool symmetrize : {false, true}) {
      SCOPED_TRACE(testing::Message() << whole.name << (symmetrize ? ", symmetrized" : ""));
      const verify::simple_graph simple(whole.list.edges,
                                        {.vertex_count = whole.vertex_count, .symmetrize = symmetrize},
                                        whole.list.weights);
      if (simple.vertex_count() == 0) continue;
      graph::build_options options;
      options.symmetrize = symmetrize;
      options.keep = shortest_paths_forms();
      options.keep.in_rows = true;
      const graph::distributed_graph graph = test_graphs::build(whole, options);
      const std::uint64_t source = simple.vertex_count() / 3;
      expect_tree(simple, source, find_tree(graph, 0, source));
      graph.destroy();
    }
  }
}

TEST(shortest_path_tree, are_those_of_the_oracle_whatever_else_the_graph_keeps) {
  test_graphs::expect_in_all_forms(
      {.in_rows = true, .in_arrays = false}, false, "shortest_path_tree",
      [](const test_graphs::kept_graph& kept) {
        const bool has_paths = kept.keeps({.out_rows = true, .in_arrays = false});
        const bool has_tree = kept.whole->name != "hubs";  // which have edges of weight 0
        if (has_paths && has_tree) expect_tree(*kept.simple, 50, find_tree(kept.handle, 0, 50));
      },
      [](const test_graphs::kept_graph& kept) { shortest_path_tree<double>(kept.handle.here(), {}); });
}

}  // namespace
}  // namespace orujo::internal::algorithms
