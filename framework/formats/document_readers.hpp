// A reader for each format of documents.
#pragma once

#include "framework/formats/document.hpp"

namespace orujo::internal::formats {

// Each as read_document() has it.
result<document> read_graphml(byte_source& source, const document_request& wanted, std::uint64_t most_bytes);
result<document> read_gexf(byte_source& source, const document_request& wanted, std::uint64_t most_bytes);
result<document> read_gml(byte_source& source, const document_request& wanted, std::uint64_t most_bytes);
result<document> read_pajek(byte_source& source, const document_request& wanted, std::uint64_t most_bytes);
result<document> read_dot(byte_source& source, const document_request& wanted, std::uint64_t most_bytes);
result<document> read_json(byte_source& source, const document_request& wanted, std::uint64_t most_bytes);
result<document> read_graph6(byte_source& source, const document_request& wanted, std::uint64_t most_bytes);
result<document> read_adjacency_lines(byte_source& source, const document_request& wanted,
                                      std::uint64_t most_bytes);
result<document> read_npy(byte_source& source, const document_request& wanted, std::uint64_t most_bytes);
result<document> read_npz(byte_source& source, const document_request& wanted, std::uint64_t most_bytes);

}  // namespace orujo::internal::formats
