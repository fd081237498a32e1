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
#include "system/containers/symmetric.hpp"
#include "system/loops/forall.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/collected_graph.hpp"
#include "tests/framework/test_graphs.hpp"
#include "tests/system/base/scratch_folder.hpp"

namespace orujo::graph {
namespace {

using test_graphs::plain_edge;

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

auto key(const plain_edge& e) { return std::tuple(e.source, e.target, e.weight); }
bool ascends(const plain_edge& a, const plain_edge& b) { return key(a) < key(b); }

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

std::vector<plain_edge> reverse_of(std::vector<plain_edge> edges) {
  for (plain_edge& e : edges) std::swap(e.source, e.target);
  return edges;
}

// Returns whether the rows are taken as they are, by all cores or by none.
bool is_taken(const graph_request& request) {
  const auto taken = containers::symmetric<char>::create();
  loops::on_all_cores(
      [=](const graph_request& asked) {
        load_request resolved = resolve(asked).value();
        resolved.build.keep.out_rows = true;
        const auto made = load_gap_rows(resolved.source, resolved.build);
        taken.here() = made.ok() && made.value() != nullptr;
      },
      request);
  const int cores_that_took = loops::combined_on_all_cores([=] { return taken.here() ? 1 : 0; });
  taken.destroy();
  EXPECT_TRUE(cores_that_took == 0 || cores_that_took == cores());
  return cores_that_took > 0;
}

// The edges that the request makes of these, serially.
std::vector<plain_edge> expected(const gap_edges& of, const graph_request& request) {
  std::vector<plain_edge> edges = of.edges;
  if (!of.weighted || request.ignore_weights)
    for (plain_edge& e : edges) e.weight = 1;
  if (request.remove_self_loops)
    std::erase_if(edges, [](const plain_edge& e) { return e.source == e.target; });
  if (request.symmetrize) {
    const std::vector<plain_edge> reversed = reverse_of(edges);
    edges.insert(edges.end(), reversed.begin(), reversed.end());
  }
  std::ranges::sort(edges, ascends);
  if (request.symmetrize || request.remove_duplicates) {
    const auto same = [](const plain_edge& a, const plain_edge& b) {
      return a.source == b.source && a.target == b.target;
    };
    edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
  }
  return edges;
}

void expect_graph(const graph_request& request, const gap_edges& of) {
  const edge_forms forms{.in_vectors = true, .in_rows = true, .out_rows = true};
  const auto loaded = load_graph(request, forms);
  ASSERT_TRUE(loaded.ok()) << loaded.status().message();
  EXPECT_EQ(loaded.value().format, "gap");
  std::vector<plain_edge> wanted = expected(of, request),
                          got = test_graphs::collect(loaded.value().graph).edges;
  test_graphs::collected_rows rows = test_graphs::collect_rows(loaded.value().graph);
  for (auto* list : {&got, &rows.in, &rows.out}) {
    std::ranges::sort(*list, ascends);
    EXPECT_EQ(*list, wanted);
  }
  loaded.value().graph.destroy();
}

std::vector<graph_request> requests_of(const std::string& path) {
  return {{.graph = path},
          {.graph = path, .symmetrize = true},
          {.graph = path, .remove_self_loops = true},
          {.graph = path, .remove_duplicates = true},
          {.graph = path, .ignore_weights = true},
          {.graph = path, .symmetrize = true, .keep_weight = "sum"},
          {.graph = path, .partition = "hash"}};
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
}  // namespace orujo::graph
