// Local clustering coefficients by weights. After Onnela, Saramäki, Kertész, Kaski, "Intensity and Coherence
// of Motifs in Weighted Complex Networks", Physical Review E 71, 2005.
#pragma once

#include <cstdint>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/edge_forms.hpp"
#include "framework/graph/property.hpp"

namespace orujo::internal::algorithms {

// The forms of edges that weighted_clustering() needs, for load_from_flags().
inline constexpr graph::edge_forms weighted_clustering_forms{
    .in_vectors = false, .out_rows = true, .non_negative_weights = true};

// The figures of a run.
struct clustering_report {
  std::uint64_t triangles = 0;  // of the whole graph, each once
  double seconds = 0;
};

// [task at core 0; suspends] The coefficient of every vertex: the sum of the intensities of its triangles,
// divided by the number of pairs of its neighbours. With fewer than two it is 0. The intensity of a triangle
// is the geometric mean of its weights, each divided by the largest weight of the graph, loops included.
//
// The graph is symmetric and has out_rows and weights from 0 on; a graph without rows of edges ends the job
// with `exit_status::usage`. If all weights are 0, so are coefficients. Without weights, each is 1. Loops and
// parallel edges are in no triangle.
//
// Intensities are rounded down to multiples of 2^-90, and their sums are exact. So coefficients are the same
// on any process layout, with a relative error of 2^-49 and an absolute one of 2^-90. A vertex of 2^37
// triangles or more is beyond the range of sums.
//
// Each triangle is found once, from its two vertices of lower degree. Memory and messages are those of
// triangle_intensities.hpp.
clustering_report weighted_clustering(graph::distributed_graph graph, graph::property<double> coefficients);

}  // namespace orujo::internal::algorithms
