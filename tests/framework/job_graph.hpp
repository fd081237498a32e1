// Builds test graphs inside a job.
#pragma once

#include <algorithm>
#include <map>

#include "framework/graph/build/build.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/verify/simple_graph.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/test_graphs.hpp"

namespace orujo::internal::test_graphs {

// The edges that core c of n holds: every n-th.
inline graph::input_edges part_of_input(const test_graph& whole, core_id c, int n) {
  graph::input_edges part;
  part.vertex_count = whole.vertex_count;
  part.weighted = !whole.list.weights.empty();
  for (std::size_t k = static_cast<std::size_t>(c); k < whole.list.edges.size();
       k += static_cast<std::size_t>(n)) {
    part.mine.edges.push_back(whole.list.edges[k]);
    if (part.weighted) part.mine.weights.push_back(whole.list.weights[k]);
  }
  return part;
}

// [task; suspends] Graph number `index` of all(); every process makes the same list.
inline graph::distributed_graph build(std::size_t index, const graph::build_options& options) {
  return graph::distributed_graph(containers::symmetric<std::shared_ptr<graph::locale_graph>>::create_by(
      [=] { return graph::build(part_of_input(all()[index], my_core(), cores()), options).value(); }));
}

// [task; suspends] The same for any graph. Core 0 sends each core its edges.
inline graph::distributed_graph build(const test_graph& whole, const graph::build_options& options) {
  const auto make = [=, from = at_home(whole)] {
    by_core<std::vector<edge>> edges(cores());
    by_core<std::vector<float>> weights(cores());
    graph::input_edges mine;
    if (my_core() == 0) {
      for (core_id c = 0; c < cores(); ++c) {
        graph::input_edges part = part_of_input(*from, c, cores());
        edges[c] = std::move(part.mine.edges);
        weights[c] = std::move(part.mine.weights);
      }
      mine.vertex_count = from->vertex_count;
      mine.weighted = !from->list.weights.empty();
    }
    mine.mine = {collectives::all_to_all(edges)[0], collectives::all_to_all(weights)[0]};
    const std::uint64_t count = collectives::broadcast(mine.vertex_count.value_or(~std::uint64_t{0}), 0);
    if (count != ~std::uint64_t{0}) mine.vertex_count = count;
    mine.weighted = collectives::broadcast(mine.weighted, 0);
    return graph::build(std::move(mine), options).value();
  };
  return graph::distributed_graph(
      containers::symmetric<std::shared_ptr<graph::locale_graph>>::create_by(make));
}

struct plain_edge {
  std::uint64_t source, target;  // vertex numbers
  float weight;
  friend auto operator<=>(const plain_edge&, const plain_edge&) = default;
};

// The result that the build promises, computed serially: the edges by vertex numbers, sorted.
struct expected_graph {
  std::vector<std::uint64_t> ids;
  std::vector<plain_edge> edges;

  expected_graph(const test_graph& g, const graph::build_options& options) {
    const auto& list = g.list;
    if (g.vertex_count) {
      for (std::uint64_t v = 0; v < *g.vertex_count; ++v) ids.push_back(v);
    } else {
      for (const edge& e : list.edges) ids.insert(ids.end(), {e.source, e.target});
      std::sort(ids.begin(), ids.end());
      ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    }
    const auto number = [&](std::uint64_t id) {
      return static_cast<std::uint64_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
    };
    for (std::size_t k = 0; k < list.edges.size(); ++k) {
      const plain_edge e{number(list.edges[k].source), number(list.edges[k].target),
                         list.weights.empty() ? 1.0f : list.weights[k]};
      if (options.remove_self_loops && e.source == e.target) continue;
      edges.push_back(e);
      if (options.symmetrize) edges.push_back({e.target, e.source, e.weight});
    }
    std::sort(edges.begin(), edges.end());
    if (options.symmetrize || options.remove_duplicates) {
      const auto same = [](const auto& a, const auto& b) {
        return a.source == b.source && a.target == b.target;
      };
      edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
    }
  }
};

}  // namespace orujo::internal::test_graphs
