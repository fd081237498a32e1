// Checking and measuring of the compact Vector-Sparse in-edges.
#include "framework/graph/vector_sparse.hpp"

#include <fmt/format.h>
#include <glog/logging.h>

#include <algorithm>

namespace orujo::graph {
namespace {

status broken(std::size_t vector, const char* what) {
  return {exit_status::bad_data,
          fmt::format("Vector-Sparse: vector {} {}; encode the graph again", vector, what)};
}

bool is_well_formed_jump(const edge_vector& vector) {
  for (std::size_t i = 0; i < edge_lanes; ++i) {
    if ((vector.lane[i] & ~(i == 0 ? local_index_mask : 0)) != edge_step_bit) return false;
  }
  return true;
}

struct index_bounds {
  std::uint32_t first, last;
  bool contain(std::uint32_t index) const { return first <= index && index < last; }
};

// The first lanes valid, with indices in bounds, the others have index `rest`.
bool lanes_are_well_formed(const edge_vector& vector, index_bounds allowed, std::uint32_t rest) {
  bool ended = false;
  for (const std::uint32_t lane : vector.lane) {
    const bool valid = (lane & edge_valid_bit) != 0;
    const std::uint32_t index = lane & local_index_mask;
    if (valid ? ended || !allowed.contain(index) : index != rest) return false;
    ended = !valid;
  }
  return true;
}

// Checks one slice.
class slice_check {
 public:
  slice_check(const vector_sparse_view& graph, std::uint32_t own_vertices, index_bounds sources)
      : graph_(graph), own_vertices_(own_vertices), sources_(sources) {}

  status run(const edge_slice& slice) const {
    if (status s = check_single(slice.first, slice.bundles); !s.ok()) return s;
    for (std::size_t head = slice.bundles; head < slice.last;) {
      const std::size_t depth = bundle_depth(graph_.edges[head]);
      if (depth == 0) return broken(head, "is not the head of a bundle");
      if (depth >= slice.last - head) return broken(head, "is of a bundle that ends beyond its slice");
      if (status s = check_bundle(head, depth); !s.ok()) return s;
      head += 1 + depth;
    }
    return {};
  }

 private:
  bool is_indexed(std::size_t vector, std::uint32_t vertex) const {
    return vector % vectors_per_index_entry != 0 ||
           graph_.top_level_at[vector / vectors_per_index_entry] == vertex;
  }

  status check_single(std::size_t first, std::size_t last) const {
    std::uint32_t vertex = 0;
    for (std::size_t k = first; k < last; ++k) {
      const edge_vector& vector = graph_.edges[k];
      const std::uint32_t next = next_top_level(vector, vertex);
      const bool jump = is_jump(vector);
      if (k == first && !jump) return broken(k, "is not a jump");
      if (!(jump ? is_well_formed_jump(vector) : lanes_are_well_formed(vector, sources_, 0)))
        return broken(k, "has an impossible lane");
      if (next >= own_vertices_) return broken(k, "names a top-level vertex that is not of this locale");
      if (jump && k != first && next <= vertex) return broken(k, "jumps backwards");
      if (!is_indexed(k, jump ? next : vertex)) return broken(k, "has the wrong entry in the side index");
      vertex = next;
    }
    return {};
  }

  status check_bundle(std::size_t head, std::size_t depth) const {
    const std::uint32_t first_vertex = graph_.edges[head].lane[0] & local_index_mask;
    if (!lanes_are_well_formed(graph_.edges[head], {0, own_vertices_}, first_vertex))
      return broken(head, "names a top-level vertex that is not of this locale");
    for (std::size_t k = head; k <= head + depth; ++k) {
      const edge_vector& vector = graph_.edges[k];
      if (!is_indexed(k, 0)) return broken(k, "has the wrong entry in the side index");
      if (k == head) continue;
      if (bundle_depth(vector) != 0) return broken(k, "is a head within a bundle");
      for (std::size_t i = 0; i < edge_lanes; ++i) {
        const bool valid = (vector.lane[i] & edge_valid_bit) != 0;
        // A vertex's edges are in the first body vectors.
        const bool possible = ((k == head + 1 ? graph_.edges[head] : graph_.edges[k - 1]).lane[i] >> 31) != 0;
        if (valid ? !possible || !sources_.contain(vector.lane[i] & local_index_mask) : vector.lane[i] != 0)
          return broken(k, "has an impossible lane");
      }
      if ((vector.lane[0] & edge_valid_bit) == 0) return broken(k, "has no edge of its first vertex");
    }
    return {};
  }

  const vector_sparse_view& graph_;
  const std::uint32_t own_vertices_;
  const index_bounds sources_;
};

}  // namespace

std::uint32_t top_level_before(const vector_sparse_view& graph, std::size_t vector) {
  DCHECK_LT(vector, graph.edges.size());
  const std::size_t entry = vector / vectors_per_index_entry;
  std::uint32_t vertex = graph.top_level_at[entry];
  // A slice that begins in between does so with a jump, before which the vertex does not matter.
  for (std::size_t k = entry * vectors_per_index_entry; k < vector; ++k) {
    vertex = next_top_level(graph.edges[k], vertex);
  }
  return vertex;
}

status validate_slice(const vector_sparse_view& graph, const edge_segment& segment, const edge_slice& slice,
                      std::uint32_t own_vertices) {
  return slice_check(graph, own_vertices, {segment.first_source, segment.last_source}).run(slice);
}

status validate_slices(const vector_sparse_view& graph, std::uint32_t local_indices) {
  const std::size_t vectors = graph.edges.size();
  if (!graph.weights.empty() && graph.weights.size() != vectors) return broken(vectors, "has no weights");
  if (graph.top_level_at.size() != count_index_entries(vectors))
    return broken(vectors, "ends the side index");
  std::size_t at = 0, slices = 0;
  std::uint32_t source = 0;
  for (const edge_segment& segment : graph.segments) {
    if (segment.first != at || segment.first_slice != slices || segment.last_slice < slices ||
        segment.last_slice > graph.slices.size() || segment.first_source != source ||
        segment.last_source < source || segment.last_source > local_indices)
      return broken(at, "begins a segment that does not follow the one before");
    source = segment.last_source;
    for (; slices < segment.last_slice; ++slices) {
      const edge_slice& slice = graph.slices[slices];
      if (slice.first != at || slice.bundles < at || slice.last < slice.bundles || slice.last > vectors)
        return broken(at, "begins a slice that does not follow the one before");
      at = slice.last;
    }
    if (segment.last != at) return broken(at, "ends the slices of a segment, but not the segment");
  }
  if (at != vectors || slices != graph.slices.size()) return broken(at, "is in no segment");
  return {};
}

status validate(const vector_sparse_view& graph, std::uint32_t own_vertices, std::uint32_t local_indices) {
  if (status s = validate_slices(graph, local_indices); !s.ok()) return s;
  for (const edge_segment& segment : graph.segments) {
    for (std::size_t k = segment.first_slice; k < segment.last_slice; ++k) {
      if (status s = validate_slice(graph, segment, graph.slices[k], own_vertices); !s.ok()) return s;
    }
  }
  return {};
}

double packing_efficiency(const vector_sparse_view& graph) {
  if (graph.edges.empty()) return 1;
  std::size_t valid = 0;
  for_each_edge(graph, [&](std::uint32_t, std::uint32_t, float) { ++valid; });
  return static_cast<double>(valid) / static_cast<double>(graph.edges.size() * edge_lanes);
}

}  // namespace orujo::graph
