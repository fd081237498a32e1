// In-edges to encode, and what becomes of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <tuple>
#include <vector>

#include "framework/graph/build/slice_encoder.hpp"
#include "system/base/random.hpp"

namespace orujo::internal::test_graphs {

// top-level vertex, neighbour, weight
using in_edge = std::tuple<std::uint32_t, std::uint32_t, float>;

// The in-edges of vertices 0 .. vertices - 1 as compressed rows.
struct row_store {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> neighbours;
  std::vector<float> weights;

  // The neighbours are put in ascending order.
  void add_vertex(std::uint64_t degree, const std::function<std::uint32_t()>& neighbour) {
    for (std::uint64_t i = 0; i < degree; ++i) {
      neighbours.push_back(neighbour());
      weights.push_back(static_cast<float>(neighbours.size() % 97) + 0.5f);
    }
    std::sort(neighbours.begin() + static_cast<std::ptrdiff_t>(offsets.back()), neighbours.end());
    offsets.push_back(neighbours.size());
  }
  void add_empty(std::size_t count) { offsets.resize(offsets.size() + count, neighbours.size()); }

  std::uint32_t vertices() const { return static_cast<std::uint32_t>(offsets.size() - 1); }
  graph::in_edge_rows rows(std::size_t first, std::size_t last) const {
    return {static_cast<std::uint32_t>(first), std::span(offsets).subspan(first, last - first + 1),
            neighbours, weights};
  }
  std::vector<in_edge> edges() const {
    std::vector<in_edge> all;
    for (std::uint32_t v = 0; v < vertices(); ++v) {
      for (std::uint64_t e = offsets[v]; e < offsets[v + 1]; ++e)
        all.emplace_back(v, neighbours[e], weights[e]);
    }
    return all;
  }
};

struct encoded {
  std::vector<graph::edge_vector> edges;
  std::vector<graph::weight_vector> weights;
  std::vector<std::uint32_t> top_level_at;
  std::vector<graph::edge_slice> slices;
  std::vector<graph::edge_segment> segments;

  graph::vector_sparse_buffer buffer() { return {edges, weights, top_level_at}; }
  graph::vector_sparse_view view(bool weighted = true) const {
    return {edges, weighted ? std::span(weights) : std::span<const graph::weight_vector>(), top_level_at,
            slices, segments};
  }
};

// The encoding of rows. Vertices [cuts[i], cuts[i + 1]) are one core's. Segment s has the sources
// [source_bounds[s], source_bounds[s + 1]); without bounds there is one segment.
struct encoding {
  std::vector<std::size_t> cuts;
  std::vector<std::uint32_t> source_bounds = {};
  std::uint32_t bundle_depth = 0;
};

// Encodes the slices of the last core first.
inline encoded encode(const row_store& store, encoding how) {
  if (how.source_bounds.empty()) {
    const auto largest = std::max_element(store.neighbours.begin(), store.neighbours.end());
    how.source_bounds = {0, largest == store.neighbours.end() ? 0 : *largest + 1};
  }
  std::vector<graph::in_edge_rows> rows;
  std::vector<graph::slice_encoder> encoders;
  for (std::size_t i = 0; i + 1 < how.cuts.size(); ++i)
    rows.push_back(store.rows(how.cuts[i], how.cuts[i + 1]));
  for (const graph::in_edge_rows& each : rows)
    encoders.emplace_back(each, how.source_bounds, how.bundle_depth);
  encoded graph;
  std::size_t at = 0;
  for (std::size_t s = 0; s + 1 < how.source_bounds.size(); ++s) {
    graph::edge_segment segment{
        how.source_bounds[s], how.source_bounds[s + 1], graph.slices.size(), 0, at, 0};
    for (const graph::slice_encoder& each : encoders) {
      const graph::slice_size size = each.size(s);
      graph.slices.push_back({at, at + size.single, at + size.vectors()});
      at += size.vectors();
    }
    segment.last_slice = graph.slices.size();
    segment.last = at;
    graph.segments.push_back(segment);
  }
  graph.edges.resize(at);
  graph.weights.resize(at);
  graph.top_level_at.resize(graph::count_index_entries(at), 0xdeadbeef);
  for (std::size_t i = encoders.size(); i-- > 0;) {
    for (std::size_t s = 0; s < graph.segments.size(); ++s) {
      encoders[i].encode(s, graph.slices[graph.segments[s].first_slice + i].first, graph.buffer());
    }
  }
  return graph;
}

inline encoded encode_all(const row_store& store) { return encode(store, {.cuts = {0, store.vertices()}}); }

inline std::vector<in_edge> decode(const encoded& graph) {
  std::vector<in_edge> all;
  graph::for_each_edge(graph.view(), [&](auto... each) { all.emplace_back(each...); });
  return all;
}

inline row_store random_store(random_stream& random, std::uint32_t vertices, std::uint32_t local_indices) {
  row_store store;
  const auto any = [&] { return static_cast<std::uint32_t>(random.below(local_indices)); };
  while (store.vertices() < vertices) {
    switch (random.below(8)) {
      case 0:
        store.add_empty(1 + random.below(4));
        break;
      case 1:
        store.add_empty(random.below(16) == 0 ? 200 + random.below(120) : 0);
        break;
      case 2:
        store.add_vertex(random.below(100), any);
        break;
      default:
        store.add_vertex(random.below(20), any);
    }
  }
  return store;
}

// 0 .. local_indices cut at random places; segments may be empty.
inline std::vector<std::uint32_t> random_bounds(random_stream& random, std::uint32_t local_indices) {
  std::vector<std::uint32_t> bounds{0, local_indices};
  for (std::uint64_t i = random.below(7); i > 0; --i)
    bounds.push_back(static_cast<std::uint32_t>(random.below(local_indices + 1)));
  std::sort(bounds.begin(), bounds.end());
  return bounds;
}

// vertices cut among some cores at random places.
inline std::vector<std::size_t> random_cuts(random_stream& random, std::size_t vertices) {
  std::vector<std::size_t> cuts{0, vertices};
  for (std::uint64_t i = random.below(7); i > 0; --i) cuts.push_back(random.below(vertices + 1));
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

}  // namespace orujo::internal::test_graphs
