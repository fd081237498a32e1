// The options of building a graph of edges.
#pragma once

#include <cstddef>
#include <cstdint>

#include "framework/formats/edge.hpp"
#include "framework/graph/build/slice_encoder.hpp"
#include "framework/graph/edge_forms.hpp"
#include "framework/graph/numbering.hpp"
#include "framework/graph/partition.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::graph {

struct build_options;
struct input_edges;

// [task; suspends; collective over the job] Finds the order of the vertices of the cores' edges, which have
// positions in place of ids (numbering.hpp). Every core gets the same, or fails with the same status.
using vertex_orderer = result<vertex_order> (*)(const input_edges& input, std::uint64_t vertices,
                                                const build_options& options);

struct build_options {
  // Applied in this order; symmetrize adds the reverse of every edge and implies remove_duplicates.
  bool remove_self_loops = false;
  bool symmetrize = false;
  bool remove_duplicates = false;
  kept_weight keep_weight = kept_weight::lightest;  // of duplicates; a reversed self-loop is one

  // Options of the encoding (segment_model.hpp, slice_encoder.hpp).
  std::size_t segments =
      0;  // 0: by what edges cost on this machine, as long as that is within 6 bytes per edge
  std::uint32_t bundle_depth = default_bundle_depth;

  partition_options partition = {};
  edge_forms keep = {};
  // The function that orders the vertices. Null: the order of `partition`, or by degree where that pays
  // (degree_order.hpp) and no order is requested in `keep`, or else that of the ids. It is a pointer, so it
  // is valid in this process only.
  vertex_orderer order = nullptr;
};

}  // namespace orujo::internal::graph
