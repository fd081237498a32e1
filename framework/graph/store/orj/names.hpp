// Names of the vertices in an .orj file.
#pragma once

#include <cstdint>

#include "framework/formats/names.hpp"
#include "framework/formats/orj_file.hpp"
#include "framework/graph/store/orj/share.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::graph {

inline bool has_names(const formats::orj_header& header) {
  return header.has(formats::orj_section::name_offsets);
}

// Any thread. The names of some positions of a file that has names. Fails if the source
// does, and with bad_data unless they ascend, also from the one before them, and are such as an edge list can
// have. Stages: the bytes of the offsets, what they say, the names' bytes, what they are.
result<formats::name_table> read_orj_names(formats::byte_source& source, const formats::orj_header& header,
                                           index_range positions, const orj_agreement& agree = agree_alone);

}  // namespace orujo::internal::graph
