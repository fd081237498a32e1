// METIS graphs, adjacency graphs and sparse matrices are loaded row by row where their rows can be used, and
// as edges otherwise: the same graphs, and the same errors.
#include "framework/graph/build/listed_rows.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "framework/graph/build/load.hpp"
#include "tests/framework/graph/build/archives.hpp"
#include "tests/framework/graph/build/drawn_files.hpp"
#include "tests/framework/graph/build/given_rows_cases.hpp"
#include "tests/framework/test_graphs.hpp"
#include "tests/system/base/scratch_folder.hpp"

namespace orujo::internal::graph {
namespace {

using test_graphs::ascends, test_graphs::plain_edge;

struct listed {
  std::uint64_t vertices;
  std::vector<plain_edge> edges;  // by source
  bool weighted;
};

std::string metis(const listed& of) {
  std::string text = fmt::format("{} {}{}\n", of.vertices, of.edges.size() / 2, of.weighted ? " 1" : "");
  std::size_t k = 0;
  for (std::uint64_t v = 0; v < of.vertices; ++v) {
    for (; k < of.edges.size() && of.edges[k].source == v; ++k) {
      text += fmt::format(" {}", of.edges[k].target + 1);
      if (of.weighted) text += fmt::format(" {}", of.edges[k].weight);
    }
    text += v % 7 == 0 ? "\n% a comment\n" : "\n";
  }
  return text;
}

std::vector<std::int32_t> row_ends(const listed& of) {
  std::vector<std::int32_t> ends{0};
  std::size_t k = 0;
  for (std::uint64_t v = 0; v < of.vertices; ++v) {
    while (k < of.edges.size() && of.edges[k].source == v) ++k;
    ends.push_back(static_cast<std::int32_t>(k));
  }
  return ends;
}

std::string adjacency_text(const listed& of) {
  std::string text =
      fmt::format("{}AdjacencyGraph\n{}\n{}\n", of.weighted ? "Weighted" : "", of.vertices, of.edges.size());
  const std::vector<std::int32_t> ends = row_ends(of);
  for (std::uint64_t v = 0; v < of.vertices; ++v) text += fmt::format("{}\n", ends[v]);
  for (const plain_edge& e : of.edges) text += fmt::format("{}\n", e.target);
  if (of.weighted)
    for (const plain_edge& e : of.edges) text += fmt::format("{}\n", e.weight);
  return text;
}

std::string matrix(const listed& of) {
  std::vector<std::int32_t> indices;
  std::vector<float> weights;
  for (const plain_edge& e : of.edges) {
    indices.push_back(static_cast<std::int32_t>(e.target));
    weights.push_back(e.weight);
  }
  const auto shape = [](std::size_t size) { return fmt::format("({},)", size); };
  const std::vector<std::int32_t> ends = row_ends(of);
  const auto n = static_cast<std::int64_t>(of.vertices);
  const std::vector<char> bools(indices.size(), 1);
  return drawn::in_archive(
      {{"indices.npy", drawn::numpy_file("<i4", shape(indices.size()), indices)},
       {"indptr.npy", drawn::numpy_file("<i4", shape(ends.size()), ends)},
       {"format.npy", drawn::numpy_file<char>("|S3", "()", {'c', 's', 'r'})},
       {"shape.npy", drawn::numpy_file<std::int64_t>("<i8", "(2,)", {n, n})},
       {"data.npy", of.weighted ? drawn::numpy_file("<f4", shape(weights.size()), weights)
                                : drawn::numpy_file("|b1", shape(bools.size()), bools)}},
      true, true);
}

struct format_of_rows {
  std::string name, file;
  std::function<std::string(const listed&)> write;
};
std::vector<format_of_rows> formats_of_rows() {
  return {{"metis", "a.graph", metis}, {"adjacency", "a.adj", adjacency_text}, {"npz", "a.npz", matrix}};
}

std::string written(const scratch_folder& folder, const std::string& name, const std::string& bytes) {
  std::ofstream(folder / name, std::ios::binary) << bytes;
  return folder / name;
}

// These edges in both directions, so loops twice, in the order of rows.
listed both_ways(std::uint64_t vertices, const formats::edge_list& list, bool weighted) {
  listed made{vertices, {}, weighted};
  for (std::size_t k = 0; k < list.edges.size(); ++k) {
    const auto [source, target] = list.edges[k];
    const float weight = weighted ? static_cast<float>(1 + k % 50) : 1;
    made.edges.push_back({source, target, weight});
    made.edges.push_back({target, source, weight});
  }
  std::ranges::sort(made.edges, ascends);
  return made;
}

result<std::shared_ptr<locale_graph>> load_rows_of(load_request& request) {
  request.source.wants_rows = true;
  auto input = read_input(request.source);
  if (!input.ok() || !input.value().rows) return std::shared_ptr<locale_graph>();
  return load_listed_rows(input.value(), request.build);
}
bool are_taken(const graph_request& request) { return test_graphs::rows_are_taken<load_rows_of>(request); }

void expect_graphs(const scratch_folder& folder, const listed& of,
                   std::size_t most_requests = ~std::size_t{0}) {
  std::size_t turn = 0;
  for (const format_of_rows& format : formats_of_rows()) {
    SCOPED_TRACE(testing::Message() << format.name << ", weighted " << of.weighted);
    const std::string path = written(folder, format.file, format.write(of));
    std::vector<graph_request> requests = test_graphs::requests_of(path);
    requests.resize(std::min(requests.size(), most_requests));
    for (const graph_request& request : requests) {
      if (request.keep_weight != "sum" && test_graphs::is_in_turn(turn++))
        test_graphs::expect_graph(request, of.edges, of.weighted, format.name);
    }
  }
}

TEST(listed_rows, give_the_graph_of_the_edges) {
  const scratch_folder folder;
  using test_graphs::random_edges;
  //  0 and 59 have all edges, on either side of vertices without any; the ends of rows lie at all cores
  const formats::edge_list hubs{{{0, 59}, {0, 59}, {0, 0}, {0, 1}, {0, 2}, {59, 59}, {59, 30}, {0, 30}}, {}};
  for (const bool weighted : {false, true}) {
    expect_graphs(folder, both_ways(300, random_edges(7, 280, 2000, false), weighted));
    const listed graphs[] = {both_ways(60, hubs, weighted), both_ways(5, {{{4, 4}}, {}}, weighted),
                             both_ways(1, {{{0, 0}, {0, 0}}, {}}, weighted), both_ways(1, {}, weighted),
                             both_ways(40, {}, weighted)};
    for (const listed& of : graphs) expect_graphs(folder, of, 2);  // as they are, and symmetrized
  }
}

TEST(listed_rows, are_taken_where_they_are_those_of_the_request) {
  const scratch_folder folder;
  std::size_t turn = 0;
  for (const bool weighted : {false, true}) {
    listed plain = both_ways(300, test_graphs::random_edges(3, 280, 2000, false), false);
    std::erase_if(plain.edges, [](const plain_edge& e) { return e.source == e.target; });
    const auto same = [](const plain_edge& a, const plain_edge& b) {
      return a.source == b.source && a.target == b.target;
    };
    plain.edges.erase(std::unique(plain.edges.begin(), plain.edges.end(), same), plain.edges.end());
    plain.weighted = weighted;
    for (plain_edge& e : plain.edges)
      e.weight = weighted ? static_cast<float>(1 + (e.source + e.target) % 9) : 1;
    for (const format_of_rows& format : formats_of_rows()) {
      const std::string path = written(folder, format.file, format.write(plain));
      for (const graph_request& request : test_graphs::requests_of(path)) {
        const bool sums = weighted && request.keep_weight == "sum";
        EXPECT_EQ(are_taken(request), request.partition != "hash" && !sums) << format.name;
        if (!sums && test_graphs::is_in_turn(turn++))
          test_graphs::expect_graph(request, plain.edges, weighted, format.name);
      }
    }
  }
}

TEST(listed_rows, are_edges_where_they_cannot_be_used) {
  const scratch_folder folder;
  listed of = both_ways(90, test_graphs::random_edges(5, 80, 900, false), true);
  const listed good = of;
  std::ranges::reverse(of.edges);  // rows descend
  std::ranges::stable_sort(of.edges, {}, &plain_edge::source);
  for (const format_of_rows& format : formats_of_rows()) {
    EXPECT_TRUE(are_taken({.graph = written(folder, format.file, format.write(good))})) << format.name;
    EXPECT_FALSE(are_taken({.graph = folder / format.file, .remove_duplicates = true})) << "there are some";
    EXPECT_FALSE(are_taken({.graph = written(folder, format.file, format.write(of))})) << format.name;
  }
  expect_graphs(folder, of);
  of = good;
  of.edges.erase(of.edges.begin() + 20);
  of.edges[300].weight += 1;
  for (const format_of_rows& format : formats_of_rows()) {
    if (format.name == "metis") continue;  // each edge has to be in both rows
    const std::string path = written(folder, format.file, format.write(of));
    EXPECT_FALSE(are_taken({.graph = path})) << "a directed graph, " << format.name;
    test_graphs::expect_graph({.graph = path}, of.edges, true, format.name);
  }
}

TEST(listed_rows, have_the_errors_of_edges) {
  const scratch_folder folder;
  const auto refusal = [](const std::string& path, bool by_rows) {
    const auto loaded = load_graph({.graph = path, .partition = by_rows ? "range" : "hash"},
                                   {.out_rows = true, .non_negative_weights = true});
    if (loaded.ok()) loaded.value().graph.destroy();
    return loaded.status().message();
  };
  const auto expect_refusal = [&](const std::string& name, const std::string& bytes,
                                  const std::string& what) {
    const std::string path = written(folder, name, bytes);
    EXPECT_EQ(refusal(path, true), path + what);
    EXPECT_EQ(refusal(path, false), path + what);
  };
  expect_refusal("a.graph", "3 2\n2 3\n1\n\n",
                 ":1:1: this announces 4 neighbours (two for each edge), but the file has 3; get the whole "
                 "file, or correct this number");
  expect_refusal(
      "b.graph", "3 2\n2 3\n1\n2\n",
      ":2:3: vertex 1 has the neighbour 3, which does not list it; expected every edge in the lines "
      "of both its ends");
  expect_refusal("a.adj", "AdjacencyGraph 2 2\n0\n1\n1\n2\n",
                 ":5:1: '2' is not a vertex of the file; expected a number from 0 to 1");
  expect_refusal("b.adj", "WeightedAdjacencyGraph 2 2\n0\n1\n1\n0\n-1\n-1\n",
                 ": the edge from 0 to 1 has the weight -1; expected at least 0");
  listed negative = both_ways(3, {{{0, 1}}, {}}, true);
  for (plain_edge& e : negative.edges) e.weight = -2;
  expect_refusal("a.npz", matrix(negative),
                 "/data.npy: entry 0 is -2, a negative weight; expected none for shortest paths");
}

// Rows are read a piece of the file at a time.
TEST(listed_rows, may_lie_across_pieces) {
  const scratch_folder folder;
  constexpr std::uint64_t vertices = test_graphs::largest;
  listed of = both_ways(vertices, test_graphs::random_edges(11, vertices, 10 * vertices, false), false);
  const std::string text = metis(of);
  test_graphs::expect_graph({.graph = written(folder, "a.graph", text)}, of.edges, false, "metis");
  test_graphs::expect_graph({.graph = written(folder, "a.adj", adjacency_text(of))}, of.edges, false,
                            "adjacency");
  const std::string bad = text.substr(0, text.find('\n', text.size() * 9 / 10)) + " x\n";
  const auto refused = load_graph({.graph = written(folder, "b.graph", bad)});
  const auto line = std::ranges::count(bad, '\n');
  EXPECT_TRUE(refused.status().message().starts_with(fmt::format("{}:{}:", folder / "b.graph", line)))
      << refused.status().message();
}

}  // namespace
}  // namespace orujo::internal::graph
