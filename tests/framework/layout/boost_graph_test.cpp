#include "framework/layout/boost_graph.hpp"

#include <gtest/gtest.h>
#include <boost/graph/breadth_first_search.hpp>

#include <algorithm>
#include <string>

#include "framework/layout/orders.hpp"
#include "tests/framework/layout/random_edges.hpp"

namespace orujo::internal::layout {
namespace {

struct town {
  std::string name;
};
struct road {
  int length = 0;
};
using boost::adjacency_list, boost::vecS;
using directed_list = adjacency_list<vecS, vecS, boost::directedS, town, road>;
using undirected_list = adjacency_list<vecS, vecS, boost::undirectedS, town, road>;
using tagged_list =
    adjacency_list<vecS, vecS, boost::bidirectionalS, boost::property<boost::vertex_name_t, int>>;
using rows = boost::compressed_sparse_row_graph<boost::directedS, town, road>;
using bare_rows = boost::compressed_sparse_row_graph<boost::directedS>;

// The library's search: levels by vertex, -1 where it has not been.
template <class Graph>
std::vector<int> levels_from(const Graph& g, std::size_t root) {
  std::vector<int> levels(num_vertices(g), -1);
  levels[root] = 0;
  boost::breadth_first_search(
      g, vertex(root, g),
      boost::visitor(boost::make_bfs_visitor(boost::record_distances(levels.data(), boost::on_tree_edge()))));
  return levels;
}

const block_levels small = {64, 256};

template <class Graph>
void expect_same_searches(const Graph& g, const laid_out_graph<Graph>& laid) {
  ASSERT_EQ(num_vertices(laid.graph), num_vertices(g));
  ASSERT_EQ(num_edges(laid.graph), num_edges(g));
  for (std::size_t root = 0; root < num_vertices(g); root += 17) {
    const std::vector<int> before = levels_from(g, root);
    const std::vector<int> after = levels_from(laid.graph, laid.place[root]);
    for (std::size_t v = 0; v < before.size(); ++v) EXPECT_EQ(after[laid.place[v]], before[v]);
  }
  for (std::size_t v = 0; v < laid.order.size(); ++v) EXPECT_EQ(laid.place[laid.order[v]], v);
}

template <class Graph>
Graph random_list(std::uint64_t seed) {
  Graph g(100);
  int length = 0;
  for (const edge& e : testing::random_edges(100, 250, seed)) {
    const auto added = add_edge(e.source, e.target, g).first;
    if constexpr (std::is_same_v<typename Graph::edge_bundled, road>) g[added].length = ++length;
  }
  return g;
}

TEST(boost_graph, of_lists_has_the_searches_and_properties_of_the_original) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    auto g = random_list<directed_list>(seed);
    for (std::size_t v = 0; v < 100; ++v) g[v].name = std::to_string(v);
    const auto laid = lay_out(g, small, 8);
    expect_same_searches(g, laid);
    std::vector<std::pair<std::string, int>> before, after;  // roads by the town they begin at
    const auto collect = [](const directed_list& of, auto& to) {
      for (auto [e, last] = edges(of); e != last; ++e)
        to.emplace_back(of[source(*e, of)].name, of[*e].length);
      std::sort(to.begin(), to.end());
    };
    collect(g, before);
    collect(laid.graph, after);
    EXPECT_EQ(after, before);

    const auto both_ways = random_list<undirected_list>(seed);
    expect_same_searches(both_ways, lay_out(both_ways, small, 8));
    auto tagged = random_list<tagged_list>(seed);
    for (std::size_t v = 0; v < 100; ++v) put(boost::vertex_name, tagged, v, static_cast<int>(v));
    const auto laid_tagged = lay_out(tagged, small, 8);
    expect_same_searches(tagged, laid_tagged);
    for (std::size_t v = 0; v < 100; ++v)
      EXPECT_EQ(get(boost::vertex_name, laid_tagged.graph, laid_tagged.place[v]), static_cast<int>(v));
  }
}

TEST(boost_graph, of_compressed_rows_has_the_searches_and_properties_of_the_original) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    std::vector<std::pair<std::size_t, std::size_t>> ends;
    std::vector<road> roads;
    for (const edge& e : testing::random_edges(100, 250, seed)) {
      ends.emplace_back(e.source, e.target);
      roads.push_back({static_cast<int>(e.source * 100 + e.target)});
    }
    rows g(boost::edges_are_unsorted_multi_pass, ends.begin(), ends.end(), roads.begin(), 100);
    for (std::size_t v = 0; v < 100; ++v) g[v].name = std::to_string(v);
    const auto laid = lay_out(g, small, 8);
    expect_same_searches(g, laid);
    for (auto [e, last] = edges(laid.graph); e != last; ++e) {
      const std::size_t from = laid.order[source(*e, laid.graph)], to = laid.order[target(*e, laid.graph)];
      EXPECT_EQ(laid.graph[*e].length, static_cast<int>(from * 100 + to));
    }
    for (std::size_t v = 0; v < 100; ++v) EXPECT_EQ(laid.graph[laid.place[v]].name, std::to_string(v));
    const bare_rows bare(boost::edges_are_unsorted_multi_pass, ends.begin(), ends.end(), 100);
    expect_same_searches(bare, lay_out(bare, small, 8));
  }
}

TEST(boost_graph, is_in_the_order_of_hierarchical_blocking) {
  const undirected_graph tree = testing::complete_tree(500);
  undirected_list g(500);
  for (std::uint32_t v = 1; v < 500; ++v) add_edge((v - 1) / 2, v, g);
  EXPECT_EQ(lay_out(g, small, 8).order, hierarchical_order(tree, small, 8));
}

}  // namespace
}  // namespace orujo::internal::layout
