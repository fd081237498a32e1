#include "framework/graph/store/orj/cut.hpp"

#include <algorithm>

#include "framework/graph/build/shuffle.hpp"
#include "framework/graph/store/orj/rows.hpp"
#include "system/loops/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::graph {

result<partition> cut_orj(formats::byte_source& source, const formats::orj_header& header, int parts,
                          std::uint64_t alpha) {
  edge_counts counts;
  counts.vertices = header.vertices;
  counts.bucket = bucket_size(header.vertices, parts);
  const std::size_t buckets = (header.vertices + counts.bucket - 1) / counts.bucket;
  counts.mine.resize(buckets);
  const auto first_of = [&](std::size_t b) {
    return std::min<std::size_t>(b * counts.bucket, header.vertices);
  };
  const loops::index_range mine = loops::my_part_of_job({0, buckets});
  const loops::index_range vertices{first_of(mine.first), first_of(mine.last)};
  const auto offsets =
      read_orj_offsets(source, header, orj_rows_of::in_edges, vertices, share_of_job().agree);
  if (!offsets.ok()) return offsets.status();
  for (std::size_t b = mine.first; b < mine.last; ++b) {
    counts.mine[b] =
        offsets.value()[first_of(b + 1) - vertices.first] - offsets.value()[first_of(b) - vertices.first];
  }
  return choose_partition(counts, alpha, parts);
}

}  // namespace orujo::graph
