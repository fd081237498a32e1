// Properties of any bytes that a reader is given. Fuzzers and the tests of the kept files check them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/framework/formats/whole_file.hpp"

namespace orujo::internal::fuzz {

// The bytes as a file of a format. For packed edges the first byte decides whether there are weights. If so,
// they are a quarter of the rest.
inline formats::whole_file file_of(formats::file_format format, std::string_view bytes) {
  formats::whole_file file;
  file.format = format;
  if (format != formats::file_format::graph500) {
    file.content = bytes;
    return file;
  }
  const bool weighted = !bytes.empty() && bytes[0] % 2 == 1;
  bytes.remove_prefix(std::min<std::size_t>(1, bytes.size()));
  const std::size_t edges = weighted ? bytes.size() - bytes.size() / 4 : bytes.size();
  file.content = bytes.substr(0, edges);
  if (weighted) file.weights = bytes.substr(edges);
  return file;
}

// Returns the property that the file breaks, or "". Readers of parts must find the same edges or error as one
// of the whole. An error must be bad_data. Written edges must be read again unchanged.
inline std::string broken_property(const formats::whole_file& file) {
  using namespace formats;
  constexpr std::uint64_t most_vertices_written = 1 << 14, most_cuts = 40;
  const file_format format = *file.format;
  const reading whole = read_parts(file, 1);
  if (!whole.ok() && (whole.code != exit_status::bad_data || whole.error.empty()))
    return "no bad_data: " + whole.error;
  for (const std::size_t parts : {2, 3, 7}) {
    const reading pieces = read_parts(file, parts);
    // libarchive's first error of a damaged archive depends on the pieces that it gets.
    const bool both_refused =
        format == file_format::npz && pieces.code == exit_status::bad_data && !whole.ok();
    if (pieces != whole && !both_refused) return "cut into " + std::to_string(parts) + " parts";
  }
  if (text_format_of(format)) {
    const std::uint64_t step = std::max<std::uint64_t>(1, file.content.size() / most_cuts);
    for (std::uint64_t cut = file.content.size() % step; cut <= file.content.size(); cut += step) {
      if (read_parts(file, 2, cut) != whole) return "cut at byte " + std::to_string(cut);
    }
  }
  if (!whole.ok() || whole.vertices.value_or(0) > most_vertices_written) return "";
  const plain_graph graph = graph_of(whole);
  if (!graph_writer(format, traits_of(graph)).refused("F").ok()) return "";
  const reading again = read_parts(write_whole(format, graph, 5, 3), 2);
  if (!again.ok()) return "written and refused: " + again.error;
  return sorted(with_ids(again.list, again)) == sorted(with_ids(whole.list, whole)) &&
                 again.vertices == whole.vertices && again.names == whole.names
             ? ""
             : "written and read again";
}

// The bytes as a file of a format, and edge lists, tables and documents as one with names, too.
inline std::string broken_property(formats::file_format format, std::string_view bytes) {
  formats::whole_file file = file_of(format, bytes);
  const std::string broken = broken_property(file);
  const bool may_be_named = format == formats::file_format::edge_list ||
                            format == formats::file_format::csv || formats::is_document(format);
  if (!broken.empty() || !may_be_named) return broken;
  file.named = true;
  const std::string with_names = broken_property(file);
  return with_names.empty() ? "" : "with names: " + with_names;
}

}  // namespace orujo::internal::fuzz
