// Everything that can be checked of an .orj file, at leisure.
#pragma once

#include <cstdint>
#include <string>

#include "framework/formats/orj_header.hpp"
#include "system/base/status.hpp"

namespace orujo::graph {

// [task; suspends; collective over the job] Reads all of the file, each core a part: the checksums of all
// sections, the zeros between them; rows, ids and names as load_orj() does; that rows of in-edges, rows of
// out-edges and Vector-Sparse hold the same edges, by sums of hashes; that edges are symmetric, and without
// self-loops and parallel edges, where the header says so. Takes as much memory on a core as its share of the
// rows of one direction. Fails with bad_data and the first fault, the same at every core.
result<formats::orj_header> check_orj(const std::string& path);

}  // namespace orujo::graph
