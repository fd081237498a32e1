// An .orj file as a list of edges: for oracles, conversion, and builds that change its graph.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "framework/formats/edge.hpp"
#include "framework/formats/orj_file.hpp"
#include "framework/graph/numbering.hpp"

namespace orujo::graph {

// Edges first .. last - 1 in the order of the file's rows of in-edges, by positions. Any thread, several at a
// time. Fails where the source does, and with bad_data where what was read is damaged or contradicts itself.
result<edge_list> read_orj_edges(formats::byte_source& source, const formats::orj_header& header,
                                 const numbering& numbers, std::uint64_t first, std::uint64_t last);

// The external ids by position, ascending; null where they are positions + first_id.
result<std::shared_ptr<const std::vector<std::uint64_t>>> read_orj_id_table(formats::byte_source& source,
                                                                            const formats::orj_header& header,
                                                                            const numbering& numbers);

}  // namespace orujo::graph
