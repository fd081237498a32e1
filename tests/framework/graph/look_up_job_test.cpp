#include "framework/graph/look_up.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/framework/job_graph.hpp"

namespace orujo::internal::graph {
namespace {

// Every vertex and edge of small graphs, and neighbours that are none.
void expect_found(std::size_t index, const build_options& options) {
  const distributed_graph graph = test_graphs::build(index, options);
  const test_graphs::expected_graph expected(test_graphs::all()[index], options);
  std::map<std::uint64_t, std::vector<adjacent_vertex>> out, in;
  for (const test_graphs::plain_edge& e : expected.edges) {
    out[e.source].push_back({e.target, e.weight});
    in[e.target].push_back({e.source, e.weight});
  }
  std::uint64_t position = 0;
  for (const std::uint64_t id : expected.ids) {
    const auto number = find_vertex(graph, id);
    ASSERT_TRUE(number) << id;
    EXPECT_EQ(graph.here().numbers.position(*number), position++) << id;
  }
  std::uint64_t absent = 0;
  while (std::binary_search(expected.ids.begin(), expected.ids.end(), absent)) ++absent;
  EXPECT_FALSE(find_vertex(graph, absent));
  EXPECT_FALSE(find_vertex(graph, "a name"));
  for (std::uint64_t v = 0; v < expected.ids.size(); ++v) {
    for (auto* row : {&out[v], &in[v]}) std::sort(row->begin(), row->end());
    const auto number = graph.here().numbers.number(v);
    ASSERT_EQ(out_neighbours(graph, number), out[v]) << v;
    ASSERT_EQ(in_neighbours(graph, number), in[v]) << v;
    for (const adjacent_vertex& to : out[v]) ASSERT_TRUE(has_edge(graph, v, to.number));
    const std::uint64_t other = (v * 7 + 3) % expected.ids.size();
    ASSERT_EQ(has_edge(graph, v, other),
              std::any_of(out[v].begin(), out[v].end(),
                          [&](const adjacent_vertex& to) { return to.number == other; }));
  }
  graph.destroy();
}

TEST(look_up, finds_every_vertex_and_edge) {
  for (const std::size_t g : test_graphs::places_in_turn()) {
    if (test_graphs::all()[g].list.edges.size() > 500) continue;  // messages for each
    SCOPED_TRACE(test_graphs::all()[g].name);
    build_options options;
    options.keep = {.in_vectors = false, .in_rows = true, .out_rows = true};
    expect_found(g, options);
    options.symmetrize = true;
    options.keep.arcs = true;
    expect_found(g, options);
  }
}

void expect_ids_found(std::size_t index, const build_options& options) {
  const distributed_graph graph = test_graphs::build(index, options);
  const std::vector<std::uint64_t> ids = test_graphs::expected_graph(test_graphs::all()[index], options).ids;
  for (std::uint64_t position = 0; position < ids.size(); ++position) {
    const auto number = find_vertex(graph, ids[position]);
    ASSERT_TRUE(number) << ids[position];
    EXPECT_EQ(graph.here().numbers.position(*number), position) << ids[position];
    if (position > 0 && ids[position - 1] + 1 < ids[position]) {
      EXPECT_FALSE(find_vertex(graph, ids[position] - 1)) << "an id between two";
    }
  }
  if (!ids.empty() && ids.back() + 1 != 0) {
    EXPECT_FALSE(find_vertex(graph, ids.back() + 1));
  }
  graph.destroy();
}

TEST(look_up, finds_vertices_in_any_order_of_memory) {
  for (const std::size_t g : test_graphs::places_in_turn()) {
    if (test_graphs::all()[g].list.edges.size() > 500) continue;  // messages for each
    SCOPED_TRACE(test_graphs::all()[g].name);
    expect_ids_found(g, {.partition = {.hash = true}});
    expect_ids_found(g, {.keep = {.order = requested_order::by_degree}});
  }
}

}  // namespace
}  // namespace orujo::internal::graph
