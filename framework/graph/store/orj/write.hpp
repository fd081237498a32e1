// Writing a graph as an .orj file (formats/orj_header.hpp).
#pragma once

#include <string>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/edge_forms.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::graph {

// The forms that the graph to be written has to keep.
inline constexpr edge_forms forms_to_write{.in_vectors = false, .in_rows = true, .out_rows = true};

// [task; suspends] All cores write their parts to one temporary file. It gets the name `path` when it is
// complete and on the disk, so there is the whole file or none. The file is the same for any number of
// locales and cores. The graph keeps rows of both directions, as forms_to_write requires. Fails with io_error
// if the file cannot be written.
//
// Vector-Sparse is made for one locale and a second-level cache like the writer's, of graphs with fewer than
// 2^30 vertices.
status write_orj(distributed_graph graph, const std::string& path);

// Core 0. Fails with io_error if write_orj() could not write there, as far as is known without a graph.
status can_write_orj(const std::string& path);

}  // namespace orujo::internal::graph
