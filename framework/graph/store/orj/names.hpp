// Names of the vertices in an .orj file.
#pragma once

#include <cstdint>

#include "framework/formats/names.hpp"
#include "framework/formats/orj_file.hpp"
#include "system/base/status.hpp"

namespace orujo::graph {

inline bool has_names(const formats::orj_header& header) {
  return header.has(formats::orj_section::name_offsets);
}

// Any thread. The names of the positions first .. last - 1 of a file that has names. Fails where the source
// does, and with bad_data unless they ascend, also from the one before them, and are such as an edge list can
// have.
result<formats::name_table> read_orj_names(formats::byte_source& source, const formats::orj_header& header,
                                           std::uint64_t first, std::uint64_t last);

}  // namespace orujo::graph
