// The Vector-Sparse in-edges of an .orj file as edges, by any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "framework/formats/edge.hpp"
#include "framework/graph/store/orj/share.hpp"
#include "framework/graph/store/orj/vectors.hpp"

namespace orujo::internal::graph {

// The vectors of a mapped file (map_source()), which must outlive this, in place. Any thread.
class orj_mapped_vectors {
 public:
  // Checks where they lie and the top-level vertices.
  static result<orj_mapped_vectors> open(formats::byte_source& mapped, const formats::orj_header& header,
                                         weight_rule rule);

  std::size_t slices() const { return all_.slices.size(); }
  // Checks the checksums and all values of a slice.
  status check_slice(std::size_t k);
  // Calls visit(target, source, weight) for each edge of a slice that has been checked.
  template <class Visit>
  void for_each_edge_of(std::size_t k, Visit visit) const {
    vector_sparse_view slice = view_;
    slice.slices = std::span(all_.slices).subspan(k, 1);
    slice.segments = {};
    for_each_edge(slice, visit);
  }

 private:
  orj_mapped_vectors(orj_slices all, std::uint32_t vertices, weight_rule rule)
      : all_(std::move(all)), vertices_(vertices), rule_(rule) {}

  orj_slices all_;
  vector_sparse_view view_;  // of it
  std::uint32_t vertices_;
  weight_rule rule_;
  std::vector<formats::orj_section_reader> readers_;  // vectors, then maybe weights
};

// The share of the edges that Vector-Sparse has, in one stage. The file has it (header.segments), and is
// mapped during the call.
result<formats::edge_list> read_orj_vector_edges(const formats::orj_header& header, const std::string& path,
                                                 const numbering& numbers, weight_rule rule,
                                                 const orj_share& share);

}  // namespace orujo::internal::graph
