#include "framework/graph/store/orj/cut.hpp"

#include "framework/graph/build/shuffle.hpp"
#include "framework/graph/store/orj/rows.hpp"

namespace orujo::internal::graph {

result<partition> cut_orj(formats::byte_source& source, const formats::orj_header& header, int parts,
                          std::uint64_t alpha) {
  return cut_by_offsets(header.vertices, parts, alpha, [&](index_range vertices) {
    return read_orj_offsets(source, header, orj_rows_of::in_edges, vertices, share_of_job().agree);
  });
}

}  // namespace orujo::internal::graph
