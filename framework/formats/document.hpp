// Files of nodes and edges in the formats of other programs, which one reader reads from start to end:
// GraphML, GEXF, GML, Pajek, DOT, JSON, graph6, adjacency lines and NumPy's arrays.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/formats/byte_source.hpp"
#include "framework/formats/edge.hpp"
#include "framework/formats/file_format.hpp"
#include "framework/formats/names.hpp"
#include "framework/formats/row_list.hpp"
#include "framework/formats/text_file.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::formats {

struct document_request {
  bool named = false;  // vertices have names even if their ids are numbers: labels, in formats that have them
  bool ignores_weights = false;       // whatever stands for them
  bool non_negative_weights = false;  // others are errors
  std::string weight = {};            // the attribute of edges that has them; "": that of the format
  bool rows = false;                  // a matrix by rows is to be given as such
};

// Undirected edges are there in both directions. Vertices without edges are vertices, too.
struct document {
  file_format format = file_format::graphml;
  edge_list list;
  std::optional<row_list> rows;  // instead of the list, if they are requested and there
  name_table names;              // of the vertices of the edges, by number, where they have names
  bool named = false;
  std::uint64_t vertices = 0;      // without names: 0 .. vertices - 1
  std::uint64_t first_id = 0;      // and ids are larger by this,
  std::vector<std::uint64_t> ids;  // or these, ascending
  bool ignores_its_weights = false;
};

// Fails if the source does. Fails with bad_data, `"PATH:LINE:COLUMN: what; what is expected"`, if it is not
// such a document, and with no_resource if that takes more than most_bytes.
result<document> read_document(byte_source& source, file_format format, const document_request& wanted = {},
                               std::uint64_t most_bytes = any_bytes);

}  // namespace orujo::internal::formats
