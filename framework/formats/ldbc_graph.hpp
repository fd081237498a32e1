// LDBC Graphalytics' layout of a graph: NAME.properties names the files of vertices and edges, and their form
// (Iosup et al., "The LDBC Graphalytics Benchmark", arXiv 2011.15028, section 2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/formats/byte_source.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::formats {

struct ldbc_graph {
  std::string vertex_file, edge_file;  // where they are: beside the properties
  bool directed = false;               // else an edge is there in both directions, and in a line once
  std::uint32_t weight_column = 0;     // of an edge's line, from 1 on; 0: edges have no weight
  std::optional<std::uint64_t> vertices, edges;  // that are announced
};

// NAME.properties, of that or of NAME.v or NAME.e beside it.
std::string properties_path(const std::string& path);

// Reads NAME.properties, or finds it beside NAME.v or NAME.e. Fails as open_source() does, and with bad_data
// if something is missing or meaningless.
result<ldbc_graph> read_ldbc_properties(const std::string& path);

// bad_data: the file of vertices is compressed, or in an archive.
status wants_plain(const std::string& vertex_file);

// The first ids of the lines that start in bytes [first, last) of a seekable source, and the number of these
// lines. error: `"COLUMN: what; what is expected"` of the line after them.
struct vertex_lines {
  std::vector<std::uint64_t> ids;
  std::uint64_t lines = 0;
  std::string error;
};
result<vertex_lines> read_vertex_lines(byte_source& source, std::uint64_t first, std::uint64_t last);

}  // namespace orujo::internal::formats
