// Single vertices and edges of a distributed graph, from wherever they live. For a few: each call is a
// message or two.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "framework/graph/distributed_graph.hpp"

namespace orujo::graph {

// [task; suspends] The number of the vertex with this id in the graph's file, or in the generator, or none if
// there is no such vertex. Asks core after core until one knows.
std::optional<std::uint64_t> find_vertex(distributed_graph graph, std::uint64_t id);
// [task; suspends] The same where vertices have names; asks for log2(vertices) of them.
std::optional<std::uint64_t> find_vertex(distributed_graph graph, std::string_view name);

struct adjacent_vertex {
  std::uint64_t number;
  float weight;  // of the edge; 1 in graphs without weights
  friend auto operator<=>(const adjacent_vertex&, const adjacent_vertex&) = default;
};
// [task; suspends] Of the vertex of this number, ascending by number and then weight, once for every edge.
// The graph keeps rows of out-edges, or of in-edges.
std::vector<adjacent_vertex> out_neighbours(distributed_graph graph, std::uint64_t number);
std::vector<adjacent_vertex> in_neighbours(distributed_graph graph, std::uint64_t number);

// [task; suspends] Looks into one row, by bisection. The graph keeps rows of either edges.
bool has_edge(distributed_graph graph, std::uint64_t source, std::uint64_t target);

}  // namespace orujo::graph
