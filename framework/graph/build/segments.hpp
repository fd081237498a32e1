// How a locale's local indices are cut into segments of sources, whose values a core finds nearby while it
// processes their edges; how many there are best is segment_model.hpp's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/graph/build/slice_encoder.hpp"

namespace orujo::internal::graph {

inline constexpr std::size_t most_segments = 1 << 16;

// Cuts into at most `segments` equal ranges: bounds[s] .. bounds[s + 1] - 1 are segment s. With more than
// one, no segment has both own vertices and mirrors. A bound between mirrors moves to the nearest end of a
// peer's mirrors, if that is at most half a range away. peers_end: these ends, ascending. The first mirror is
// 0.
std::vector<std::uint32_t> cut_sources(std::uint32_t own, std::uint32_t mirrors, std::size_t segments,
                                       std::span<const std::uint32_t> peers_end = {});

// The number of pieces that these bounds cut the rows into. A piece is the edges of a vertex from one
// segment. Each row's neighbours must ascend.
std::uint64_t count_pieces(const in_edge_rows& rows, std::span<const std::uint32_t> bounds);

// A bundled piece costs its vertex in the bundle's head, 4 bytes. At most half as many pieces as edges keep
// the graph within 6 bytes per edge.
constexpr bool too_many_pieces(std::uint64_t pieces, std::uint64_t edges) { return pieces > edges / 2; }

}  // namespace orujo::internal::graph
