// How the edge phase reads the values of the sources that a segment's vectors name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "framework/graph/vector_sparse.hpp"
#include "system/machine/measures.hpp"

namespace orujo::internal::vectors {

enum class source_reads {
  near,    // one by one, from a cache
  far,     // prefetched
  in_runs  // most vectors name eight in a row, as those of a mesh, a band or dense blocks do: one load
};

inline std::uint64_t bytes_of_sources(const graph::edge_segment& segment, std::size_t value_bytes) {
  return (segment.last_source - segment.first_source) * value_bytes;
}
// Chooses by the size of the sources: they are prefetched from that many bytes on.
inline source_reads choose_reads(const graph::edge_segment& segment, std::size_t value_bytes,
                                 std::uint64_t prefetch_from = machine::this_machine().prefetch_from) {
  return bytes_of_sources(segment, value_bytes) >= prefetch_from ? source_reads::far : source_reads::near;
}
// Chooses likewise, with in_runs from a sample of the segment's vectors, which takes some tens of
// microseconds. Never suspends.
source_reads choose_reads(const graph::vector_sparse_view& graph, const graph::edge_segment& segment,
                          std::size_t value_bytes,
                          std::uint64_t prefetch_from = machine::this_machine().prefetch_from);
// For people: what has been chosen for the segments of a graph, and why.
std::string reads_text(const graph::vector_sparse_view& graph, std::span<const graph::edge_segment> segments,
                       std::size_t value_bytes, std::span<const source_reads> chosen);

}  // namespace orujo::internal::vectors
