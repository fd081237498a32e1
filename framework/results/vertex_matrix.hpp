// Rows of vertices, such as walks, as lines of text or a matrix for NumPy.
#pragma once

#include <cstddef>
#include <cstdint>

#include "framework/graph/distributed_graph.hpp"
#include "framework/results/table_rows.hpp"
#include "system/containers/global_array.hpp"
#include "system/files/output_file.hpp"

namespace orujo::internal::results {

// [task; suspends] Writes the rows of a matrix of `width` positions each (numbering.hpp); -1 is no vertex,
// and follows the vertices of a row. As text and csv, a row is a line of ids or names without the -1. As npy
// it is a matrix of ids, and -1, of 8 bytes each; vertices with names have no place in it. All cores make
// rows and write them as write_texts() does. Takes an id per vertex and the size of the text, spread over the
// cores.
void write_vertex_matrix(graph::distributed_graph graph, containers::global_array<std::int64_t> matrix,
                         std::size_t width, files::output_file& output, row_format format);

}  // namespace orujo::internal::results
