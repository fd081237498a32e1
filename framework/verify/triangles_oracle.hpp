// The triangles of a graph, counted serially.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

// By vertex: the number of triangles that it is in. The graph was symmetrized; self-loops do not count.
std::vector<std::uint64_t> triangles(const simple_graph& graph);

// By vertex: the share of ordered pairs of its neighbours with an edge from the first to the second.
// Neighbours are the other ends of in- and out-edges, except the vertex itself. The share is 0 with fewer
// than two neighbours. Found pair by pair.
std::vector<double> clustering_coefficients(const simple_graph& graph);

// By vertex of a symmetric graph whose weights are not negative: the mean over all pairs of its neighbours. A
// pair with an edge counts the geometric mean of the triangle's weights, divided by the largest weight of all
// edges. The mean is 0 with fewer than two neighbours, or if all weights are 0. Found pair by pair.
std::vector<double> weighted_clustering_coefficients(const simple_graph& graph);

// The largest relative error of a weighted coefficient of at least `least_weighted_coefficient`. Smaller ones
// may be off by as much as that one.
inline constexpr double weighted_clustering_tolerance = 1e-12, least_weighted_coefficient = 0x1p-48;

}  // namespace orujo::internal::verify
