// The formats of graph files, by the names that --format has for them.
#pragma once

#include <optional>
#include <string_view>

#include "framework/formats/text_layout.hpp"

namespace orujo::internal::formats {

enum class file_format {
  edge_list,
  matrix_market,
  dimacs,
  metis,
  csv,
  konect,
  gap,
  adjacency,
  graph500,
  orj,
  graphml,  // from here on documents (document.hpp)
  gexf,
  gml,
  pajek,
  dot,
  json,
  graph6,
  adjlist,
  npy,
  npz,
  ldbc  // ldbc_graph.hpp
};

// All of them, for people: "edge_list, matrix_market, ... or orj".
inline constexpr std::string_view format_list =
    "edge_list, matrix_market, dimacs, metis, csv, konect, gap, adjacency, graph500, orj, graphml, gexf, "
    "gml, "
    "pajek, dot, json, graph6, adjlist, npy, npz or ldbc";

std::string_view name_of(file_format format);
std::optional<file_format> find_format(std::string_view name);

// bad_data: names of vertices are wanted of a file that has none.
status no_names(std::string_view path, file_format format);

// bad_data: targets are to be of another set than sources in a file whose edges are of one.
status no_sides(std::string_view path, file_format format);

// The expected format of a file by its suffix, which may be followed by .gz or .zst.
std::optional<file_format> format_of_path(std::string_view path);

inline file_format format_of(const text_layout& layout) { return static_cast<file_format>(layout.format); }
// Returns nothing unless the format is one of lines, which text_file.hpp reads.
inline std::optional<text_format> text_format_of(file_format format) {
  if (format > file_format::konect) return {};
  return static_cast<text_format>(format);
}
inline bool is_document(file_format format) {
  return format >= file_format::graphml && format <= file_format::npz;
}
static_assert(static_cast<int>(text_format::konect) == static_cast<int>(file_format::konect));

}  // namespace orujo::internal::formats
