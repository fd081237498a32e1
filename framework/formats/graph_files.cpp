#include "framework/formats/graph_files.hpp"

#include "framework/formats/ldbc_graph.hpp"
#include "framework/formats/packed_edges.hpp"

namespace orujo::internal::formats {

std::vector<std::string> files_of_graph(const std::string& path, std::optional<file_format> format) {
  std::vector<std::string> files = {path};
  if (!format) format = format_of_path(path);
  if (format == file_format::graph500) files.push_back(packed_weights_path(path));
  if (format != file_format::ldbc) return files;
  files.push_back(properties_path(path));
  const auto graph = read_ldbc_properties(path);
  if (graph.ok()) files.insert(files.end(), {graph.value().vertex_file, graph.value().edge_file});
  return files;
}

}  // namespace orujo::internal::formats
