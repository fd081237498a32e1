// The graph of the serial oracles: built the naive way, sharing nothing with the engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "framework/formats/edge.hpp"

namespace orujo::internal::verify {

struct simple_graph_options {
  // Generated graphs and many files: edges name vertices 0..vertex_count-1, whose ids are larger by first_id,
  // and isolated vertices exist. Without it the vertices are those that occur.
  std::optional<std::uint64_t> vertex_count = std::nullopt;
  // Applied in this order; symmetrize adds the reverse of every edge and implies remove_duplicates.
  bool remove_self_loops = false;
  bool symmetrize = false;
  bool remove_duplicates = false;
  std::uint64_t first_id = 0;
  std::vector<std::uint64_t> ids =
      {};  // ascending; with vertex_count, which is how many: instead of first_id
  kept_weight keep_weight = kept_weight::lightest;  // of duplicates
};

// Vertices are numbered by ascending external id.
class simple_graph {
 public:
  // weights: parallel to the edges, or none.
  explicit simple_graph(std::vector<edge> edges, const simple_graph_options& options = {},
                        const std::vector<float>& weights = {});

  std::size_t vertex_count() const { return ids_.size(); }
  std::size_t edge_count() const { return targets_.size(); }
  // The external ids, ascending.
  const std::vector<std::uint64_t>& ids() const { return ids_; }
  // The targets of v's out-edges, ascending.
  std::span<const std::size_t> out_neighbors(std::size_t v) const {
    return std::span(targets_).subspan(offsets_[v], out_degree(v));
  }
  // Parallel to out_neighbors(v); none if the graph has no weights.
  std::span<const float> out_weights(std::size_t v) const {
    return weights_.empty() ? std::span<const float>()
                            : std::span(weights_).subspan(offsets_[v], out_degree(v));
  }
  std::size_t out_degree(std::size_t v) const { return offsets_[v + 1] - offsets_[v]; }
  // The largest in-degree; goes through all edges.
  std::size_t most_in_edges() const;

 private:
  std::vector<std::uint64_t> ids_;
  std::vector<std::size_t> offsets_;  // of each vertex's out-edges in targets_, and their end
  std::vector<std::size_t> targets_;
  std::vector<float> weights_;  // parallel to targets_, or empty
};

}  // namespace orujo::internal::verify
