// PageRank computed serially in double precision, to compare the engine's ranks with.
#pragma once

#include <optional>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

// Selects what happens to the rank of vertices without out-edges.
enum class dangling_policy {
  redistribute,  // spread evenly over all vertices: the ranks sum to 1
  ignore,        // lost
};

struct pagerank_options {
  double damping = 0.85;
  std::optional<unsigned> iterations =
      std::nullopt;         // exactly so many; without it until the ranks settle, at most 1000
  double tolerance = 1e-9;  // settled: they changed by less than this in all (L1 norm)
  dangling_policy dangling = dangling_policy::redistribute;
  bool weighted = false;  // ranks are divided by weights, if the graph has any
  // If not 0: other vertices know a vertex's rank by its changes, each of which is off by at most this share
  // of itself. A change is the difference to what they know already.
  double error_of_changes = 0;
};

struct pagerank_ranks {
  std::vector<double> ranks;  // by ascending external id
  // By vertex: if the start and every iteration make a relative error of at most e in each rank, the last
  // ranks are off by at most e times this. It is the rank times one more than the mean number of iterations
  // of that rank. An error is handed on with its rank, and rank enters anew.
  std::vector<double> sensitivity;
  // By vertex, with error_of_changes: how far the last ranks are off at most.
  std::vector<double> error_by_changes;
  unsigned iterations = 0;  // done
};

// Starts with 1/n everywhere; an iteration turns the ranks r into
//   (1 - d)/n + d * (sum over in-edges (u, v) of r[u] * w(u, v)/out_weight(u) + dangling/n)
// where w is the weight of an edge, or 1 unless `weighted`, and out_weight(u) is the sum of u's. `dangling`
// is the rank of all vertices for which that is 0, or 0 if ignored. Page, Brin, Motwani, Winograd: "The
// PageRank Citation Ranking", Stanford 1999. Sums are compensated.
pagerank_ranks pagerank(const simple_graph& graph, const pagerank_options& options = {});

}  // namespace orujo::internal::verify
