// Graphs of files whose rows may be taken as they are, compared with the edges that were written.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "framework/graph/build/load.hpp"
#include "system/containers/symmetric.hpp"
#include "system/loops/forall.hpp"
#include "tests/framework/collected_graph.hpp"

namespace orujo::internal::test_graphs {

inline auto key(const plain_edge& e) { return std::tuple(e.source, e.target, e.weight); }
inline bool ascends(const plain_edge& a, const plain_edge& b) { return key(a) < key(b); }

inline std::vector<plain_edge> reverse_of(std::vector<plain_edge> edges) {
  for (plain_edge& e : edges) std::swap(e.source, e.target);
  return edges;
}

// The edges that the request makes of these, serially.
inline std::vector<plain_edge> expected(std::vector<plain_edge> edges, bool weighted,
                                        const graph::graph_request& request) {
  if (!weighted || request.ignore_weights)
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

// Loads the graph in all forms.
inline void expect_graph(const graph::graph_request& request, const std::vector<plain_edge>& edges,
                         bool weighted, const std::string& format) {
  const graph::edge_forms forms{.in_vectors = true, .in_rows = true, .out_rows = true};
  const auto loaded = graph::load_graph(request, forms);
  ASSERT_TRUE(loaded.ok()) << loaded.status().message();
  EXPECT_EQ(loaded.value().format, format);
  std::vector<plain_edge> wanted = expected(edges, weighted, request),
                          got = collect(loaded.value().graph).edges;
  collected_rows rows = collect_rows(loaded.value().graph);
  EXPECT_EQ(loaded.value().graph.here().both_ways, are_both_ways(wanted));
  EXPECT_EQ(loaded.value().graph.here().symmetric, request.symmetrize);
  for (auto* list : {&got, &rows.in, &rows.out}) {
    std::ranges::sort(*list, ascends);
    EXPECT_EQ(*list, wanted);
  }
  loaded.value().graph.destroy();
}

// Returns whether Load() takes the rows as they are, at all cores or at none.
template <result<std::shared_ptr<graph::locale_graph>> (*Load)(graph::load_request&)>
bool rows_are_taken(const graph::graph_request& request) {
  const auto taken = containers::symmetric<char>::create();
  loops::on_all_cores(
      [=](const graph::graph_request& asked) {
        graph::load_request resolved = graph::resolve(asked).value();
        resolved.build.keep.out_rows = true;
        const auto made = Load(resolved);
        taken.here() = made.ok() && made.value() != nullptr;
      },
      request);
  const int cores_that_took = loops::combined_on_all_cores([=] { return taken.here() ? 1 : 0; });
  taken.destroy();
  EXPECT_TRUE(cores_that_took == 0 || cores_that_took == cores());
  return cores_that_took > 0;
}

inline std::vector<graph::graph_request> requests_of(const std::string& path) {
  return {{.graph = path},
          {.graph = path, .symmetrize = true},
          {.graph = path, .remove_self_loops = true},
          {.graph = path, .remove_duplicates = true},
          {.graph = path, .ignore_weights = true},
          {.graph = path, .symmetrize = true, .keep_weight = "sum"},
          {.graph = path, .partition = "hash"}};
}

}  // namespace orujo::internal::test_graphs
