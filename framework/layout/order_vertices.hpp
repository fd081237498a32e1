// The order of a distributed graph's vertices in memory: from all cores' edges to a numbering.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "framework/graph/build/input.hpp"
#include "framework/graph/build/vertex_ids.hpp"
#include "framework/graph/numbering.hpp"
#include "framework/layout/block_levels.hpp"
#include "framework/layout/orders.hpp"

namespace orujo::layout {

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

// [task; suspends; collective over the job] The same order for any number of locales and cores. Random costs
// nothing. degree and hub_cluster take a pass over the edges and 12 bytes per vertex at every locale, of
// which 8 stay. The others gather the whole graph at locale 0 (gather_undirected()), where one core orders
// it.
result<graph::vertex_order> order_vertices(const graph::input_edges& input, const graph::vertex_ids& ids,
                                           const order_request& request);

// The facts by which `automatic` chooses.
struct graph_traits {
  std::uint64_t vertices = 0;
  double log2_gap = 0;   // mean over edges of log2 of the distance of their ends' positions
  double hub_share = 0;  // of the edges' ends, at vertices of more than four times the average degree
};

// [task; suspends; collective over the job] degrees: as count_degrees() has them.
graph_traits traits_of(const graph::input_edges& input, const graph::vertex_ids& ids,
                       std::span<const std::uint32_t> degrees);

// Any thread. cache_bytes: of a second-level cache.
order_kind choose_order(const graph_traits& traits, std::size_t vertex_bytes, std::size_t cache_bytes);

}  // namespace orujo::layout
