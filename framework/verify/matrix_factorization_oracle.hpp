// Collaborative filtering by gradient descent, computed serially in double precision.
#pragma once

#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

struct factorization_problem {
  int factors = 16;
  int iterations = 10;
  double step = 0.2;
  double lambda = 0.001;
};

// The root mean square of e = w - p(u) . p(v) over all edges (u, v) of weight w. There is one before each
// iteration and one after the last, and none without edges. An iteration changes all vertices with in-edges
// at once:
//   p(v) += step / r * (mean over in-edges of e p(u) - lambda p(v))
// where r is the weights' root mean square (1 if that is 0). Factor k of the vertex number v begins as
// 2 sqrt(r / factors) * (mix64(v * factors + k + 1) >> 40) / 2^24.
std::vector<double> factorization_errors(const simple_graph& graph, const factorization_problem& problem);

}  // namespace orujo::internal::verify
