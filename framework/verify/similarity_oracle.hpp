// Similarities of pairs of vertices, computed serially by the definitions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "framework/verify/edge_comparison.hpp"
#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

// The largest relative error of a value: of sums of doubles here.
inline constexpr double similarity_tolerance = 1e-9;

// The similarity of pairs of vertices of a symmetric graph, in ascending order of the pairs, from sets of
// neighbours. `measure` is common_neighbours, jaccard, cosine, overlap, adamic_adar, resource_allocation or
// preferential_attachment.
std::vector<plain_edge<double>> similarities(const simple_graph& graph, const std::string& measure,
                                             std::vector<std::pair<std::size_t, std::size_t>> pairs);

// The similarity of the ends of all edges: source < target. Loops are left out.
std::vector<plain_edge<double>> similarities(const simple_graph& graph, const std::string& measure);

}  // namespace orujo::internal::verify
