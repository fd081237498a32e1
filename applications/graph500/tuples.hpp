// The edge tuples of the Graph500 benchmark, spread over all cores, with roots and counts.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "framework/generators/generator.hpp"
#include "framework/graph/build/input.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/grid/grid_graph.hpp"
#include "system/containers/global_array.hpp"

namespace orujo::internal::graph500 {

// Weights are uniform among the multiples of 2^-20 within (0, 1), not all floats of [0, 1): sums of them
// below 16 are exact in single precision.
generators::generator_spec describe_tuples(unsigned scale, std::uint64_t edge_factor, std::uint64_t seed,
                                           bool weighted);

// Any thread. Generates tuples [first, last).
formats::edge_list make_tuples(const generators::generator_spec& spec, std::uint64_t first,
                               std::uint64_t last);

// [task] The calling core's part of the tuples, as a list.
graph::input_edges make_my_tuples(const generators::generator_spec& spec);

// [task] Generates the calling core's tuples again, some at a time.
void visit_my_tuples(const generators::generator_spec& spec, const graph::input_edges::visitor& visit);

// The number of tuple ends at each vertex; a self-loop has two. Any task creates and destroys it.
using tuple_ends = containers::global_array<std::uint32_t>;
// [task; suspends] One message of 8 bytes per end.
tuple_ends count_tuple_ends(const generators::generator_spec& spec);

// [task; suspends] Samples `count` different vertices with an edge to another one, or all of those if they
// are fewer, by ids. The graph has no self-loops. The result is the same for any number of locales and cores,
// and for any order of the vertices.
std::vector<std::uint64_t> draw_roots(graph::distributed_graph graph, std::size_t count, std::uint64_t seed);
std::vector<std::uint64_t> draw_roots(graph::grid_graph graph, std::size_t count, std::uint64_t seed);

}  // namespace orujo::internal::graph500
