// Random walks along the out-edges of a graph.
#pragma once

#include <cstdint>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"
#include "system/containers/symmetric.hpp"

namespace orujo::algorithms {

// The number of walks of random_walks, their first vertices, and their length.
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

// Random walks along out-edges; counts how often each vertex is visited. A walk is a message. It goes to the
// owner of its next vertex, is counted there and draws an edge, so that it needs no task and waits for
// nothing. The number of walks hides the time that each takes. As in Yang et al., "KnightKing: A Fast
// Distributed Graph Random Walk Engine", SOSP 2019, the walk moves and not the graph. Sends 32 bytes for each
// step.
//
// Walk w draws from its own stream of random numbers, which the seed and w determine, and edges are numbered
// in the order of the ids to which they lead. So the walk is the same for any number of locales and cores, in
// every order of the vertices.
class random_walks {
 public:
  // [task; suspends] The graph has out_rows, without arcs; parallel edges count each. `visits` receives the
  // number of times that walks are at a vertex, including their starts. Takes 4 bytes per edge if vertices
  // are not in the order of their ids.
  random_walks(graph::distributed_graph graph, graph::property<std::uint64_t> visits,
               const call_site& at = call_site::current());
  // [task; suspends]
  ~random_walks();
  random_walks(const random_walks&) = delete;

  // [task; suspends] Walks, and replaces the numbers in the property by those of these visits. May be called
  // any number of times.
  walks_report run(const walk_options& options);

 private:
  class core_part;
  const graph::distributed_graph graph_;
  const containers::symmetric<core_part> parts_;
};

}  // namespace orujo::algorithms
