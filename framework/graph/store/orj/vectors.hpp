// The Vector-Sparse in-edges of an .orj file, which are those of a graph on one locale.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "framework/formats/orj_file.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/store/orj/rows.hpp"

namespace orujo::internal::graph {

// The slices and segments of the vectors, empty if the file has none.
struct orj_slices {
  std::vector<edge_slice> slices;
  std::vector<edge_segment> segments;
};

// Any thread. Checked: the slices follow each other, the segments have all sources.
result<orj_slices> read_orj_slices(formats::byte_source& source, const formats::orj_header& header);

// Checks that all lanes are such weights, also those of no edge, and words the error if not.
bool are_weights(std::span<const weight_vector> some, weight_rule rule);
std::string_view why_no_weights(weight_rule rule);

// An array for `size` values of a section. It is the pages of a mapped source, which the array keeps alive,
// or memory of its own.
template <class T>
machine::huge_array<T> orj_array(const std::shared_ptr<formats::byte_source>& source,
                                 const formats::orj_header& header, formats::orj_section section,
                                 std::size_t size) {
  if (source->mapped().empty()) return machine::huge_array<T>(size);
  const std::span<T> mapped = formats::mapped_values<T>(*source, header, section);
  return mapped.empty() ? machine::huge_array<T>() : machine::huge_array<T>::borrow(mapped, source);
}

// [task; suspends; collective over the locale, the job's only one] Fills the graph's arrays of vectors. The
// cores read (or map) and check their shares of the slices. Every core fails if any does.
status load_orj_vectors(const std::shared_ptr<formats::byte_source>& source,
                        const formats::orj_header& header, locale_graph& g, weight_rule rule);

}  // namespace orujo::internal::graph
