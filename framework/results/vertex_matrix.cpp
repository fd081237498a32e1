#include "framework/results/vertex_matrix.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "framework/results/further_vertices.hpp"
#include "framework/results/gathered_text.hpp"
#include "framework/results/ordered_values.hpp"
#include "system/base/identity.hpp"
#include "system/containers/symmetric.hpp"

namespace orujo::internal::results {
namespace {

constexpr std::size_t vertices_of_matrix_piece = 65536;

void append_matrix_rows(std::string& text, std::span<const std::int64_t> rows, std::size_t width,
                        row_format format, further_vertices& vertices) {
  for (std::size_t first = 0; first < rows.size(); first += width) {
    for (std::size_t k = 0; k < width; ++k) {
      const vertex_at<std::int64_t> vertex{rows[first + k]};
      if (format != row_format::npy && vertex.is_none()) break;
      if (k == 0 && !vertex.is_none()) {
        vertices.append_first(text, format);
      } else {
        vertices.append(text, format, vertex);
      }
    }
    append_row_end(text, format);
  }
}

// [task; suspends] The text of the calling core's rows, which are not those of its elements: a row may lie at
// two cores.
text_pieces matrix_rows_here(containers::global_array<std::int64_t> matrix, std::size_t width,
                             const ordered_values<char>& labels, row_format format) {
  text_pieces pieces;
  const index_range mine = my_part_of_job({0, matrix.size() / width});
  const std::size_t at_a_time = std::max<std::size_t>(vertices_of_matrix_piece / width, 1);
  std::vector<std::int64_t> rows;
  further_vertices vertices;
  for (std::size_t first = mine.first; first < mine.last; first += at_a_time) {
    rows.resize(std::min(at_a_time, mine.last - first) * width);
    matrix.get(first * width, std::span(rows));
    vertices.clear();
    for (const std::int64_t position : rows) vertices.add(vertex_at<std::int64_t>{position});
    vertices.found(labels.labels_of(vertices.positions()));
    append_matrix_rows(pieces.emplace_back(), rows, width, format, vertices);
  }
  return pieces;
}

}  // namespace

void write_vertex_matrix(graph::distributed_graph graph, containers::global_array<std::int64_t> matrix,
                         std::size_t width, files::output_file& output, row_format format) {
  const auto labels =
      ordered_values<char>::create(graph, [](const graph::locale_graph&, std::uint32_t) { return char{}; });
  if (format == row_format::npy) output.write(matrix_head(matrix.size() / width, width));
  const auto texts = containers::symmetric<text_pieces>::create_by(
      [=] { return matrix_rows_here(matrix, width, labels, format); });
  write_texts(texts, output);
  texts.destroy();
  labels.destroy();
}

}  // namespace orujo::internal::results
