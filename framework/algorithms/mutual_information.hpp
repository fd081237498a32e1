// How similar two partitions of a graph's vertices are.
#pragma once

#include <cstdint>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"
#include "system/base/call_site.hpp"

namespace orujo::internal::algorithms {

// [task at core 0; suspends] The mutual information of two partitions of the vertices by label, divided by
// the mean of their entropies. It is 1 for the same partitions, whatever their labels are, and 0 for
// independent ones. It is also 1 if both have one part, or if there are no vertices.
//
// Danon, Diaz-Guilera, Duch, Arenas, "Comparing community structure identification", Journal of Statistical
// Mechanics, 2005. Takes 32 bytes per pair of labels that a core has, and sends 24.
double normalized_mutual_information(graph::distributed_graph graph, graph::property<std::uint64_t> a,
                                     graph::property<std::uint64_t> b,
                                     const call_site& at = call_site::current());

}  // namespace orujo::internal::algorithms
