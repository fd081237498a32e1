// The Vector-Sparse in-edges of an .orj file, which are those of a graph on one locale.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "framework/formats/orj_file.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/store/orj/rows.hpp"

namespace orujo::graph {

// Where the vectors lie; empty where the file has none.
struct orj_slices {
  std::vector<edge_slice> slices;
  std::vector<edge_segment> segments;
};

// Any thread. Checked: the slices follow each other, the segments have all sources.
result<orj_slices> read_orj_slices(formats::byte_source& source, const formats::orj_header& header);

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

// An array for `size` values of a section: the pages of a mapped source, which the array keeps alive; else
// memory of its own.
template <class T>
machine::huge_array<T> orj_array(const std::shared_ptr<formats::byte_source>& source,
                                 const formats::orj_header& header, formats::orj_section section,
                                 std::size_t size) {
  if (source->mapped().empty()) return machine::huge_array<T>(size);
  const std::span<T> mapped = formats::mapped_values<T>(*source, header, section);
  return mapped.empty() ? machine::huge_array<T>() : machine::huge_array<T>::borrow(mapped, source);
}

// [task; suspends; collective over the locale, the job's only one] Fills the graph's arrays of vectors. The
// cores read, or look at, and check their shares of the slices. Every core fails if any does.
status load_orj_vectors(const std::shared_ptr<formats::byte_source>& source,
                        const formats::orj_header& header, locale_graph& g, weight_rule rule);

}  // namespace orujo::graph
