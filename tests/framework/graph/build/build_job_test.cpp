#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <new>

#include "framework/graph/build/edges_in_memory.hpp"
#include "system/base/random.hpp"
#include "tests/framework/collected_graph.hpp"

namespace orujo::internal::graph {
namespace {

using test_graphs::plain_edge;

// `handle` is what was built of `whole`.
void expect_graph_of(const test_graphs::test_graph& whole, const build_options& options,
                     const distributed_graph& handle) {
  SCOPED_TRACE(whole.name);
  const test_graphs::collected got = test_graphs::collect(handle);
  const test_graphs::expected_graph expected(whole, options);
  EXPECT_EQ(got.invalid, 0u);
  EXPECT_EQ(handle.here().vertices, expected.ids.size());
  EXPECT_EQ(handle.here().edges, expected.edges.size());
  EXPECT_TRUE(got.edges == expected.edges);
  ASSERT_EQ(got.external_id.size(), expected.ids.size());
  std::map<std::uint64_t, std::uint64_t> out_degree, in_degree;
  for (const plain_edge& e : expected.edges) ++out_degree[e.source], ++in_degree[e.target];
  for (std::uint64_t v = 0; v < expected.ids.size(); ++v) {
    EXPECT_EQ(got.external_id.at(v), expected.ids[v]);
    EXPECT_EQ(got.out_degree.at(v), out_degree[v]) << "of vertex " << v;
    EXPECT_EQ(got.in_degree.at(v), in_degree[v]) << "of vertex " << v;
  }
  handle.destroy();
}

void expect_right_graph(std::size_t index, const build_options& options) {
  expect_graph_of(test_graphs::all()[index], options, test_graphs::build(index, options));
}

TEST(build, keeps_every_edge_of_every_graph) {
  for (std::size_t g = 0; g < test_graphs::all().size(); ++g) expect_right_graph(g, {});
}

TEST(build, removes_self_loops_and_duplicates_and_symmetrizes) {
  for (std::size_t g = 0; g < test_graphs::all().size(); ++g) {
    expect_right_graph(g, {.remove_self_loops = true, .symmetrize = false, .remove_duplicates = false});
    expect_right_graph(g, {.remove_self_loops = false, .symmetrize = true, .remove_duplicates = false});
    expect_right_graph(g, {.remove_self_loops = true, .symmetrize = false, .remove_duplicates = true});
  }
}

TEST(build, keeps_every_edge_in_any_encoding) {
  for (std::size_t g = 0; g < test_graphs::all().size(); ++g) {
    build_options options;
    for (const std::size_t segments : {1, 2, 7}) {
      options.segments = segments;
      options.bundle_depth = segments == 7 ? 0 : 5;
      expect_right_graph(g, options);
    }
  }
}

TEST(build, keeps_every_edge_where_vertices_are_scattered) {
  for (std::size_t g = 0; g < test_graphs::all().size(); ++g) {
    expect_right_graph(g, {.partition = {.hash = true}});
    expect_right_graph(g, {.symmetrize = true, .partition = {.hash = true, .alpha = 0}});
  }
}

// A locale's mirrors are then found without a bitmap of all vertices.
TEST(build, keeps_every_edge_where_few_vertices_have_any) {
  test_graphs::test_graph few{"few edges", {}, 40'000};
  random_stream random(17);
  for (int k = 0; k < 300; ++k) few.list.edges.push_back({random.below(40'000), random.below(40'000)});
  for (const bool symmetrize : {false, true}) {
    for (const bool out_rows : {false, true}) {
      build_options options{.symmetrize = symmetrize};
      options.keep.out_rows = out_rows;
      expect_graph_of(few, options, test_graphs::build(few, options));
    }
  }
}

void expect_rows(bool arcs, const partition_options& cut = {}) {
  for (std::size_t g = 0; g < test_graphs::all().size(); ++g) {
    for (const bool symmetrize : {false, true}) {
      SCOPED_TRACE(test_graphs::all()[g].name);
      build_options options;
      options.symmetrize = symmetrize;
      options.partition = cut;
      options.keep = {.in_vectors = false, .in_rows = true, .out_rows = true, .arcs = arcs};
      const distributed_graph handle = test_graphs::build(g, options);
      EXPECT_TRUE(handle.here().in_edges().edges.empty());
      EXPECT_EQ(handle.here().out_rows->arcs.size() > 0, arcs && handle.here().weighted);
      EXPECT_EQ(handle.here().in_rows == handle.here().out_rows, symmetrize);
      const test_graphs::collected_rows got = test_graphs::collect_rows(handle);
      const test_graphs::expected_graph expected(test_graphs::all()[g], options);
      EXPECT_TRUE(got.in == expected.edges);
      EXPECT_TRUE(got.out == expected.edges);
      handle.destroy();
    }
  }
}

TEST(build, keeps_edges_by_vertex_in_both_directions) {
  expect_rows(false);
  expect_rows(false, {.hash = true});
}

TEST(build, keeps_weights_beside_the_neighbours_if_asked) { expect_rows(true); }

TEST(build, shares_the_work_among_the_cores) {
  const distributed_graph handle = test_graphs::build(test_graphs::all().size() - 1, {});
  const partition& owners = handle.here().owners;
  for (core_id c = 0; c < cores(); ++c) {
    const std::uint64_t vertices = owners.last_of(c) - owners.first_of(c);
    EXPECT_GT(vertices, 0u) << "core " << c << " has no vertices";
    EXPECT_LT(vertices, owners.vertices() * 2 / static_cast<std::uint64_t>(cores()) + 2);
  }
  handle.destroy();
}

template <class T>
containers::global_array<T> in_memory(const std::vector<T>& values) {
  const auto array = containers::global_array<T>::create(values.size());
  array.put(0, values);
  return array;
}

TEST(build, takes_edges_from_memory) {
  for (const test_graphs::test_graph& whole : test_graphs::all()) {
    for (const bool symmetrize : {false, true}) {
      const auto edges = in_memory(whole.list.edges);
      edges_in_memory request{.edges = edges, .vertices = whole.vertex_count, .symmetrize = symmetrize};
      if (!whole.list.weights.empty()) request.weights = in_memory(whole.list.weights);
      const auto built = build_graph(request);
      edges.destroy();
      if (request.weights) request.weights->destroy();
      ASSERT_TRUE(built.ok()) << built.status().message();
      EXPECT_EQ(built.value().read_edges, whole.list.edges.size());
      expect_graph_of(whole, {.symmetrize = symmetrize}, built.value().graph);
    }
  }
}

TEST(build, names_the_edge_in_memory_that_is_wrong) {
  const auto edges = in_memory<edge>({{0, 1}, {1, 2}, {2, 0}, {2, 3}});
  const auto outside = build_graph({.edges = edges, .vertices = 3});
  EXPECT_EQ(outside.status().code(), exit_status::bad_data);
  EXPECT_EQ(outside.status().message(),
            "edge 3 in memory goes from 2 to 3; expected vertices below 3, the number given");
  const auto weights = in_memory<float>({1, std::numeric_limits<float>::infinity(), 1, 1});
  const auto infinite = build_graph({.edges = edges, .weights = weights});
  EXPECT_EQ(infinite.status().code(), exit_status::bad_data);
  EXPECT_EQ(infinite.status().message(), "edge 1 in memory has the weight inf; expected a finite number");
  const auto unweighted = build_graph({.edges = edges, .weights = weights}, {.weights = false});
  ASSERT_TRUE(unweighted.ok());  // which does not read them
  unweighted.value().graph.destroy();
  weights.destroy();
  edges.destroy();
}

// The test graph that the cores bring, each its part; -1 for a wrong edge, no_room for a last core without
// memory.
constexpr int no_room = -2;
std::atomic<int> brought{0};
void bring_next(int which) {
  loops::on_all_cores([which] { brought = which; });
}
result<edges_from> bring_part() {
  edges_from part;
  if (brought == no_room && my_core() + 1 == cores()) throw std::bad_alloc();
  if (brought < 0) {
    part.first = static_cast<std::uint64_t>(my_core());
    if (my_core() + 1 == cores()) part.mine.edges = {{7, 9}};
    return part;
  }
  const formats::edge_list& whole = test_graphs::all()[static_cast<std::size_t>(brought.load())].list;
  const index_range mine = my_part_of_job({0, whole.edges.size()});
  part.first = mine.first;
  part.mine.edges.assign(whole.edges.begin() + static_cast<std::ptrdiff_t>(mine.first),
                         whole.edges.begin() + static_cast<std::ptrdiff_t>(mine.last));
  if (!whole.weights.empty())
    part.mine.weights.assign(whole.weights.begin() + static_cast<std::ptrdiff_t>(mine.first),
                             whole.weights.begin() + static_cast<std::ptrdiff_t>(mine.last));
  return part;
}

TEST(build, takes_edges_that_every_core_brings) {
  for (std::size_t k = 0; k < test_graphs::all().size(); ++k) {
    const test_graphs::test_graph& whole = test_graphs::all()[k];
    bring_next(static_cast<int>(k));
    const auto built = build_brought_graph<&bring_part>(
        {.weighted = !whole.list.weights.empty(), .vertices = whole.vertex_count, .symmetrize = k % 2 == 0});
    ASSERT_TRUE(built.ok()) << built.status().message();
    EXPECT_EQ(built.value().read_edges, whole.list.edges.size());
    expect_graph_of(whole, {.symmetrize = k % 2 == 0}, built.value().graph);
  }
}

TEST(build, brought_edges_that_a_core_has_no_room_for_are_refused) {
  bring_next(no_room);
  const auto built = build_brought_graph<&bring_part>({.up_to_largest = true});
  EXPECT_EQ(built.status().code(), exit_status::no_resource);
  EXPECT_NE(built.status().message().find("no room for the edges"), std::string::npos);
}

TEST(build, brought_edges_go_up_to_the_largest_id) {
  bring_next(-1);
  const auto built = build_brought_graph<&bring_part>({.up_to_largest = true});
  ASSERT_TRUE(built.ok()) << built.status().message();
  EXPECT_EQ(built.value().vertices, 10u);
  EXPECT_EQ(built.value().edges, 1u);
  built.value().graph.destroy();
  const auto outside = build_brought_graph<&bring_part>({.vertices = 8});
  EXPECT_EQ(outside.status().message(),
            "edge " + std::to_string(cores() - 1) +
                " in memory goes from 7 to 9; expected vertices below 8, the number given");
}

}  // namespace
}  // namespace orujo::internal::graph
