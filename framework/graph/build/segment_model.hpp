// How many segments a locale's sources are best cut into: what an edge costs, as a function of what the
// machine does and of what the edges look like.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "framework/graph/build/slice_encoder.hpp"
#include "system/machine/measures.hpp"

namespace orujo::graph {

// What some of a locale's in-edges look like; a sum over its cores. All are plain numbers.
struct edge_sample {
  static constexpr std::size_t halvings = 16;

  std::uint64_t edges = 0;                           // that were looked at
  std::array<std::uint64_t, halvings + 1> pieces{};  // with the sources in 2^k equal ranges
  // Blocks of rows with about block_edges[b] edges, and the cache lines of sources that they touch, each
  // counted once per block; in the short blocks without those that follow one that is there, as the processor
  // fetches these by itself: a mesh has no others.
  static constexpr std::array<std::uint64_t, 2> block_edges = {1 << 12, 1 << 16};
  std::array<std::uint64_t, 2> blocks{}, lines{};

  friend edge_sample operator+(edge_sample a, const edge_sample& b);
};

// Looks at some of a core's rows, about half a million edges: some milliseconds. sources: of the locale.
// Neighbours of a row must ascend.
edge_sample sample_edges(const in_edge_rows& rows, std::uint64_t sources);

// The work of a locale's edge phase.
struct edge_work {
  std::uint64_t sources = 0;  // own vertices and mirrors
  std::uint64_t edges = 0;
  int cores = 1;
};

// What differs between numbers of segments, ns per edge and core: loads of sources, pieces, and barriers.
//
// A load of a source finds it nearby where the last some thousand edges needed its cache line, too. So what
// is loaded again within a block comes out of the lines that the block touches, and the rest out of all of
// the segment. Segments make both smaller, and cut rows into more pieces.
double edge_ns(const machine::measures& m, const edge_sample& sample, const edge_work& work,
               unsigned halvings);

struct segment_choice {
  std::size_t segments = 1;
  std::string reason;  // for people
};
// The cheapest power of two. Another one than the fewest segments has to win by 5 %: each takes time to
// encode (docs/design/decisions.md, "Graphs in memory"). At most as many that there are half as many
// pieces as edges.
segment_choice choose_segments(const machine::measures& m, const edge_sample& sample, const edge_work& work);

}  // namespace orujo::graph
