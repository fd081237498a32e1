// Everything that can be checked of an .orj file, at leisure.
#pragma once

#include <cstdint>
#include <string>

#include "framework/formats/orj_header.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::graph {

// [task; suspends; collective over the job] Reads all of the file, each core a part. Checks the checksums of
// all sections and the zeros between them, and rows, ids and names as load_orj() does. Checks by sums of
// hashes that rows of in-edges, rows of out-edges and Vector-Sparse hold the same edges. Checks that edges
// are symmetric, and without self-loops and parallel edges, if the header says so. A core needs memory for
// its share of the rows of one direction. Fails with bad_data and the first fault, the same at every core.
result<formats::orj_header> check_orj(const std::string& path);

}  // namespace orujo::internal::graph
