// Brings every edge to the core that owns its row, and sorts the rows.
//
//   edge_counts counts = count_edges(input, vertices, options, rows_of::in_edges);   at every core
//   partition owners = choose_partition(counts, alpha);                              from the job's counts
//   rows in = make_rows(input, owners, options, counts, last_use::no);
//
// and, for the out-edges of the same owners, unless the graph is symmetric (its rows are the same both ways):
//
//   edge_counts by_source = count_edges(input, vertices, options, rows_of::out_edges);
//   by_source.add_up();
//   rows out = make_rows(input, owners, options, by_source, last_use::yes);
//
// The input is visited once for the counts, once for the rows. An edge is under way as an 8-byte key
// (rows.hpp), and 4 bytes of weight if it has one. It is written straight to its slot in the memory of its
// owner: each core of the locale has room for its edges in each bin of the owner. Edges of other locales
// arrive in messages, after those. A bin is a run of vertices whose edges fit the second-level cache, where
// they are sorted. The rows are then written over the keys. So a core needs 8 bytes per edge beside the input
// (12 with weights), duplicates included, and 8 per vertex.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "framework/graph/build/build_options.hpp"
#include "framework/graph/build/input.hpp"
#include "framework/graph/build/rows.hpp"
#include "framework/graph/numbering.hpp"
#include "framework/graph/partition.hpp"
#include "system/base/identity.hpp"
#include "system/base/index_range.hpp"
#include "system/base/status.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::graph {

enum class rows_of {
  in_edges,   // by target, of sources
  out_edges,  // by source, of targets
};

// The number of edges of each bucket (partition.hpp) of rows.
struct edge_counts {
  rows_of grouping = rows_of::in_edges;
  std::uint64_t vertices = 0;
  std::uint64_t bucket = 1;               // vertices in a bucket; a power of two
  std::vector<std::uint64_t> mine;        // of this core's input
  std::vector<std::uint64_t> of_the_job;  // once added up

  // [task; suspends; collective over the job]
  void add_up();
};

// [task] Counts this core's edges by vertex numbers, after the changes that `options` request. bucket:
// vertices of a bucket, a power of two, or 0 for bucket_size().
edge_counts count_edges(const input_edges& input, std::uint64_t vertices, const build_options& options,
                        rows_of grouping, std::uint64_t bucket = 0);

// The number of this core's edges of each vertex, by position.
struct vertex_counts {
  machine::huge_array<std::uint32_t> in;   // by target; of a symmetrized graph in either direction
  machine::huge_array<std::uint32_t> out;  // by source; none of a symmetrized graph
};

// [task] Counts this core's edges, which have positions, after the changes that `options` request.
vertex_counts count_by_vertex(const input_edges& input, std::uint64_t vertices, const build_options& options);

// [task] What count_edges() says when the positions have been replaced by these numbers.
edge_counts count_edges(const vertex_counts& counts, const numbering& numbers, const build_options& options,
                        rows_of grouping, std::uint64_t bucket = 0);

// [task; suspends; collective over the job] Adds up the counts and cuts the vertices by them (partition.hpp).
partition choose_partition(edge_counts& counts, std::uint64_t alpha, int parts = cores());

// The offsets of the in-edges of a range of vertices, and of the vertex after it.
using offsets_reader = std::function<result<machine::huge_array<std::uint64_t>>(index_range vertices)>;
// [task; suspends; collective over the job] Cuts the vertices as choose_partition() does, by the offsets in
// place of the edges. Fails as offsets_of() does, which fails alike at every core.
result<partition> cut_by_offsets(std::uint64_t vertices, int parts, std::uint64_t alpha,
                                 const offsets_reader& offsets_of);

// Says whether the input's memory may be freed while it is read.
enum class last_use { no, yes };

// [task; suspends; collective over the job] The rows of the calling core. `counts` are added up, and what
// count_edges() said of the same input and options.
rows make_rows(input_edges& input, const partition& owners, const build_options& options,
               const edge_counts& counts, last_use use);

}  // namespace orujo::internal::graph
