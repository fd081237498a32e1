// A distributed graph of all locales, collected at core 0.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "system/delegates/scatter.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::internal::test_graphs {

// Vertices by the positions of their ids.
struct collected {
  std::vector<plain_edge> edges;
  std::map<std::uint64_t, std::uint64_t> external_id;
  std::map<std::uint64_t, std::uint64_t> out_degree, in_degree;
  std::uint64_t invalid = 0;  // locales whose encoding breaks its rules
};

// Vectors of guests' edges have segments of their own.
inline bool has_valid_vectors(const graph::locale_graph& g) {
  if (g.placement != graph::edge_placement::grid)
    return graph::validate(g.in_edges(), g.own, g.own + g.mirrors).ok();
  const graph::vector_sparse_view edges = g.in_edges();
  return std::ranges::all_of(g.segments, [&](const graph::edge_segment& segment) {
    const auto slices =
        std::span(g.slices).subspan(segment.first_slice, segment.last_slice - segment.first_slice);
    return std::ranges::all_of(slices, [&](const graph::edge_slice& slice) {
      return graph::validate_slice(edges, segment, slice, g.targets()).ok();
    });
  });
}

inline void send_here(graph::distributed_graph handle, collected* to) {
  const graph::locale_graph& g = handle.here();
  delegates::completion_event sent;
  if (!has_valid_vectors(g)) {
    delegates::async_call(sent, 0, [=] { ++to->invalid; });
  }
  for_each_edge(g.in_edges(), [&](std::uint32_t target, std::uint32_t source, float weight) {
    const plain_edge e{g.position_of(source), g.numbers.position(g.number_of_target(target)), weight};
    delegates::async_call(sent, 0, [=] { to->edges.push_back(e); });
  });
  for (std::uint32_t v = 0; v < g.own; ++v) {
    const std::uint64_t position = g.position_of(v), id = g.external_id(v), out = g.out_degree[v],
                        in = g.in_degree(v);
    delegates::async_call(sent, 0, [=] {
      to->external_id[position] = id;
      to->out_degree[position] = out;
      to->in_degree[position] = in;
    });
  }
  sent.wait();
}

// The edges of both kinds of rows, brought to core 0.
struct collected_rows {
  std::vector<plain_edge> in, out;
};

inline void send_rows_here(graph::distributed_graph handle, collected_rows* to) {
  const graph::locale_graph& g = handle.here();
  delegates::completion_event sent;
  const auto send = [&](const graph::adjacency& rows, auto edge_of, auto append) {
    for (std::uint32_t v = 0; v < g.own; ++v) {
      for (std::uint64_t k = rows.offsets[v]; k < rows.offsets[v + 1]; ++k) {
        const auto [neighbour, weight] = rows.edge_at(k);
        plain_edge e = edge_of(g.position_of(v), g.position_of(neighbour));
        e.weight = weight;
        delegates::async_call(sent, 0, [=] { append(*to, e); });
      }
    }
  };
  send(
      *g.in_rows,
      [](auto v, auto from) {
        return plain_edge{from, v, 1};
      },
      [](collected_rows& rows, const plain_edge& e) { rows.in.push_back(e); });
  send(
      *g.out_rows,
      [](auto v, auto to_vertex) {
        return plain_edge{v, to_vertex, 1};
      },
      [](collected_rows& rows, const plain_edge& e) { rows.out.push_back(e); });
  sent.wait();
}

// [task; suspends] Sorted.
inline collected collect(graph::distributed_graph handle) {
  collected got;
  loops::on_all_cores([handle, to = at_home(got)] {
    if (leads_locale()) send_here(handle, to);
  });
  std::sort(got.edges.begin(), got.edges.end());
  return got;
}

// [task; suspends] Sorted. The graph keeps rows of both directions.
inline collected_rows collect_rows(graph::distributed_graph handle) {
  collected_rows got;
  loops::on_all_cores([handle, to = at_home(got)] {
    if (leads_locale()) send_rows_here(handle, to);
  });
  std::sort(got.in.begin(), got.in.end());
  std::sort(got.out.begin(), got.out.end());
  return got;
}

// Returns whether each of the sorted edges is there in both directions, and none is there twice.
inline bool are_both_ways(const std::vector<plain_edge>& edges) {
  std::vector<plain_edge> reversed = edges;
  for (plain_edge& e : reversed) std::swap(e.source, e.target);
  std::sort(reversed.begin(), reversed.end());
  const auto same_ends = [](const plain_edge& a, const plain_edge& b) {
    return a.source == b.source && a.target == b.target;
  };
  return reversed == edges && std::adjacent_find(edges.begin(), edges.end(), same_ends) == edges.end();
}

}  // namespace orujo::internal::test_graphs
