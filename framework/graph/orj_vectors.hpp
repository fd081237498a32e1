// The Vector-Sparse in-edges of an .orj file, which are those of a graph on one locale.
#pragma once

#include <vector>

#include "framework/formats/orj_file.hpp"
#include "framework/graph/distributed_graph.hpp"

namespace orujo::graph {

// Where the vectors lie; empty where the file has none.
struct orj_slices {
  std::vector<edge_slice> slices;
  std::vector<edge_segment> segments;
};

// Any thread. Checked: the slices follow each other, the segments have all sources.
result<orj_slices> read_orj_slices(formats::byte_source& source, const formats::orj_header& header);

// [task; suspends; collective over the locale, the job's only one] Fills the graph's arrays of vectors. The
// cores read and check their shares of the slices, of which each so touches its memory first. Every core
// fails if any does.
status load_orj_vectors(formats::byte_source& source, const formats::orj_header& header, locale_graph& g,
                        bool non_negative_weights);

}  // namespace orujo::graph
