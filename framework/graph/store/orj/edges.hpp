// An .orj file as a list of edges: for oracles, conversion, and builds that change its graph.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "framework/formats/edge.hpp"
#include "framework/formats/orj_file.hpp"
#include "framework/graph/numbering.hpp"
#include "framework/graph/store/orj/rows.hpp"
#include "framework/graph/store/orj/share.hpp"

namespace orujo::internal::graph {

// The share of the edges that the rows of one direction have, by positions. The source is not mapped, as
// offsets are changed. Any thread, several at a time. Fails if the source does, and with bad_data if
// that form of the edges is damaged or contradicts itself, the same for any number of readers. Stages: the
// bytes of the offsets, all of what these say, neighbours, weights.
result<formats::edge_list> read_orj_edges(formats::byte_source& source, const formats::orj_header& header,
                                          const numbering& numbers, orj_rows_of which, weight_rule rule,
                                          const orj_share& share);

// The external ids by position; null if they are positions + first_id. Where numbers are positions they
// ascend.
result<std::shared_ptr<const std::vector<std::uint64_t>>> read_orj_id_table(formats::byte_source& source,
                                                                            const formats::orj_header& header,
                                                                            const numbering& numbers);

}  // namespace orujo::internal::graph
