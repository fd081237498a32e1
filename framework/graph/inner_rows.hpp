// Which out-edges of own vertices stay within the locale, and how light the others are.
#pragma once

#include <cstdint>
#include <memory>

#include "framework/graph/distributed_graph.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::graph {

// The part of an own vertex's row with neighbours of the locale. A row ascends by number, so these lie
// together.
struct inner_row {
  std::uint64_t first = 0;   // slot in out_rows of the first edge to an own vertex; the others follow
  std::uint32_t count = 0;   // of them
  float lightest_outer = 0;  // weight of an edge to a mirror; infinity if there is none
};

// [task; suspends; collective over the locale] The inner rows by own vertex, of a graph that keeps out_rows.
// They are made once and stay with the graph: 16 bytes per vertex.
std::shared_ptr<const machine::huge_array<inner_row>> find_inner_rows(const locale_graph& g);

}  // namespace orujo::internal::graph
