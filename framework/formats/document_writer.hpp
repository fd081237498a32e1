// Writes graphs as documents (document.hpp), for the programs that read these: as graph_writer.hpp says.
#pragma once

#include <string>
#include <string_view>

#include "framework/formats/graph_writer.hpp"

namespace orujo::internal::formats {

// The others are read only.
constexpr bool is_written_document(file_format format) {
  return format == file_format::graphml || format == file_format::gml;
}

// Nodes, edges, and the end of the document.
inline constexpr int document_sections = 3, document_edges_section = 1;

std::string document_opening(file_format format, int section, const graph_traits& traits);
void append_to_document(file_format format, int section, const graph_traits& traits, const row_block& block,
                        std::string& to);

// True if the text is UTF-8 and XML 1.0 has its characters, which names without control characters are but
// for U+FFFE and U+FFFF.
bool is_xml_text(std::string_view text);

}  // namespace orujo::internal::formats
