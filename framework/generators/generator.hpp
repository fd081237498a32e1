// Synthetic graphs: edge i is a pure function of the specification and i, so any split over cores gives the
// same.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "framework/formats/edge.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::generators {

enum class graph_kind {
  // R-MAT (Chakrabarti, Zhan, Faloutsos: "R-MAT: A Recursive Model for Graph Mining", SDM 2004). The
  // parameters are those of the Graph500 specification, A = .57, B = .19, C = .19. Vertex labels are
  // scrambled.
  kronecker,
  uniform,  // both ends uniformly random (Erdos-Renyi with repetition)
  // A ring in which every vertex leads to its next degree / 2. Each edge leads to any other vertex instead
  // with probability `rewire` (Watts, Strogatz: "Collective dynamics of 'small-world' networks", Nature
  // 1998).
  watts_strogatz,
  // Every vertex but the first leads to edge_factor earlier ones, each with a probability proportional to its
  // degree (Barabasi, Albert: "Emergence of scaling in random networks", Science 1999). Draws are retraced
  // instead of stored (Sanders, Schulz: "Scalable generation of scale-free graphs", IPL 2016).
  barabasi_albert,
  mesh2d,    // a grid, its vertices row by row; every edge once, to the right and down
  mesh3d,    // such grids one after the other, with edges to the next
  tree,      // vertex v has the children arity * v + 1 .. arity * v + arity, as far as there are so many
  path,      // 0 -> 1 -> 2 ..
  star,      // 0 to all others
  complete,  // every pair once, from the smaller to the larger
};

// The random kinds may repeat an edge; kronecker and uniform may have self-loops, as in Graph500.
struct generator_spec {
  graph_kind kind = graph_kind::kronecker;
  unsigned scale = 0;                              // at most 40; of kronecker and uniform
  std::uint64_t edge_factor = 16;                  // of these and barabasi_albert
  std::uint64_t width = 0, height = 0, depth = 1;  // of a mesh: each at least 1, with less than 2^62 edges
  std::uint64_t vertices = 0;                      // of all other kinds: at least 1
  std::uint64_t degree = 4;                        // of watts_strogatz: even, below `vertices`
  double rewire = 0.1;
  std::uint64_t arity = 2;  // of a tree
  std::uint64_t seed = 1;
  bool weighted = false;  // whole numbers, uniform in weight_low..weight_high
  std::uint32_t weight_low = 0;
  std::uint32_t weight_high = 0;  // at most 2^24: exact as float

  std::uint64_t vertex_count() const;
  std::uint64_t edge_count() const;
  friend bool operator==(const generator_spec&, const generator_spec&) = default;
};

// For people: all specifications there are, on one line.
inline constexpr std::string_view generator_specifications =
    "kronecker:SCALE and uniform:SCALE [:edgefactor=16], barabasi_albert:VERTICES [:edgefactor=16], "
    "watts_strogatz:VERTICES [:degree=4][:rewire=0.1], mesh2d:WIDTHxHEIGHT, mesh3d:WIDTHxHEIGHTxDEPTH, "
    "tree:VERTICES [:arity=2], path:VERTICES, star:VERTICES, complete:VERTICES; each with [:seed=1] and "
    "[:weights=LOW..HIGH]";

// Reads KIND:SIZE[:NAME=VALUE]..., as generator_specifications has them.
result<generator_spec> parse_generator(std::string_view text);

// Any thread. Edges first, first + 1, ... of the graph, as many as `edges` has room for, and their weights,
// parallel, if it has any.
void generate(const generator_spec& spec, std::uint64_t first, std::span<edge> edges,
              std::span<float> weights);

// Any thread. Edges first .. last - 1 as a list.
formats::edge_list generate(const generator_spec& spec, std::uint64_t first, std::uint64_t last);

}  // namespace orujo::internal::generators
