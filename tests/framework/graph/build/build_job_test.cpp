#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <new>
#include <set>
#include <utility>

#include "framework/graph/build/edges_in_memory.hpp"
#include "framework/graph/build/place_on_grid.hpp"
#include "framework/graph/grid_of_locales.hpp"
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
  for (const std::size_t g : test_graphs::places_in_turn()) expect_right_graph(g, {});
}

TEST(build, removes_self_loops_and_duplicates_and_symmetrizes) {
  for (const std::size_t g : test_graphs::places_in_turn()) {
    expect_right_graph(g, {.remove_self_loops = true, .symmetrize = false, .remove_duplicates = false});
    expect_right_graph(g, {.remove_self_loops = false, .symmetrize = true, .remove_duplicates = false});
    expect_right_graph(g, {.remove_self_loops = true, .symmetrize = false, .remove_duplicates = true});
  }
}

TEST(build, keeps_every_edge_in_any_encoding) {
  for (const std::size_t g : test_graphs::places_in_turn()) {
    build_options options;
    for (const std::size_t segments : {1, 2, 7}) {
      options.segments = segments;
      options.bundle_depth = segments == 7 ? 0 : 5;
      expect_right_graph(g, options);
    }
  }
}

TEST(build, keeps_every_edge_where_vertices_are_scattered) {
  for (const std::size_t g : test_graphs::places_in_turn()) {
    expect_right_graph(g, {.partition = {.hash = true}});
    expect_right_graph(g, {.symmetrize = true, .partition = {.hash = true, .alpha = 0}});
  }
}

TEST(build, keeps_every_edge_on_a_grid) {
  for (const std::size_t g : test_graphs::places_in_turn()) {
    for (const bool symmetrize : {false, true}) {
      build_options options{.symmetrize = symmetrize, .partition = {.placement = edge_placement::grid}};
      expect_right_graph(g, options);
      options.partition.hash = options.remove_self_loops = true;
      options.segments = 3;
      expect_right_graph(g, options);
    }
  }
}

// What breaks the rules of the placement, of all locales.
std::vector<std::string> misplaced_on(const distributed_graph& handle) {
  return loops::on_all_cores([handle] {
    const locale_graph& g = handle.here();
    const grid_of_locales grid = grid_of_locales::choose(nodes_of_locales());
    std::vector<std::string> wrong;
    const auto expect = [&](bool right, const char* rule) {
      if (!right) wrong.push_back(rule);
    };
    const auto locale_of = [&](std::uint64_t number) { return shape().locale_of(g.owners.owner(number)); };
    for_each_edge(g.in_edges(), [&](std::uint32_t target, std::uint32_t source, float) {
      expect(grid.row_of(locale_of(g.number_of_target(target))) == grid.row_of(my_locale()), "row");
      expect(grid.column_of(locale_of(g.number_of(source))) == grid.column_of(my_locale()), "column");
    });
    for (const std::uint64_t guest : g.guests)
      expect(locale_of(guest) != my_locale(), "a guest is not its own");
    // What owners believe to be guests elsewhere, and those that are.
    by_core<std::vector<std::uint64_t>> told(cores());
    for (locale_id l = 0; l < locales(); ++l) {
      for (const std::uint32_t v : g.my_part().guests_at[l])
        told[shape().partner(my_core(), l)].push_back(g.number_of(v));
    }
    std::vector<std::uint64_t> believed;
    for (const auto& of_core : collectives::all_to_all(told))
      believed.insert(believed.end(), of_core.begin(), of_core.end());
    const core_part& part = g.my_part();
    const auto first = g.guests.begin() + (part.first_guest - g.own);
    const std::vector<std::uint64_t> mine(first, first + (part.last_guest - part.first_guest));
    expect(believed == mine, "owners know their guests");
    expect(std::ranges::is_sorted(mine), "guests of a core ascend");
    const auto all = collectives::all_gather(wrong);
    std::vector<std::string> together;
    for (const auto& of_core : all) together.insert(together.end(), of_core.begin(), of_core.end());
    return together;
  });
}

TEST(build, places_an_edge_in_the_row_of_its_target_and_the_column_of_its_source) {
  for (const std::size_t g : test_graphs::places_in_turn()) {
    const distributed_graph handle =
        test_graphs::build(g, {.symmetrize = g % 2 == 0, .partition = {.placement = edge_placement::grid}});
    EXPECT_EQ(handle.here().placement, locales() > 1 ? edge_placement::grid : edge_placement::by_target);
    if (locales() > 1) {
      EXPECT_EQ(misplaced_on(handle), std::vector<std::string>()) << test_graphs::all()[g].name;
    }
    handle.destroy();
  }
}

