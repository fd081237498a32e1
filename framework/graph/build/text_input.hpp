// Edges of text files (formats/text_file.hpp), of which the job's cores read parts.
#pragma once

#include "framework/formats/byte_source.hpp"
#include "framework/formats/text_layout.hpp"
#include "framework/graph/build/input.hpp"
#include "system/base/status.hpp"

namespace orujo::graph {

formats::text_request text_request_of(const input_source& from);

// All that input_edges says of a text file, without its edges.
input_edges of_text(const formats::text_layout& layout, const formats::text_totals& totals);

// [task; suspends; collective over the job] All cores read parts of a plain file, and of one that is
// compressed in several; core 0 alone reads others.
result<input_edges> read_text_file(const input_source& from, formats::byte_source& source);

}  // namespace orujo::graph
