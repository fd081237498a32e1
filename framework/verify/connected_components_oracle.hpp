// Connected components computed serially by union-find.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

// By vertex: the smallest external id among the vertices that paths join it with, whatever the direction of
// their edges.
std::vector<std::uint64_t> connected_components(const simple_graph& graph);

}  // namespace orujo::internal::verify