// The test cluster_placement has several nodes.
TEST(build, takes_no_grid_on_one_node_by_itself) {
  test_graphs::test_graph uniform{"uniform", {}, 20'000};
  random_stream random(23);
  for (int k = 0; k < 400'000; ++k)
    uniform.list.edges.push_back({random.below(20'000), random.below(20'000)});
  const distributed_graph handle = test_graphs::build(uniform, {.symmetrize = true});
  EXPECT_EQ(handle.here().placement, edge_placement::by_target);
  handle.destroy();
}

TEST(grid_pays, where_a_fifth_of_many_values_is_saved) {
  EXPECT_TRUE(grid_pays({1'000'000, 700'000}, 16));
  EXPECT_FALSE(grid_pays({1'000'000, 800'000}, 16));
  EXPECT_FALSE(grid_pays({100'000, 50'000}, 16));  // 3,125 per core
  EXPECT_FALSE(grid_pays({0, 0}, 1));
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

void expect_rows_of(const test_graphs::test_graph& whole, build_options options) {
  SCOPED_TRACE(whole.name);
  const test_graphs::expected_graph expected(whole, options);
  const bool both_ways = test_graphs::are_both_ways(expected.edges);
  options.keep.in_vectors = false;
  options.keep.in_rows = !both_ways;
  options.keep.out_rows = true;
  const distributed_graph handle = test_graphs::build(whole, options);
  EXPECT_EQ(handle.here().both_ways, both_ways);
  EXPECT_EQ(handle.here().symmetric, options.symmetrize);
  EXPECT_TRUE(handle.here().in_edges().edges.empty());
  EXPECT_EQ(handle.here().out_rows->arcs.size() > 0, options.keep.arcs && handle.here().weighted);
  EXPECT_EQ(handle.here().in_rows == handle.here().out_rows, both_ways);
  const test_graphs::collected_rows got = test_graphs::collect_rows(handle);
  EXPECT_TRUE(got.in == expected.edges);
  EXPECT_TRUE(got.out == expected.edges);
  handle.destroy();
}

void expect_rows(bool arcs, const partition_options& cut = {}) {
  for (const test_graphs::test_graph& whole : test_graphs::in_turn()) {
    for (const bool symmetrize : {false, true})
      expect_rows_of(whole, {.symmetrize = symmetrize, .partition = cut, .keep = {.arcs = arcs}});
  }
}

TEST(build, keeps_edges_by_vertex_in_both_directions) {
  expect_rows(false);
  expect_rows(false, {.hash = true});
}

TEST(build, keeps_weights_beside_the_neighbours_if_asked) { expect_rows(true); }

// The last three have the degrees of such a graph, and are none.
TEST(build, finds_that_each_edge_is_there_in_both_directions) {
  test_graphs::test_graph both{"both directions", {}, 90};
  std::set<std::pair<std::uint64_t, std::uint64_t>> ends;
  random_stream random(23);
  for (int k = 0; k < 400; ++k) ends.insert(std::minmax({random.below(90), random.below(90)}));
  for (const auto& [a, b] : ends) {
    both.list.edges.push_back({a, b});
    if (a != b) both.list.edges.push_back({b, a});
  }
  const auto weigh = [](test_graphs::test_graph of) {
    for (const edge& e : of.list.edges)
      of.list.weights.push_back(static_cast<float>((e.source + e.target) % 7 + 1));
    return of;
  };
  test_graphs::test_graph ring{"a ring", {}, 90}, twice = both, heavier = weigh(both);
  for (std::uint64_t v = 0; v < 90; ++v) ring.list.edges.push_back({v, (v + 1) % 90});
  twice.name = "edges that are there twice";
  twice.list.edges.insert(twice.list.edges.end(), both.list.edges.begin(), both.list.edges.end());
  heavier.name = "another weight in one direction";
  heavier.list
      .weights[std::ranges::find_if(both.list.edges, [](const edge& e) { return e.source != e.target; }) -
               both.list.edges.begin()] += 1;
  for (const auto* whole : {&both, &ring, &twice, &heavier}) {
    for (const bool hash : {false, true}) expect_rows_of(*whole, {.partition = {.hash = hash}});
  }
  expect_rows_of(weigh(both), {});
  expect_rows_of(weigh(both), {.keep = {.arcs = true}});
  expect_rows_of(twice, {.remove_duplicates = true});
}

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
  for (const test_graphs::test_graph& whole : test_graphs::in_turn()) {
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
  for (const std::size_t k : test_graphs::places_in_turn()) {
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
