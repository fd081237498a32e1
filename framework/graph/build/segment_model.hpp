// Chooses the number of segments of a locale's sources, by a model of the cost of an edge. The model depends
// on measures of the machine and on a sample of the edges.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "framework/graph/build/slice_encoder.hpp"
#include "system/machine/measures.hpp"

namespace orujo::internal::graph {

// A sample of a locale's in-edges, summed over its cores. All are plain numbers.
struct edge_sample {
  static constexpr std::size_t halvings = 16;

  std::uint64_t edges = 0;                           // examined
  std::array<std::uint64_t, halvings + 1> pieces{};  // with the sources in 2^k equal ranges
  // Blocks of rows with about block_edges[b] edges, and the cache lines of sources that they touch, each
  // counted once per block. In short blocks a line after a touched one does not count, because the processor
  // fetches it by itself. A mesh has no others.
  static constexpr std::array<std::uint64_t, 2> block_edges = {1 << 12, 1 << 16};
  std::array<std::uint64_t, 2> blocks{}, lines{};

  friend edge_sample operator+(edge_sample a, const edge_sample& b);
};

// Samples about half a million edges of a core's rows, which takes some milliseconds. sources: of the locale.
// Neighbours of a row must ascend.
edge_sample sample_edges(const in_edge_rows& rows, std::uint64_t sources);

// The work of a locale's edge phase.
struct edge_work {
  std::uint64_t sources = 0;  // own vertices and mirrors
  std::uint64_t edges = 0;
  int cores = 1;
};

// The costs that depend on the number of segments, in ns per edge and core: loads of sources, pieces, and
// barriers.
//
// A source is near if the last some thousand edges used its cache line, too. So a line that is loaded again
// within a block comes from the lines of that block, and the others come from the whole segment. Segments
// make both smaller, and cut rows into more pieces.
double edge_ns(const machine::measures& m, const edge_sample& sample, const edge_work& work,
               unsigned halvings);

struct segment_choice {
  std::size_t segments = 1;
  std::string reason;  // for people
};
// The cheapest power of two. Another one than the fewest segments has to win by 5 %: each takes time to
// encode (docs/design/decisions_of_graphs.md). There are at most half as many pieces as edges.
segment_choice choose_segments(const machine::measures& m, const edge_sample& sample, const edge_work& work);

}  // namespace orujo::internal::graph
