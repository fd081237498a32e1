// The order of vertices that the command line requests: --layout and related flags.
#pragma once

#include "framework/graph/build/build_options.hpp"
#include "framework/layout/order_vertices.hpp"

namespace orujo::internal::layout {

// The options of the flags.
order_request request_from_flags();

// A usage error if a flag does not belong to the order of --layout.
status check_order_flags();

// [task; suspends; collective over the job] order_vertices() by the flags.
result<graph::vertex_order> order_by_flags(const graph::input_edges& input, std::uint64_t vertices,
                                           const graph::build_options& options);

// order_by_flags, or null if the order is one that a build makes itself: auto, none and degree.
graph::vertex_orderer orderer_from_flags();

// Whether --layout requests an order other than that of the ids.
bool requests_order();

// These forms, in that order if the order of --layout is such a one.
graph::edge_forms in_order_of_flags(graph::edge_forms keep);

}  // namespace orujo::internal::layout
