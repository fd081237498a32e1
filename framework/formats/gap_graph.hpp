// Serialized graphs of the GAP benchmark suite: .sg and, with weights, .wsg.
#pragma once

#include <cstdint>
#include <optional>

#include "framework/formats/byte_source.hpp"
#include "framework/formats/edge.hpp"

// Little-endian, without padding:
//
//   directed (1 byte) | edges (8) | vertices (8) | offsets (8 x (vertices + 1)) | neighbours (4 x edges)
//
// and, of a directed graph, offsets and neighbours of the in-edges once more. With weights each neighbour is
// followed by a whole number of 4 bytes. Undirected graphs have every edge in both directions. (Beamer,
// Asanovic, Patterson: "The GAP Benchmark Suite", 2015.)
namespace orujo::internal::formats {

enum class gap_half { first, second };  // rows of out-edges, and of in-edges if the graph is directed

struct gap_layout {
  bool directed = false, weighted = false;
  std::uint64_t vertices = 0, edges = 0;

  // Where in the file the offset of a vertex is, and the neighbour of an edge.
  std::uint64_t offset_at(gap_half half, std::uint64_t vertex) const;
  std::uint64_t neighbour_at(gap_half half, std::uint64_t edge) const;
};

// Returns nothing if the source is not such a file, which the numbers at its start and its size decide
// together. Fails if the source does.
result<std::optional<gap_layout>> find_gap_layout(byte_source& source);

// Checks that the offsets of vertices first .. last - 1 and of the next one ascend, from 0 to the number of
// edges. All have to be checked before several readers read edges, as they would find different errors
// otherwise. Any thread, several at a time. Fails as read_gap_edges() does.
status check_gap_offsets(byte_source& source, const gap_layout& layout, std::uint64_t first,
                         std::uint64_t last);

// Edges first .. last - 1 in the order of the file, from vertex to neighbour. Any thread, several at a time.
// Fails if the source does, and with bad_data, `"PATH: byte N: what"`, if offsets descend or a neighbour is
// not a vertex.
result<edge_list> read_gap_edges(byte_source& source, const gap_layout& layout, std::uint64_t first,
                                 std::uint64_t last);

}  // namespace orujo::internal::formats
