// Edges of documents (formats/document.hpp), which core 0 reads alone.
#pragma once

#include <optional>

#include "framework/formats/source_bytes.hpp"
#include "framework/graph/build/input.hpp"

namespace orujo::internal::graph {

// The format of the file if it is a document. Reads its start.
result<std::optional<formats::file_format>> find_document(const input_source& from,
                                                          formats::looked_at_source& source);

// [task; suspends; collective over the job] Core 0 reads all of it.
result<input_edges> read_document_file(const input_source& from, formats::byte_source& source,
                                       formats::file_format format);

// Any thread. As read_serially() does.
result<input_edges> read_document_serially(const input_source& from, formats::byte_source& source,
                                           formats::file_format format);

}  // namespace orujo::internal::graph
