// Single-source shortest paths.
#pragma once

#include <cstdint>
#include <span>

#include "framework/algorithms/delta_stepping.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/edge_forms.hpp"
#include "system/base/identity.hpp"

namespace orujo::algorithms {

// The edges that it needs: rows of out-edges, and on several locales of in-edges. By default [any task].
graph::edge_forms shortest_paths_forms(bool on_several_locales = locales() > 1);

struct paths_report {
  double seconds = 0;
  int rounds = 0;  // of all cores together
};

// One core's part. A path's length is added up from its start and rounded to single precision after every
// edge; the distances are the least over all paths, infinity where there is none. They are the same to the
// bit for any number of locales and cores and any delta, and exact where weights are whole numbers and
// distances at most 2^24. No weight may be negative. By delta-stepping (delta_stepping.hpp).
class shortest_paths {
 public:
  // [task; suspends; collective over the job] distances: the locale's, by own vertex. delta: the width of
  // bins; 0: chosen by the weights and degrees.
  shortest_paths(graph::locale_graph& g, std::span<float> distances, float delta = 0);

  // [task; suspends; collective over the job] From a vertex number; any number of times.
  paths_report run(std::uint64_t source);

  float delta() const { return delta_; }

 private:
  void step_from(std::uint64_t source);

  graph::locale_graph& graph_;
  const std::span<float> distances_;
  const float delta_;
  delta_stepping stepping_;
};

}  // namespace orujo::algorithms
