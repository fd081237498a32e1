// Katz and eigenvector centrality computed serially.
#pragma once

#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

// By vertex, after `iterations` from 0: the sum of all walks of fewer edges that end there. A walk counts
// beta for its first vertex, times alpha and the weight for each edge.
std::vector<double> katz_scores(const simple_graph& graph, double alpha, double beta, bool normalized,
                                int iterations);

// By vertex, after `iterations` from equal scores: the sum of all walks of as many steps that end there,
// where a step is an edge or a stay. Scaled so that the squares sum to 1.
std::vector<double> eigenvector_scores(const simple_graph& graph, int iterations);

// The relative error of both in double precision, the oracle's among it, with weights that are not negative.
// A sum of contributions is off by at most sum_roundings units of itself.
double error_of_spectral_scores(double sum_roundings, int iterations, double vertices);

}  // namespace orujo::internal::verify
