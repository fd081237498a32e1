// Rows that a graph keeps: those of a locale's cores in one place.
#pragma once

#include <cstddef>
#include <memory>

#include "framework/graph/adjacency.hpp"
#include "framework/graph/build/rows.hpp"

namespace orujo::internal::graph {

// How a row has its weights: not at all, in an array of their own, or each beside its neighbour.
enum class row_weights { none, parallel, arcs };

// [task; suspends; collective over the locale] The rows of its cores in one place. The calling core's are
// those of the locale's vertices first, first + 1, ..; its cores' follow each other and are row_count in all.
std::shared_ptr<adjacency> keep_rows(const rows& mine, std::size_t first, std::size_t row_count,
                                     row_weights weights);

}  // namespace orujo::internal::graph
