// Encoding and checking of the compact Vector-Sparse in-edges.
#include "framework/graph/vector_sparse.hpp"

#include <fmt/format.h>
#include <glog/logging.h>

#include <algorithm>

namespace orujo::graph {
namespace {

// Follows the top-level vertices of one slice and says where a jump is needed.
class slice_cursor {
 public:
  // Call once for each vertex with edges, ascending.
  bool needs_jump(std::uint32_t vertex) const { return !started_ || vertex - vertex_ > max_step; }
  void move_to(std::uint32_t vertex) {
    vertex_ = vertex;
    started_ = true;
  }
  std::uint32_t vertex() const { return vertex_; }

 private:
  std::uint32_t vertex_ = 0;
  bool started_ = false;
};

std::size_t vectors_for(std::uint64_t degree) { return (degree + edge_lanes - 1) / edge_lanes; }

edge_vector jump_to(std::uint32_t vertex) {
  edge_vector jump;
  std::fill_n(jump.lane, edge_lanes, edge_step_bit);
  jump.lane[0] |= vertex;
  return jump;
}

// Appends vectors to a graph from a given position on and keeps its side index.
class slice_writer {
 public:
  slice_writer(const vector_sparse_buffer& graph, std::size_t first_vector)
      : graph_(graph), next_(first_vector) {}

  // `before` is what the side index wants to know of the vector.
  void append(const edge_vector& vector, std::uint32_t before) {
    CHECK_LT(next_, graph_.edges.size()) << "the graph has fewer vectors than its rows need";
    if (next_ % vectors_per_index_entry == 0) graph_.top_level_at[next_ / vectors_per_index_entry] = before;
    if (!graph_.weights.empty()) graph_.weights[next_] = weight_vector{};
    graph_.edges[next_++] = vector;
  }

  // The weights of the vector appended last.
  void set_weights(const in_edge_rows& rows, std::uint64_t first, std::size_t count) {
    if (graph_.weights.empty()) return;
    float* lane = graph_.weights[next_ - 1].lane;
    if (rows.weights.empty()) {
      std::fill_n(lane, count, 1.0f);
    } else {
      std::copy_n(&rows.weights[first], count, lane);
    }
  }

 private:
  const vector_sparse_buffer& graph_;
  std::size_t next_;
};

edge_vector pack_edges(std::span<const std::uint32_t> neighbours, std::uint32_t step_to_here) {
  edge_vector vector;
  for (std::size_t i = 0; i < edge_lanes; ++i) {
    const std::uint32_t edge = i < neighbours.size() ? edge_valid_bit | neighbours[i] : 0;
    DCHECK_EQ(edge & edge_step_bit, 0u) << "a local index of 2^30 or more";
    vector.lane[i] = edge | (step_to_here >> i & 1) << 30;
  }
  return vector;
}

bool lanes_are_well_formed(const edge_vector& vector, std::uint32_t local_indices) {
  if (is_jump(vector)) {
    const edge_vector expected = jump_to(jump_target(vector));
    return std::equal(vector.lane, vector.lane + edge_lanes, expected.lane);
  }
  bool ended = false;
  for (const std::uint32_t lane : vector.lane) {
    const bool valid = (lane & edge_valid_bit) != 0;
    const std::uint32_t index = lane & local_index_mask;
    if (valid ? ended || index >= local_indices : index != 0) return false;
    ended = !valid;
  }
  return true;
}

status broken(std::size_t vector, const char* what) {
  return {exit_status::bad_data,
          fmt::format("Vector-Sparse: vector {} {}; encode the graph again", vector, what)};
}

}  // namespace

std::uint32_t top_level_before(const vector_sparse_view& graph, std::size_t vector) {
  DCHECK_LT(vector, graph.edges.size());
  const std::size_t entry = vector / vectors_per_index_entry;
  std::uint32_t vertex = graph.top_level_at[entry];
  for (std::size_t k = entry * vectors_per_index_entry; k < vector; ++k) {
    vertex = next_top_level(graph.edges[k], vertex);
  }
  return vertex;
}

std::size_t count_vectors(const in_edge_rows& rows) {
  std::size_t vectors = 0;
  slice_cursor cursor;
  for (std::size_t row = 0; row + 1 < rows.offsets.size(); ++row) {
    const std::uint64_t degree = rows.offsets[row + 1] - rows.offsets[row];
    if (degree == 0) continue;
    const auto vertex = static_cast<std::uint32_t>(rows.first_vertex + row);
    vectors += vectors_for(degree) + (cursor.needs_jump(vertex) ? 1 : 0);
    cursor.move_to(vertex);
  }
  return vectors;
}

void encode(const in_edge_rows& rows, std::size_t first_vector, const vector_sparse_buffer& graph) {
  slice_cursor cursor;
  slice_writer writer(graph, first_vector);
  for (std::size_t row = 0; row + 1 < rows.offsets.size(); ++row) {
    const std::uint64_t end = rows.offsets[row + 1];
    if (rows.offsets[row] == end) continue;
    const auto vertex = static_cast<std::uint32_t>(rows.first_vertex + row);
    if (cursor.needs_jump(vertex)) {
      writer.append(jump_to(vertex), vertex);
      cursor.move_to(vertex);
    }
    for (std::uint64_t edge = rows.offsets[row]; edge < end; edge += edge_lanes) {
      const std::size_t count = std::min<std::uint64_t>(edge_lanes, end - edge);
      writer.append(pack_edges(rows.neighbours.subspan(edge, count), vertex - cursor.vertex()),
                    cursor.vertex());
      writer.set_weights(rows, edge, count);
      cursor.move_to(vertex);
    }
  }
}

status validate(const vector_sparse_view& graph, std::uint32_t own_vertices, std::uint32_t local_indices) {
  const std::size_t vectors = graph.edges.size();
  if (!graph.weights.empty() && graph.weights.size() != vectors) return broken(vectors, "has no weights");
  if (graph.top_level_at.size() != count_index_entries(vectors))
    return broken(vectors, "ends the side index");
  if (vectors != 0 && !is_jump(graph.edges[0])) return broken(0, "is not a jump");
  std::uint32_t vertex = 0;
  for (std::size_t k = 0; k < vectors; ++k) {
    const edge_vector& vector = graph.edges[k];
    const std::uint32_t next = next_top_level(vector, vertex);
    const std::uint32_t indexed = is_jump(vector) ? next : vertex;
    if (!lanes_are_well_formed(vector, local_indices)) return broken(k, "has an impossible lane");
    if (next >= own_vertices) return broken(k, "names a top-level vertex that is not of this locale");
    if (is_jump(vector) && k != 0 && next <= vertex) return broken(k, "jumps backwards");
    if (k % vectors_per_index_entry == 0 && graph.top_level_at[k / vectors_per_index_entry] != indexed) {
      return broken(k, "has the wrong entry in the side index");
    }
    vertex = next;
  }
  return {};
}

double packing_efficiency(const vector_sparse_view& graph) {
  if (graph.edges.empty()) return 1;
  std::size_t valid = 0;
  for (const edge_vector& vector : graph.edges) {
    for (const std::uint32_t lane : vector.lane) valid += lane >> 31;
  }
  return static_cast<double>(valid) / static_cast<double>(graph.edges.size() * edge_lanes);
}

}  // namespace orujo::graph
