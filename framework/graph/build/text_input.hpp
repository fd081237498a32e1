// Edges of text files (formats/text_file.hpp), of which the job's cores read parts.
#pragma once

#include "framework/formats/byte_source.hpp"
#include "framework/formats/text_layout.hpp"
#include "framework/graph/build/input.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::graph {

formats::text_request text_request_of(const input_source& from);

// All that input_edges says of a text file, without its edges.
input_edges of_text(const formats::text_layout& layout, const formats::text_totals& totals);

// Bounds of edges whose targets are of another set than their sources.
struct side_bounds {
  std::uint64_t most_source = 0;
  std::uint64_t least_target = ~std::uint64_t{0}, most_target = 0;
};
side_bounds bounds_of(const formats::edge_list& list);
side_bounds joined(const side_bounds& a, const side_bounds& b);
// Makes targets distinct from sources: target k becomes k plus the largest source, and 1 more if there is a
// target 0. all: the bounds of all edges of the file. Fails with bad_data if ids have no room for that.
status separate_sides(formats::edge_list& list, const side_bounds& all, const std::string& path);

// [task; suspends; collective over the job] All cores read parts of a plain file, and of one that is
// compressed in several; core 0 alone reads others.
result<input_edges> read_text_file(const input_source& from, formats::byte_source& source);

}  // namespace orujo::internal::graph
