// How much memory building a graph takes, so that one that does not fit is refused before the work begins.
#pragma once

#include <cstdint>
#include <string_view>

#include "framework/graph/build/build_options.hpp"
#include "framework/graph/build/input.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::graph {

// The size of a graph or of a locale's share of it. edges: those of the input, with reversed ones if it is
// symmetrized, and with duplicates.
struct graph_size {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  bool weighted = false;
};

// About the most bytes in use at one time while edges are shuffled, sorted and encoded, the graph's own
// included; beside the input's edges and without mirrors.
std::uint64_t bytes_to_build(const graph_size& size, const build_options& options);

// [task; suspends; collective over the job] The number of bytes that the edges read by this core may take, if
// all cores read a part each, or if core 0 reads all.
enum class readers { all_cores, core_0 };
std::uint64_t room_to_read(readers who);

// [task; suspends; collective over the job] Fails with no_resource, the bytes needed and those available:
// - where the shares of a node's locales need more than the node has left,
// - where those of a process need more than its limits let it map,
// - where one share is more than --memory_budget_bytes.
// what: takes them. needed: bytes of the calling core's locale, as its first core gives them.
status check_room(std::string_view what, std::uint64_t needed);

// [task; suspends; collective over the job] The same for building a graph of these edges.
status check_memory(const input_edges& input, std::uint64_t vertices, const build_options& options);

// [task; suspends; collective over the job] Whether there is also room for the order by degree
// (degree_order.hpp).
bool has_room_for_order(const input_edges& input, std::uint64_t vertices, const build_options& options);

// [task; suspends; collective over the job] Whether there is room to place edges on a grid
// (place_on_grid.hpp). size: of the calling core's locale.
bool has_room_for_grid(const graph_size& size, const build_options& options);

// [task; suspends; collective over the job] The same for edges that all cores are about to read.
status check_memory_to_read(std::uint64_t edges, bool weighted);

// [task; suspends; collective over the job] The same for a graph whose rows are in a file.
status check_memory_to_load(const graph_size& whole, const build_options& options);

}  // namespace orujo::internal::graph
