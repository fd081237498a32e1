// Algorithms, in namespace orujo::algorithms. Each is a class that one task on every core makes and runs:
//   const auto cores = property<std::uint32_t>::create(graph);
//   on_all_cores([=] { algorithms::core_numbers(graph.here(), cores.here()).run(); });
// or a vertex program for run(), or a function that one task calls. "Own vertex" means the index of a vertex
// among those that its locale owns.
// Example: docs/tutorial/together.cpp
#pragma once

// IWYU pragma: begin_exports
#include "framework/algorithms/betweenness.hpp"
#include "framework/algorithms/breadth_first_search.hpp"
#include "framework/algorithms/cliques.hpp"
#include "framework/algorithms/closeness.hpp"
#include "framework/algorithms/coloring.hpp"
#include "framework/algorithms/condensation.hpp"
#include "framework/algorithms/connected_components.hpp"
#include "framework/algorithms/core_numbers.hpp"
#include "framework/algorithms/dag_levels.hpp"
#include "framework/algorithms/delta_pagerank.hpp"
#include "framework/algorithms/eccentricities.hpp"
#include "framework/algorithms/edge_betweenness.hpp"
#include "framework/algorithms/hits.hpp"
#include "framework/algorithms/label_propagation.hpp"
#include "framework/algorithms/leiden.hpp"
#include "framework/algorithms/matrix_factorization.hpp"
#include "framework/algorithms/maximal_independent_set.hpp"
#include "framework/algorithms/minimum_spanning_forest.hpp"
#include "framework/algorithms/multi_source_search.hpp"
#include "framework/algorithms/mutual_information.hpp"
#include "framework/algorithms/neighbour_sample.hpp"
#include "framework/algorithms/pagerank.hpp"
#include "framework/algorithms/personalized_pagerank.hpp"
#include "framework/algorithms/random_walks.hpp"
#include "framework/algorithms/rank_shares.hpp"
#include "framework/algorithms/sample_positions.hpp"
#include "framework/algorithms/shortest_paths.hpp"
#include "framework/algorithms/similarity.hpp"
#include "framework/algorithms/spectral_centrality.hpp"
#include "framework/algorithms/strongly_connected_components.hpp"
#include "framework/algorithms/triangles.hpp"
#include "framework/algorithms/truss_numbers.hpp"
#include "framework/algorithms/weighted_betweenness.hpp"
#include "framework/algorithms/weighted_clustering.hpp"
#include "framework/algorithms/weighted_core_numbers.hpp"
#include "orujo/edge_maps.hpp"
#include "orujo/vertex_programs.hpp"
// IWYU pragma: end_exports

namespace orujo {
namespace algorithms = internal::algorithms;
}
