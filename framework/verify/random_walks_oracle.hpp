// Random walks, one after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::verify {

struct walk_plan {
  std::uint64_t walks = 0;       // from vertices that they draw first
  std::uint64_t per_vertex = 0;  // where walks is 0: from every vertex, in their order
  std::uint32_t length = 0;
  std::uint64_t seed = 0;
};

// How often walks are at each vertex, where they begin among them. Walk w draws from random_stream(seed, w),
// in every step one of the out-edges; it ends if there is none.
std::vector<std::uint64_t> count_visits(const simple_graph& graph, const walk_plan& plan);

}  // namespace orujo::verify
