// Which core owns which vertices of an .orj file's graph.
#pragma once

#include <cstdint>

#include "framework/formats/orj_file.hpp"
#include "framework/graph/partition.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::graph {

// [task; suspends; collective over the job] Cuts the vertices into this number of parts as build() does, by
// the offsets in place of the edges. Every core fails alike.
result<partition> cut_orj(formats::byte_source& source, const formats::orj_header& header, int parts,
                          std::uint64_t alpha);

}  // namespace orujo::internal::graph
