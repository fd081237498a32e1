// Edges that an algorithm returns, each with a value.
#pragma once

#include <compare>
#include <cstdint>

#include "system/containers/global_array.hpp"

namespace orujo::internal::graph {

// An edge by the positions of its ends (numbering.hpp), and its value.
template <class T>
struct valued_edge {
  std::uint64_t source, target;
  T value;
  friend auto operator<=>(const valued_edge&, const valued_edge&) = default;
};

// Two vertices by their positions.
struct vertex_pair {
  std::uint64_t source, target;
  friend auto operator<=>(const vertex_pair&, const vertex_pair&) = default;
};

// Edges that are spread over all cores: a handle, which can travel.
template <class T>
using edge_array = containers::global_array<valued_edge<T>>;

}  // namespace orujo::internal::graph
