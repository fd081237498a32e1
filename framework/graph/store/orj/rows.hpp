// Rows of an .orj file (formats/orj_header.hpp), read and checked: everything that is used as an index later.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/formats/orj_file.hpp"
#include "framework/graph/adjacency.hpp"
#include "framework/graph/build/rows.hpp"
#include "framework/graph/edge_forms.hpp"
#include "framework/graph/numbering.hpp"
#include "framework/graph/partition.hpp"
#include "framework/graph/store/orj/share.hpp"
#include "system/base/status.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::graph {

// Which of the two directions of a file. A symmetric one only has in_edges.
enum class orj_rows_of { in_edges, out_edges };

// The section of direction `which` that is what `of_in_edges` is of the in-edges.
formats::orj_section section_of(orj_rows_of which, formats::orj_section of_in_edges);

// Any thread, as all below. The offsets of the rows of `vertices`: one more than there are vertices, or none
// without vertices. They ascend, and fit the first and last of the whole file. Offsets of a mapped source,
// which must outlive them, stay in place. Stages: the bytes, then their values.
result<machine::huge_array<std::uint64_t>> read_orj_offsets(formats::byte_source& source,
                                                            const formats::orj_header& header,
                                                            orj_rows_of which, index_range vertices,
                                                            const orj_agreement& agree = agree_alone);

// The condition on weights, beside being finite.
enum class weight_rule { any, non_negative };
inline weight_rule weight_rule_of(const edge_forms& keep) {
  return keep.non_negative_weights ? weight_rule::non_negative : weight_rule::any;
}

// Neighbours, and weights where the file has them, of the edges offsets.front() .. offsets.back() - 1, as
// read_orj_offsets() gave the offsets. Neighbours are vertices of the file and ascend in each row.
class orj_edge_reader {
 public:
  static result<orj_edge_reader> open(formats::byte_source& source, const formats::orj_header& header,
                                      orj_rows_of which, std::span<const std::uint64_t> offsets,
                                      weight_rule rule);

  std::uint64_t edges() const { return offsets_.empty() ? 0 : offsets_.back() - offsets_.front(); }
  // Reads into arrays of edges() entries. high_bits is empty unless the file has them.
  status read_neighbours(std::span<std::uint32_t> into, std::span<std::uint32_t> high_bits = {});
  status read_weights(std::span<float> into);
  // Neighbours and weights side by side; of a file that has weights and fewer than 2^32 vertices.
  status read_arcs(std::span<arc> into);

 private:
  orj_edge_reader(const formats::orj_header& header, std::span<const std::uint64_t> offsets, weight_rule rule)
      : vertices_(header.vertices), offsets_(offsets), rule_(rule) {}

  status check_neighbours(std::uint64_t first, std::span<const std::uint32_t> some, std::uint32_t before);
  status check_large(std::span<const std::uint32_t> low, std::span<const std::uint32_t> high) const;
  status check_weights(std::uint64_t first, std::span<const float> some) const;

  std::uint64_t vertices_;
  std::span<const std::uint64_t> offsets_;
  weight_rule rule_;
  std::size_t next_row_ = 0;                          // the first row that begins after the bytes read
  std::vector<formats::orj_section_reader> readers_;  // neighbours, then maybe high bits and weights
  bool weighted_ = false, large_ = false;
};

// The rows of `vertices`, by vertex numbers, of a source that is not mapped, as offsets are changed. Stages:
// those of the offsets, neighbours, weights.
result<rows> read_orj_rows(formats::byte_source& source, const formats::orj_header& header, orj_rows_of which,
                           index_range vertices, weight_rule rule, const orj_agreement& agree = agree_alone);

// The external ids of the vertices first_vertex, first_vertex + 1, .. of a file that has ids. Where numbers
// are positions they must ascend, also from the one before them. Stages: the bytes, then what they say.
status read_orj_ids(formats::byte_source& source, const formats::orj_header& header,
                    std::uint64_t first_vertex, std::span<std::uint64_t> into,
                    const orj_agreement& agree = agree_alone);

// How the file numbers its vertices. A table is read as a whole: 8 or 16 bytes per vertex. Fails with
// bad_data if the table is not a permutation.
result<numbering> numbering_of(formats::byte_source& source, const formats::orj_header& header);

}  // namespace orujo::internal::graph
