// The examples of the C++ reference about graphs, algorithms and tables (api_examples_job_test.cpp).
#include <gtest/gtest.h>
#include <orujo/algorithms.hpp>
#include <orujo/device.hpp>
#include <orujo/mapreduce.hpp>
#include <orujo/orujo.hpp>
#include <orujo/relational.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace orujo::api_examples {
namespace {

// A ring of n vertices, 0 -> 1 -> ... -> 0.
global_array<edge> ring(std::size_t n) {
  const auto edges = global_array<edge>::create(n);
  forall(edges, [n](std::size_t i, edge& e) { e = {i, (i + 1) % n}; });
  return edges;
}

// example: run
struct hops {                   // how far each vertex is from vertex 0, along edges
  using value = std::uint32_t;  // what a vertex shows its out-neighbours
  static constexpr auto combine = minimum{};
  static constexpr bool incremental = true;  // only vertices with news are looked at
  using aggregate = nothing;
  template <class V>
  V gather(V of_neighbour, V) const {
    return of_neighbour + V{1};
  }
  bool starts(const vertex& v) const { return v.id() == 0; }
  value start(const vertex& v, aggregate&) const { return starts(v) ? 0 : 1 << 30; }
  bool apply(const vertex&, value nearest, value& shown, aggregate&) const {
    if (nearest >= shown) return false;
    shown = nearest;
    return true;  // tell the out-neighbours
  }
};

std::uint32_t farthest(distributed_graph graph) {
  const auto found = property<std::uint32_t>::create(graph);
  hops program;
  const run_report report = run(program, graph, found, {.most_supersteps = 1000});
  check(report.ended, "the hops have settled");
  const std::uint32_t most = vertex_reduce(
      vertex_set::all(graph), [found](const vertex& v) { return found[v]; },
      [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
  found.destroy();
  return most;
}
// end of example

// example: edge_map, vertex_set, edge_map_options, any
struct reach {  // visits each out-neighbour of a set once
  using value = std::uint32_t;
  static constexpr auto combine = any{};
  property<std::uint32_t> level;
  std::uint32_t now;
  value show(const vertex&) const { return now; }
  bool wants(const vertex& v) const { return level[v] == 0; }
  bool visit(const vertex& v, value) const {
    level[v] = now;
    return true;  // a member of the next frontier
  }
};

std::uint64_t search(distributed_graph graph, std::uint64_t source) {
  const auto level = property<std::uint32_t>::create(graph);
  vertex_set frontier = vertex_set::of(graph, {source});
  vertex_map(frontier, [level](const vertex& v) { level[v] = 1; });
  std::uint64_t reached = frontier.size();
  for (std::uint32_t now = 2; !frontier.empty(); ++now) {
    frontier = edge_map(frontier, reach{level, now});
    reached += frontier.size();
  }
  level.destroy();
  return reached;
}
// end of example

TEST(api_examples, graphs) {
  const std::size_t n = 10;
  // example: build_graph, edges_in_memory, loaded_graph, edge, find_vertex, has_edge, out_neighbours,
  // in_neighbours, adjacent_vertex
  const auto edges = global_array<edge>::create(n);
  forall(edges, [](std::size_t i, edge& e) { e = {i, (i + 1) % n}; });  // a ring
  const auto built = build_graph({.edges = edges}, {.in_rows = true, .out_rows = true});
  if (!built.ok()) return;  // built.status() says why
  const distributed_graph graph = built.value().graph;
  EXPECT_EQ(built.value().vertices, n);

  const std::uint64_t three = find_vertex(graph, std::uint64_t{3}).value();  // its number, by id
  const std::vector<adjacent_vertex> next = out_neighbours(graph, three);
  EXPECT_TRUE(has_edge(graph, three, next[0].number));
  edges.destroy();
  // end of example

  EXPECT_EQ(search(graph, three), n);
  // example: vertex_map, vertex_filter, vertex_reduce, unite, intersect, subtract, property, vertex
  const auto ids = property<std::uint64_t>::create(graph);
  const vertex_set all = vertex_set::all(graph);
  vertex_map(all, [ids](const vertex& v) { ids[v] = v.id(); });
  const vertex_set even = vertex_filter(all, [ids](const vertex& v) { return ids[v] % 2 == 0; });
  const vertex_set odd = subtract(all, even);
  EXPECT_EQ(unite(even, odd).size(), all.size());
  EXPECT_TRUE(intersect(even, odd).empty());
  EXPECT_EQ(vertex_reduce(all, [ids](const vertex& v) { return ids[v]; }), 45);
  // end of example

  // example: neighbour_map, neighbours
  const auto sums = property<std::uint64_t>::create(graph);
  neighbour_map(graph, ids, [sums](const vertex& v, std::uint64_t, const neighbours<std::uint64_t>& in) {
    for (const auto& [id, weight] : in) sums[v] += id;  // of all in-neighbours at once
  });
  // end of example
  sums.destroy();

  // example: write_values, read_values, read_words, visit_vertices
  const std::string path =
      "/tmp/orujo_api_example." + std::to_string(mix64(reinterpret_cast<std::uint64_t>(&path)));
  const status written = write_values(graph, ids, path);  // a line "ID VALUE" for each vertex
  const status read_back = read_values(graph, ids, path);
  const auto places = property<std::uint32_t>::create(graph);
  const status read_places = read_words(graph, places, path, {"7", "3"});  // 2 for the vertex with "3", or 0
  EXPECT_TRUE(written.ok() && read_back.ok() && read_places.ok());
  EXPECT_EQ(vertex_reduce(all, [places](const vertex& v) { return places[v]; }), 3u);
  places.destroy();
  std::remove(path.c_str());
  // end of example
  ids.destroy();

  // example: transposed
  const distributed_graph reversed = transposed(graph);
  EXPECT_EQ(out_neighbours(reversed, three)[0].number, in_neighbours(graph, three)[0].number);
  reversed.destroy();
  // end of example
  graph.destroy();

  const auto for_hops = ring(n);
  // example: forms_for, distributed_graph
  const auto loaded = build_graph<hops>({.edges = for_hops});  // in the forms that the program needs
  const distributed_graph small = loaded.value().graph;
  EXPECT_EQ(farthest(small), n - 1);
  // end of example

  // example: device_selection, device_kind, forms_on, device_from_flags
  const device_selection on_gpu{.wanted = device_kind::emulated,
                                .number = {}};  // device_from_flags() is what --device asks for
  const auto again = build_graph({.edges = for_hops}, forms_on(on_gpu, forms_for<hops>()));
  const distributed_graph in_rows = again.value().graph;
  hops program;
  EXPECT_TRUE(run(program, in_rows, {.device = on_gpu}).on_gpu);
  in_rows.destroy();
  // end of example
  small.destroy();
  for_hops.destroy();
}

TEST(api_examples, algorithms) {
  const auto edges = ring(100);
  const auto built = build_graph({.edges = edges, .symmetrize = true}, {.in_rows = true, .out_rows = true});
  const distributed_graph graph = built.value().graph;
  // example: <orujo/algorithms.hpp>, core_numbers, connected_components, breadth_first_search
  const auto numbers = property<std::uint32_t>::create(graph);
  const std::uint32_t largest_core = on_all_cores([graph, numbers] {
    algorithms::core_numbers cores(graph.here(), numbers.here());  // every core makes its part
    return cores.run().largest;
  });
  EXPECT_EQ(largest_core, 2);

  on_all_cores([graph, numbers] {
    algorithms::connected_components<std::uint32_t>(graph.here(), numbers.here()).run();
  });
  const int levels =
      on_all_cores([graph] { return algorithms::breadth_first_search(graph.here()).run(0).levels; });
  // end of example
  EXPECT_GT(levels, 40);

  // example: pagerank, pagerank_settings
  const auto for_ranks = build_graph<algorithms::pagerank<double>>({.edges = edges});
  const distributed_graph web = for_ranks.value().graph;
  const auto ranks = property<double>::create(web);
  on_all_cores([web, ranks] {  // a vertex program, run by all cores
    algorithms::pagerank<double> program(web.here(), ranks.here(), {.tolerance = 1e-9});
    run(program, web.here());
  });
  // end of example
  ranks.destroy();
  web.destroy();
  numbers.destroy();
  graph.destroy();
  edges.destroy();
}

TEST(api_examples, map_and_reduce) {
  // example: map_reduce, global_groups, largest, sorted, map_options, map_summary
  const auto counts = global_groups<std::string_view, std::uint64_t>::create();
  const auto most = on_all_cores([counts] {
    map_reduce(counts, [](auto& emit) {  // each core emits its pairs; equal keys are summed
      for (const std::string_view word : {"a", "rose", "is", "a", "rose"}) emit(word, 1);
    });
    const auto ordered = sorted(counts);  // each core gets a part, in the order of the words
    static_cast<void>(ordered);
    return largest(counts, 1);  // at core 0
  });
  EXPECT_EQ(most[0].first, "a");
  EXPECT_EQ(counts.lookup("rose").value(), 2 * static_cast<std::uint64_t>(cores()));
  counts.destroy();
  // end of example
}

TEST(api_examples, queries) {
  // example: database, answer, answer_part, brought_table, load_tables, column_kind, edges_of, real_of
  const auto made = database::made_by([] {
    const brought_table towns{"towns",
                              {{"town", column_kind::text}, {"people", column_kind::integer}},
                              [](const auto& take) {  // each core brings its rows
                                if (my_core() == 0) take({"Lisse", 23'000}), take({"Delft", 104'000});
                              }};
    return load_tables({}, {towns});
  });
  const database data = made.value();
  const auto found = data.select("SELECT town, people FROM towns ORDER BY people DESC");
  EXPECT_EQ(found.value().rows(), 2);
  const answer_part& first = found.value().local();  // core 0 has the first rows
  EXPECT_EQ(first.text(first.rows.columns[0][0]), "Delft");
  found.value().destroy();
  data.destroy();
  // end of example
}

}  // namespace
}  // namespace orujo::api_examples

// example: <orujo/device.hpp>, runs_on, emulated_gpu, cuda_gpu
// In any source: the program can run with --device=emulated. With orujo::cuda_gpu, in a source for CUDA's
// compiler, it can run with --device=cuda.
template struct orujo::runs_on<orujo::api_examples::hops, orujo::emulated_gpu>;
// end of example
