// The Vector-Sparse of an .orj file, made from the rows that are in it already.
#pragma once

#include <vector>

#include "framework/graph/store/orj/output.hpp"

namespace orujo::internal::graph {

// [task; suspends; collective over the job] Adds the sections of Vector-Sparse to a sealed file of fewer
// than 2^30 vertices, and seals it again; header and blocks are as `orj_output::seal()` left them. The
// vertices are cut into up to 64 ranges, each of which is a slice of every segment, whatever the number of
// cores. Takes as much memory on a core as its share of the rows.
status add_vectors(const orj_output& to, formats::orj_header& header, std::vector<std::uint64_t>& blocks);

}  // namespace orujo::internal::graph
