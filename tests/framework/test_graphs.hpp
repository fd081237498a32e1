// Small graphs that have broken graph engines before, and random ones.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "framework/formats/edge.hpp"
#include "system/base/random.hpp"
#include "tests/sanitized.hpp"

namespace orujo::internal::test_graphs {

// The sanitizers take 5 and 20 times as long, and find what they find in small graphs, too.
inline constexpr std::size_t share = sanitized ? 4 : 1;
inline constexpr std::size_t largest = sanitized ? 1500 : 20'000;
inline constexpr std::uint64_t star_edges = sanitized ? 1000 : 3000;
inline constexpr int path_edges = sanitized ? 60 : 300;  // each is a superstep for most algorithms

struct test_graph {
  std::string name;
  formats::edge_list list;
  std::optional<std::uint64_t> vertex_count;  // ids 0..vertex_count-1; otherwise those that occur
};

inline formats::edge_list random_edges(std::uint64_t seed, std::uint64_t ids, std::size_t edges,
                                       bool weighted, std::uint64_t spread = 1) {
  random_stream random(seed);
  formats::edge_list list;
  for (std::size_t k = 0; k < edges; ++k) {
    // The minimum of two draws: small ids get most of the edges.
    const auto draw = [&] { return std::min(random.below(ids), random.below(ids)) * spread; };
    list.edges.push_back({draw(), draw()});
    if (weighted) list.weights.push_back(static_cast<float>(random.below(100)));
  }
  return list;
}

inline std::vector<test_graph> make_all() {
  std::vector<test_graph> graphs;
  graphs.push_back({"isolated", {}, 5});    //   0  1  2  3  4
  graphs.push_back({"one_vertex", {}, 1});  //   0
  graphs.push_back({"no_vertex", {}, 0});
  graphs.push_back({"self_loop", {{{7, 7}}, {}}, {}});  //   7 <-> itself
  graphs.push_back({"one_edge", {{{3, 1}}, {}}, {}});   //   3 -> 1
  graphs.push_back({"parallel_edges", {{{0, 1}, {0, 1}, {1, 0}, {0, 1}, {2, 2}, {2, 2}}, {}}, {}});
  test_graph star_in{"star_in", {}, {}}, star_out{"star_out", {}, {}}, path{"path", {}, {}},
      full{"complete", {}, {}};
  for (std::uint64_t v = 1; v <= star_edges; ++v) {
    star_in.list.edges.push_back({v, 0});   // all -> 0: one vertex with all in-edges
    star_out.list.edges.push_back({0, v});  // 0 -> all
  }
  for (std::uint64_t v = 1; v <= path_edges; ++v) path.list.edges.push_back({v - 1, v});
  constexpr std::uint64_t all_joined = sanitized ? 25 : 50;
  for (std::uint64_t u = 0; u < all_joined; ++u) {
    for (std::uint64_t v = 0; v < all_joined; ++v) full.list.edges.push_back({u, v});
  }
  for (test_graph* g : {&star_in, &star_out, &path, &full}) graphs.push_back(std::move(*g));
  graphs.push_back(
      {"largest_ids", {{{~std::uint64_t{0}, 0}, {0, ~std::uint64_t{0}}, {1u << 31, 5}}, {}}, {}});
  graphs.push_back({"random", random_edges(1, 500, 4000 / share, false), {}});
  graphs.push_back({"random_weighted", random_edges(2, 300, 3000 / share, true), {}});
  graphs.push_back(
      {"random_with_isolated", random_edges(3, 2000 / share, 1500 / share, false), 2000 / share});
  graphs.push_back({"random_sparse_ids", random_edges(4, 400, 3000 / share, true, 0x1234567890abu), {}});
  graphs.push_back({"random_larger", random_edges(5, largest, 3 * largest, false), {}});
  return graphs;
}

// The same in every process, made once.
inline const std::vector<test_graph>& all() {
  static const std::vector<test_graph> graphs = make_all();
  return graphs;
}

// Returns whether the running test is to take the input with this number of many. The sanitizers take every
// third, others in each test, since most of the time of such a test is that of its supersteps, not of its
// edges.
inline bool is_in_turn(std::size_t number) {
  if (!sanitized) return true;
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  return (number + std::hash<std::string>()(std::string(test.test_suite_name()) + test.name())) % 3 == 0;
}
inline std::vector<std::size_t> places_in_turn() {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < all().size(); ++k) {
    if (is_in_turn(k)) places.push_back(k);
  }
  return places;
}
inline std::vector<std::reference_wrapper<const test_graph>> in_turn() {
  std::vector<std::reference_wrapper<const test_graph>> graphs;
  for (const std::size_t k : places_in_turn()) graphs.emplace_back(all()[k]);
  return graphs;
}

// Weights from 0 to 1.5, so that some vertices have only edges of weight 0.
inline test_graph with_weights(test_graph whole) {
  whole.list.weights.clear();
  for (std::size_t k = 0; k < whole.list.edges.size(); ++k)
    whole.list.weights.push_back(static_cast<float>(k * 7 % 16 % 4) / 2);
  return whole;
}

}  // namespace orujo::internal::test_graphs
