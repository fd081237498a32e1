// Synthetic graphs: edge i is a pure function of the specification and i, so any split over cores gives the
// same.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "framework/formats/edge.hpp"
#include "system/base/status.hpp"

namespace orujo::generators {

enum class graph_kind {
  // R-MAT (Chakrabarti, Zhan, Faloutsos: "R-MAT: A Recursive Model for Graph Mining", SDM 2004) with the
  // parameters of the Graph500 specification, A = .57, B = .19, C = .19, and with its vertex labels
  // scrambled.
  kronecker,
  uniform,  // both ends uniformly random (Erdos-Renyi with repetition)
  mesh2d,   // a grid, its vertices row by row; every edge once, to the right and down
};

// The random kinds may repeat an edge and may have self-loops, as in Graph500.
struct generator_spec {
  graph_kind kind = graph_kind::kronecker;
  unsigned scale = 0;  // at most 40; of the random kinds, as is edge_factor
  std::uint64_t edge_factor = 16;
  std::uint64_t width = 0;  // of a mesh: each at least 1 and at most 2^30
  std::uint64_t height = 0;
  std::uint64_t seed = 1;
  bool weighted = false;  // whole numbers, uniform in weight_low..weight_high
  std::uint32_t weight_low = 0;
  std::uint32_t weight_high = 0;  // at most 2^24: exact as float

  std::uint64_t vertex_count() const {
    return kind == graph_kind::mesh2d ? width * height : std::uint64_t{1} << scale;
  }
  std::uint64_t edge_count() const {
    return kind == graph_kind::mesh2d ? (width - 1) * height + width * (height - 1) : edge_factor << scale;
  }
  friend bool operator==(const generator_spec&, const generator_spec&) = default;
};

// Reads "KIND:SCALE[:edgefactor=16][:seed=1][:weights=LOW..HIGH]", KIND being kronecker or uniform, or
// "mesh2d:WIDTHxHEIGHT[:seed=1][:weights=LOW..HIGH]".
result<generator_spec> parse_generator(std::string_view text);

// Any thread. Edges first, first + 1, ... of the graph, as many as `edges` has room for, and their weights,
// parallel, if it has any.
void generate(const generator_spec& spec, std::uint64_t first, std::span<edge> edges,
              std::span<float> weights);

// Any thread. Edges first .. last - 1 as a list.
edge_list generate(const generator_spec& spec, std::uint64_t first, std::uint64_t last);

}  // namespace orujo::generators
