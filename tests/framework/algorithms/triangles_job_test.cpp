#include "framework/algorithms/triangles.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "framework/verify/triangles_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

// Returns whether rows were ordered by degree.
bool expect_triangles(graph::distributed_graph graph, const verify::simple_graph& simple, bool with_counts,
                      wire_words words = wire_words::fit) {
  const auto found = graph::property<std::uint64_t>::create(graph);
  const auto reports = loops::on_all_cores([=] {
    triangle_counter counter(graph.here(), with_counts ? triangle_counts::by_vertex : triangle_counts::none,
                             words);
    const triangle_report first = counter.run(), second = counter.run();
    for (std::uint32_t v = graph.here().my_part().first; with_counts && v < graph.here().my_part().last; ++v)
      found.here()[v] = counter.count_of(v);
    return std::array{first, second};
  });
  const std::vector<std::uint64_t> counts = test_graphs::by_vertex_number(found);
  found.destroy();
  const std::vector<std::uint64_t> expected = verify::triangles(simple);
  const std::uint64_t all = std::accumulate(expected.begin(), expected.end(), std::uint64_t{0}) / 3;
  EXPECT_EQ(reports[0].triangles, all);
  EXPECT_EQ(reports[1].triangles, all);
  if (with_counts) {
    EXPECT_EQ(counts, expected);
  }
  return reports[0].by_degree;
}
bool expect_triangles(const test_graphs::test_graph& whole, bool with_counts,
                      wire_words words = wire_words::fit) {
  SCOPED_TRACE(whole.name);
  graph::build_options options;
  options.symmetrize = true;
  options.keep = {.in_vectors = false, .out_rows = true};
  const graph::distributed_graph graph = test_graphs::build(whole, options);
  const verify::simple_graph simple(whole.list.edges,
                                    {.vertex_count = whole.vertex_count, .symmetrize = true});
  const bool by_degree = expect_triangles(graph, simple, with_counts, words);
  graph.destroy();
  return by_degree;
}

// Edges among the neighbours of each vertex, by direction.
void expect_clustering(graph::distributed_graph graph, const verify::simple_graph& simple) {
  const auto found = graph::property<double>::create(graph);
  loops::on_all_cores([=] {
    triangle_counter counter(graph.here(), triangle_counts::edges_among_neighbours);
    counter.run();
    for (std::uint32_t v = graph.here().my_part().first; v < graph.here().my_part().last; ++v) {
      const double degree = counter.neighbours_of(v);
      found.here()[v] = degree < 2 ? 0 : static_cast<double>(counter.count_of(v)) / (degree * (degree - 1));
    }
  });
  const std::vector<double> shares = test_graphs::by_vertex_number(found);
  found.destroy();
  EXPECT_EQ(shares, verify::clustering_coefficients(simple));
}

TEST(triangles, are_those_of_the_oracle) {
  for (const test_graphs::test_graph& whole : test_graphs::in_turn()) expect_triangles(whole, false);
}

TEST(triangles, of_directed_graphs_give_clustering_coefficients) {
  for (const test_graphs::test_graph& whole : test_graphs::in_turn()) {
    SCOPED_TRACE(whole.name);
    graph::build_options options;
    options.keep = {.in_vectors = false, .in_rows = true, .out_rows = true};
    const graph::distributed_graph graph = test_graphs::build(whole, options);
    expect_clustering(graph, verify::simple_graph(whole.list.edges, {.vertex_count = whole.vertex_count}));
    graph.destroy();
  }
}

TEST(triangles, are_counted_by_vertex) {
  for (const test_graphs::test_graph& whole : test_graphs::in_turn()) expect_triangles(whole, true);
}

// As they are where there are more vertices than fit into 4 bytes.
TEST(triangles, are_counted_by_names_of_8_bytes) {
  for (const test_graphs::test_graph& whole : test_graphs::in_turn())
    expect_triangles(whole, true, wire_words::wide);
}

// Very uneven rows, and such that are longer than a message.
TEST(triangles, are_found_along_long_rows) {
  test_graphs::test_graph whole{"two fans", {}, {}};
  constexpr std::uint64_t blades = 2000;
  for (std::uint64_t v = 4; v < 4 + blades; ++v) {
    whole.list.edges.push_back({0, v});
    whole.list.edges.push_back({2 + v % 2, v});
    if (v % 100 != 0) whole.list.edges.push_back({v, v + 1});
  }
  whole.list.edges.push_back({0, 2});
  expect_triangles(whole, true);
  test_graphs::test_graph clique{"clique", {}, {}};
  constexpr std::uint64_t members = sanitized ? 300 : 600;
  for (std::uint64_t u = 0; u < members; ++u) {
    for (std::uint64_t v = u + 1; v < members; ++v) clique.list.edges.push_back({u, v});
  }
  expect_triangles(clique, false);
}

//   leaves, each with 10 edges to 20 hubs, of which all pairs have an edge; by number half of the leaves come
//   before the hubs, half after them
//
// By number, the part of a hub's row before the hub, 1000 leaves, is examined for each leaf after it. By
// degree only hubs are examined. Without hubs, as on a mesh, the order by degree gains nothing.
TEST(triangles, of_hubs_are_counted_by_degree) {
  constexpr std::uint64_t leaves = 4000, hubs = 20, first_hub = leaves / 2;
  test_graphs::test_graph hubs_amid{"hubs amid leaves", {}, {}}, ring{"ring", {}, {}};
  for (std::uint64_t k = 0; k < leaves; ++k) {
    const std::uint64_t leaf = k < first_hub ? k : k + hubs;
    for (std::uint64_t h = 0; h < 10; ++h)
      hubs_amid.list.edges.push_back({leaf, first_hub + (k * 7 + h * 13) % hubs});
    ring.list.edges.push_back({k, (k + 1) % leaves});
    ring.list.edges.push_back({k, (k + 2) % leaves});
  }
  for (std::uint64_t u = first_hub; u < first_hub + hubs; ++u) {
    for (std::uint64_t v = u + 1; v < first_hub + hubs; ++v) hubs_amid.list.edges.push_back({u, v});
  }
  for (const bool with_counts : {false, true}) {
    EXPECT_TRUE(expect_triangles(hubs_amid, with_counts));
    EXPECT_FALSE(expect_triangles(ring, with_counts));
  }
}

TEST(triangles, are_those_of_the_oracle_whatever_else_the_graph_keeps) {
  using test_graphs::kept_graph;
  test_graphs::expect_in_all_forms(
      {.out_rows = true}, true, "triangle_counter",
      [](const kept_graph& kept) {
        const bool by_degree = expect_triangles(kept.handle, *kept.simple, true);
        EXPECT_FALSE(by_degree && kept.whole->name == "triangulated mesh");
      },
      [](const kept_graph& kept) { triangle_counter(kept.handle.here()); });
  test_graphs::expect_in_all_forms(
      {.in_rows = true, .out_rows = true}, false, "triangle_counter",
      [](const kept_graph& kept) { expect_clustering(kept.handle, *kept.simple); },
      [](const kept_graph& kept) {
        triangle_counter(kept.handle.here(), triangle_counts::edges_among_neighbours);
      });
}

}  // namespace
}  // namespace orujo::internal::algorithms
