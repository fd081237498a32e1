// The result of a breadth-first search, computed serially on a simple_graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/verify/simple_graph.hpp"

namespace orujo::internal::verify {

// The parent and level of vertices that the root does not reach.
inline constexpr std::int64_t unreached = -1;

// By vertex: the least number of edges from the root.
std::vector<std::int64_t> search_levels(const simple_graph& graph, std::size_t root);

// What is wrong with a search tree, if anything: parents and levels by vertex, parents as vertex numbers. Any
// shortest-path tree is right; the root is its own parent at level 0.
std::optional<std::string> check_search(const simple_graph& graph, std::size_t root,
                                        std::span<const std::int64_t> parents,
                                        std::span<const std::int64_t> levels);

}  // namespace orujo::internal::verify
