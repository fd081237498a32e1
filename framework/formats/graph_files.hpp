// The files that a graph is read of: some formats have several.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "framework/formats/file_format.hpp"

namespace orujo::internal::formats {

// Any thread. The file of that path and those that its format has beside it: the weights of packed edges, the
// vertices and edges that an LDBC graph's properties name. Without a format the path says it. Reads the
// properties; what cannot be read names no files.
std::vector<std::string> files_of_graph(const std::string& path, std::optional<file_format> format);

}  // namespace orujo::internal::formats
