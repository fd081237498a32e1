// The order of a distributed graph's vertices in memory: from all cores' edges to a numbering.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "framework/graph/build/input.hpp"
#include "framework/graph/numbering.hpp"
#include "framework/layout/block_levels.hpp"
#include "framework/layout/orders.hpp"

namespace orujo::internal::layout {

enum class order_kind { none, random, degree, hub_cluster, bfs, dfs, hierarchical, community, automatic };

// In the order of the enumeration.
inline constexpr std::array<std::string_view, 9> order_names = {
    "none", "random", "degree", "hub_cluster", "bfs", "dfs", "hierarchical", "community", "auto"};

std::optional<order_kind> find_order(std::string_view name);
std::string_view name_of(order_kind kind);

struct order_request {
  order_kind kind = order_kind::none;
  block_levels levels = machine_levels();  // of hierarchical,
  std::size_t vertex_bytes = 4;            // for which a vertex takes so much
  std::uint64_t seed = 1;                  // of random
};

// Any thread. The orders by neighbours: bfs, dfs, hierarchical and community.
vertex_sequence sequence_of(const undirected_graph& g, const order_request& request);

// [task; suspends; collective over the job] The order of the vertices of the job's edges, which have
// positions. It is the same for any number of locales and cores. Random costs nothing. hub_cluster takes a
// pass over the edges and 12 bytes per vertex at every locale, of which 8 stay. The others gather the whole
// graph at locale 0 (gather_undirected()), where one core orders it. `automatic` and `degree` are not made
// here, but by a build (graph/build/degree_order.hpp).
result<graph::vertex_order> order_vertices(const graph::input_edges& input, std::uint64_t vertices,
                                           const order_request& request);

}  // namespace orujo::internal::layout
