// Random walks along the out-edges of a graph.
#pragma once

#include <cstdint>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"
#include "system/memory/symmetric.hpp"

namespace orujo::algorithms {

// How many walks random_walks takes, from where, and of what length.
struct walk_options {
  std::uint64_t walks = 0;  // from vertices drawn at random; 0: per_vertex from every vertex
  std::uint64_t per_vertex = 1;
  std::uint32_t length = 80;  // steps; fewer where a vertex has no out-edge
  std::uint64_t seed = 1;
};

// The figures of a run of random_walks.
struct walks_report {
  std::uint64_t walks = 0, steps = 0;
  double seconds = 0;
};

// Random walks along out-edges; counts how often each vertex is visited. A walk is a message: it goes to the
// owner of the vertex where it is, is counted there and draws its next edge, so that it takes no task and
// waits for nobody; how many there are hides how long each takes. As in Yang et al., "KnightKing: A Fast
// Distributed Graph Random Walk Engine", SOSP 2019, where the walk moves and not the graph. Costs 32 bytes
// for each step.
//
// Walk w draws from its own stream of random numbers, by the seed and w, and edges are numbered in the order
// of the ids they lead to. So it is the same walk on every split, in every order of the vertices.
class random_walks {
 public:
  // [task; suspends] The graph has out_rows, without arcs; parallel edges are several. visits: for the number
  // of times that walks are at a vertex, their beginnings among them. Takes 4 bytes per edge where vertices
  // are not in the order of their ids.
  random_walks(graph::distributed_graph graph, graph::property<std::uint64_t> visits,
               const call_site& at = call_site::current());
  // [task; suspends]
  ~random_walks();
  random_walks(const random_walks&) = delete;

  // [task; suspends] Walks, and leaves the numbers of visits in the property, in place of earlier ones. Call
  // it any number of times.
  walks_report run(const walk_options& options);

 private:
  class core_part;
  const graph::distributed_graph graph_;
  const memory::symmetric<core_part> parts_;
};

}  // namespace orujo::algorithms
