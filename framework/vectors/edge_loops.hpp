// How the cores of a locale share the edge phase: one loop over the edge vectors of each segment.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "framework/graph/vector_sparse.hpp"
#include "system/loops/schedule.hpp"

namespace orujo::internal::vectors {

// Which core runs which chunk (system/loops/schedule.hpp). Under all but `round_robin`, `dynamic` and
// `guided` cores begin with the vectors that they encoded, or with equal parts. If they take turns, the
// totals of a window of vertices (slice_encoder.hpp) travel between their caches. PageRank with 2 cores and 1
// and 4 segments takes these ns of processor time per edge. With dynamic: Kronecker 16 0.52, 0.80, mesh 500^2
// 0.44, 0.63. With usersched: 0.51, 0.46 and 0.39, 0.44.
enum class edge_schedule {
  automatic,           // usersched
  fixed,               // equal parts
  round_robin,         // chunks in turn
  dynamic,             // a core that is free takes the next chunk
  guided,              // the same with shrinking chunks
  static_steal,        // equal parts, and cores that are done steal
  usersched,           // what each core encoded, and cores that are done steal
  usersched_profiled,  // the same, and the chunks are balanced after the first superstep by their measured
                       // time
};

struct edge_loop_options {
  edge_schedule schedule = edge_schedule::automatic;
  std::size_t chunk_vectors = 0;  // edge vectors per chunk; 0: about 32 chunks per core and segment
  bool operator==(const edge_loop_options&) const = default;
};

// The options of --schedule and --chunk_vectors (edge_loop_flags.cpp).
edge_loop_options edge_loop_options_from_flags();

// The loops of one locale. Chunks, and so the slots of the merge buffer, are numbered through over all
// segments.
class edge_loops {
 public:
  // [task; suspends] cores: of the locale. A segment has one slice per core, or as many as a file has.
  edge_loops(std::span<const graph::edge_segment> segments, std::span<const graph::edge_slice> slices,
             int cores, const edge_loop_options& options);
  edge_loops(const graph::vector_sparse_view& graph, int cores, const edge_loop_options& options)
      : edge_loops(graph.segments, graph.slices, cores, options) {}

  std::size_t segments() const { return loops_.size(); }
  loops::shared_loop& loop(std::size_t segment) { return *loops_[segment]; }
  // The number of the segment's first chunk; for segments(), of all chunks.
  std::size_t first_chunk(std::size_t segment) const { return first_chunk_[segment]; }

 private:
  std::vector<std::unique_ptr<loops::shared_loop>> loops_;
  std::vector<std::size_t> first_chunk_;
};

}  // namespace orujo::internal::vectors
