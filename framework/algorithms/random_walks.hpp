// Random walks along the out-edges of a graph.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"
#include "system/containers/global_array.hpp"
#include "system/containers/symmetric.hpp"

namespace orujo::internal::algorithms {
namespace detail {
class walker;
}

// The edges that walks may take from a vertex, and their probabilities.
struct walk_edges {
  // The probability of an edge is in proportion to its weight, from 0 on. Otherwise all have the same. A
  // vertex whose edges all weigh 0 ends a walk.
  bool weighted = false;
  // Types of the vertices, and those of a walk: it starts at a vertex of the first type, and every step leads
  // to one of the next type. The last type is the first, and the metapath begins again there. Both or none.
  std::optional<graph::property<std::uint32_t>> types = std::nullopt;
  std::vector<std::uint32_t> metapath = {};
  // The weights of edges are times, and none is smaller than that of the edge before. Not with `weighted`.
  bool timed = false;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(weighted, types, metapath, timed);
  }
};

// The number of walks of random_walks, their first vertices, their length, and how they choose edges.
struct walk_options {
  // Walks from vertices drawn at random, with a metapath from those of its first type. 0 walks per_vertex
  // times from every one.
  std::uint64_t walks = 0;
  std::uint64_t per_vertex = 1;
  std::uint32_t length = 80;  // steps; fewer where a vertex has no out-edge
  std::uint64_t seed = 1;
  // An edge back to the vertex before has its probability divided by p, and one to a vertex without an edge
  // to the vertex before by q. Both are above 0; with 1 and 1 no step depends on the vertex before. They
  // are 1 with a metapath or times.
  double p = 1, q = 1;
  bool keep_walks = false;
};

// The figures of a run of random_walks, and its walks.
struct walks_report {
  std::uint64_t walks = 0, steps = 0;
  double seconds = 0;
  // With keep_walks: `length + 1` positions of vertices for each walk, -1 after its last one. Walks from
  // every vertex are in the order of their first vertices' ids. The caller destroys it.
  std::optional<containers::global_array<std::int64_t>> vertices;
};

// Random walks along out-edges; counts how often each vertex is visited. A walk is a message. It goes to the
// owner of its next vertex, is counted there and draws an edge, so that it needs no task and waits for
// nothing. The number of walks hides the time that each takes. As in Yang et al., "KnightKing: A Fast
// Distributed Graph Random Walk Engine", SOSP 2019, the walk moves and not the graph. Sends 32 bytes for each
// step.
//
// With p or q, walks are those of Grover, Leskovec, "node2vec: Scalable Feature Learning for Networks", KDD
// 2016, by rejection sampling as in KnightKing, section 4. So no table by pairs of edges is needed. Edges
// back are sampled apart from others, so that neither a large nor a small p rejects many. A locale that owns
// the next vertex tests in place whether it has an edge to the one before; in a symmetric graph so does a
// locale that owns that one. Otherwise the walk goes to the next vertex, and returns if it is rejected there.
// Such a message has 64 bytes. keep_walks sends 24 bytes more to another locale that keeps the walk.
//
// With a metapath, walks are those of Dong, Chawla, Swami, "metapath2vec: Scalable Representation Learning
// for Heterogeneous Networks", KDD 2017. With times, they are those of Nguyen et al., "Continuous-Time
// Dynamic Network Embeddings", WWW 2018 companion, with uniform starts and steps. In both the edges that a
// walk may take lie together in its vertex's row, so a binary search finds them.
//
// Walk w draws from its own stream of random numbers, which the seed and w determine. Edges are numbered in
// the order of the ids to which they lead, parallel ones by weight. With types or times, these come first. So
// the walk is the same for any number of locales and cores, in every order of the vertices.
class random_walks {
 public:
  // [task; suspends] The graph has out_rows, without arcs; parallel edges count each. `visits` receives the
  // number of times that walks are at a vertex, including their starts. Copies of rows, where vertices
  // are not in the order of their ids, and with types or times, take 4 bytes per edge. Weights take 8 more
  // and times 4, and types 4 per vertex and mirror.
  random_walks(graph::distributed_graph graph, graph::property<std::uint64_t> visits,
               const walk_edges& edges = {}, const call_site& at = call_site::current());
  // [task; suspends]
  ~random_walks();
  random_walks(const random_walks&) = delete;

  // [task; suspends] Walks, and replaces the numbers in the property by those of these visits. May be called
  // any number of times. The job ends with no_resource where memory does not suffice for walks to keep.
  walks_report run(const walk_options& options);

 private:
  const graph::distributed_graph graph_;
  const bool may_be_biased_;
  const std::optional<containers::global_array<std::uint64_t>> starts_;  // positions, unless all vertices are
  const containers::symmetric<detail::walker> parts_;
};

}  // namespace orujo::internal::algorithms
