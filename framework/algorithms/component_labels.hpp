// Labels of strongly connected components: a serial computation for a small part of a graph, and the label
// that does not depend on how a component was found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"
#include "system/loops/stop_flag.hpp"

namespace orujo::internal::algorithms {

// The label of a vertex whose component is not known.
inline constexpr std::uint64_t no_component = ~std::uint64_t{0};

// The root of each vertex's strongly connected component: a member that its members share. Vertex v has the
// edges to targets[firsts[v]] .. targets[firsts[v + 1] - 1]. By Tarjan's algorithm, without recursion.
std::vector<std::uint32_t> roots_of_components(std::span<const std::uint64_t> firsts,
                                               std::span<const std::uint32_t> targets);

// [task at core 0 of the only locale; suspends] Labels each vertex by the smallest position of its component.
// Returns false, with some labels missing, if `stop` is set meanwhile. Takes 4 bytes per vertex, and 16 per
// vertex of a path.
bool label_locale(graph::distributed_graph graph, graph::property<std::uint64_t> labels,
                  loops::stop_flag stop);

// [task at core 0; suspends] Labels each vertex that has `no_component` by the number of a member of its
// component among such vertices, fewer than 2^32 - 1. Core 0 computes them. Returns false, with some labels
// missing, if `stop` is set meanwhile. On one locale it costs what label_locale() does. On several it takes 4
// bytes per vertex. It costs a read of 4 bytes for each out-edge of such a vertex. Core 0 is sent 4 bytes for
// each edge between two of them and 12 for each of them, and sends 8 back.
bool label_at_core_0(graph::distributed_graph graph, graph::property<std::uint64_t> labels,
                     loops::stop_flag stop);

// [task; suspends] Replaces labels, each the number of a member of the component, by the smallest position of
// a member. Takes 8 bytes per vertex. Costs two exchanges of 24 bytes for each core and component with
// vertices there but the labelling member elsewhere.
void label_by_positions(graph::distributed_graph graph, graph::property<std::uint64_t> labels);

}  // namespace orujo::internal::algorithms
