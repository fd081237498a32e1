// Single vertices and edges of a distributed graph, from wherever they live. For a few: each call is a
// message or two.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/neighbours.hpp"

namespace orujo::internal::graph {

// [task; suspends] The number of the vertex with this id in the file, or of the generator; none if there is
// no such vertex. Asks one core after the other.
std::optional<std::uint64_t> find_vertex(distributed_graph graph, std::uint64_t id);
// [task; suspends] The number of the vertex with this name, in a graph whose vertices have names; none if
// there is no such vertex. Reads log2(vertices) names.
std::optional<std::uint64_t> find_vertex(distributed_graph graph, std::string_view name);

// [task; suspends] The out-neighbours of the vertex of this number, ascending by number and then weight, one
// for each edge. The graph keeps rows of out-edges.
std::vector<adjacent_vertex> out_neighbours(distributed_graph graph, std::uint64_t number);
// [task; suspends] The in-neighbours of the vertex of this number, in the order of out_neighbours(). The
// graph keeps rows of in-edges.
std::vector<adjacent_vertex> in_neighbours(distributed_graph graph, std::uint64_t number);

// [task; suspends] Whether there is an edge between the vertices of these numbers. Takes a binary search in
// one row. The graph keeps rows of out-edges or of in-edges.
bool has_edge(distributed_graph graph, std::uint64_t source, std::uint64_t target);

}  // namespace orujo::internal::graph
