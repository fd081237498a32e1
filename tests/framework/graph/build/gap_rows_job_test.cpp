// Serialized graphs of the GAP suite are loaded row by row where their rows can be used, and as edges
// otherwise: the same graphs.
#include "framework/graph/build/gap_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <tuple>
#include <vector>

#include "framework/formats/source_bytes.hpp"
#include "framework/graph/build/load.hpp"
#include "tests/framework/graph/build/given_rows_cases.hpp"
#include "tests/framework/test_graphs.hpp"
#include "tests/system/base/scratch_folder.hpp"

namespace orujo::internal::graph {
namespace {

using test_graphs::ascends, test_graphs::plain_edge, test_graphs::requests_of, test_graphs::reverse_of;

constexpr std::uint64_t vertices = 300;

struct gap_edges {
  std::vector<plain_edge> edges;  // both ways if undirected
  bool directed = false, weighted = false;
};

gap_edges drawn(std::uint64_t seed, bool directed, bool weighted) {
  gap_edges made{{}, directed, weighted};
  const formats::edge_list list = test_graphs::random_edges(seed, vertices - 20, 2000, weighted);
  for (std::size_t k = 0; k < list.edges.size(); ++k) {
    const auto [source, target] = list.edges[k];
    const float weight = weighted ? static_cast<float>(k % 50) - 3 : 1;
    made.edges.push_back({source, target, weight});
    if (!directed && source != target) made.edges.push_back({target, source, weight});
  }
  return made;
}

// With `backward` the rows descend, which the format allows.
void append_half(std::string& to, std::vector<plain_edge> edges, bool weighted, bool backward) {
  std::ranges::sort(edges, [backward](const plain_edge& a, const plain_edge& b) {
    return std::pair(a.source, backward ? std::tuple(~a.target, -a.weight) : std::tuple(a.target, a.weight)) <
           std::pair(b.source, backward ? std::tuple(~b.target, -b.weight) : std::tuple(b.target, b.weight));
  });
  for (std::uint64_t v = 0, k = 0; v <= vertices; ++v) {
    formats::append_number(to, k);
    while (k < edges.size() && edges[k].source == v) ++k;
  }
  for (const plain_edge& e : edges) {
    formats::append_number(to, static_cast<std::uint32_t>(e.target));
    if (weighted) formats::append_number(to, static_cast<std::int32_t>(e.weight));
  }
}

// `reversed` is the second half of a directed file.
std::string write_file(const scratch_folder& folder, const gap_edges& of, std::vector<plain_edge> reversed,
                       bool backward = false) {
  std::string bytes(1, of.directed ? '\1' : '\0');
  formats::append_number(bytes, std::uint64_t{of.edges.size()});
  formats::append_number(bytes, vertices);
  append_half(bytes, of.edges, of.weighted, backward);
  if (of.directed) append_half(bytes, std::move(reversed), of.weighted, backward);
  const std::string path = folder / "graph.sg";
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

result<std::shared_ptr<locale_graph>> load_rows_of_gap(load_request& request) {
  return load_gap_rows(request.source, request.build);
}
bool is_taken(const graph_request& request) { return test_graphs::rows_are_taken<load_rows_of_gap>(request); }

void expect_graph(const graph_request& request, const gap_edges& of) {
  test_graphs::expect_graph(request, of.edges, of.weighted, "gap");
}

TEST(gap_rows, give_the_graph_of_the_edges) {
  const scratch_folder folder;
  for (const bool directed : {false, true}) {
    for (const bool weighted : {false, true}) {
      const gap_edges of = drawn(7, directed, weighted);
      const std::string path = write_file(folder, of, reverse_of(of.edges));
      SCOPED_TRACE(testing::Message() << "directed " << directed << ", weighted " << weighted);
      EXPECT_TRUE(is_taken({.graph = path}));
      for (const graph_request& request : requests_of(path)) {
        if (request.keep_weight != "sum") expect_graph(request, of);
      }
    }
  }
}

TEST(gap_rows, are_taken_where_they_are_those_of_the_request) {
  const scratch_folder folder;
  gap_edges plain = drawn(3, false, false);
  std::ranges::sort(plain.edges, ascends);
  plain.edges.erase(std::unique(plain.edges.begin(), plain.edges.end()), plain.edges.end());
  std::erase_if(plain.edges, [](const plain_edge& e) { return e.source == e.target; });
  const std::string path = write_file(folder, plain, {});
  for (const graph_request& request : requests_of(path)) {
    EXPECT_EQ(is_taken(request), request.partition != "hash") << request.symmetrize;
    if (request.keep_weight != "sum") expect_graph(request, plain);
  }
  const gap_edges directed = drawn(3, true, false);
  const std::string other = write_file(folder, directed, reverse_of(directed.edges));
  EXPECT_FALSE(is_taken({.graph = other, .symmetrize = true}));
  EXPECT_FALSE(is_taken({.graph = other, .remove_duplicates = true})) << "there are some";
}

TEST(gap_rows, are_read_as_edges_where_they_cannot_be_used) {
  const scratch_folder folder;
  gap_edges of = drawn(5, true, true);
  EXPECT_FALSE(is_taken({.graph = write_file(folder, of, reverse_of(of.edges), true)})) << "rows descend";
  expect_graph({.graph = folder / "graph.sg"}, of);
  std::vector<plain_edge> others = reverse_of(of.edges);
  others[17].weight += 1;
  EXPECT_FALSE(is_taken({.graph = write_file(folder, of, others)})) << "the halves differ";
  expect_graph({.graph = folder / "graph.sg"}, of);
  of = drawn(5, false, false);
  const auto one = std::ranges::find_if(of.edges, [](const plain_edge& e) { return e.source != e.target; });
  of.edges.erase(one);
  EXPECT_FALSE(is_taken({.graph = write_file(folder, of, {})})) << "an edge is in the row of one end only";
  expect_graph({.graph = folder / "graph.sg"}, of);
}

}  // namespace
}  // namespace orujo::internal::graph
