// Edges with values, as rows of text or of a table: what goes out of a job beside values of vertices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/valued_edge.hpp"
#include "framework/results/further_vertices.hpp"
#include "framework/results/gathered_text.hpp"
#include "framework/results/ordered_values.hpp"
#include "framework/results/table_rows.hpp"
#include "framework/results/value_text.hpp"
#include "system/containers/symmetric.hpp"
#include "system/files/output_file.hpp"

namespace orujo::internal::results {

using graph::edge_array, graph::valued_edge;

namespace detail {

constexpr std::size_t edges_of_piece = 16384;

// [task; suspends] The calling core's rows. `labels` is of any values of the same graph.
template <class T, class Text>
text_pieces edge_rows_here(std::span<const valued_edge<T>> mine, const ordered_values<char>& labels,
                           row_format format, const Text& as_number) {
  text_pieces pieces;
  std::string text;
  further_vertices ends;
  for (std::size_t first = 0; first < mine.size(); first += edges_of_piece) {
    const auto piece = mine.subspan(first, std::min(edges_of_piece, mine.size() - first));
    ends.clear();
    for (const valued_edge<T>& e : piece) {
      ends.add(vertex_at<std::uint64_t>{e.source});
      ends.add(vertex_at<std::uint64_t>{e.target});
    }
    ends.found(labels.labels_of(ends.positions()));
    text.clear();
    for (const valued_edge<T>& e : piece) {
      ends.append_first(text, format);
      ends.append(text, format, vertex_at<std::uint64_t>{e.target});
      append_number(text, format, e.value, as_number);
      append_row_end(text, format);
    }
    pieces.push_back(text);
  }
  return pieces;
}

}  // namespace detail

// [task; suspends] Writes a row for each edge, in the order of the array. As text it is "SOURCE TARGET
// VALUE", an edge list again. In csv and npy the columns are source, target and `value` (table_rows.hpp). All
// cores make rows and write them as write_texts() does. Takes an id and 8 bytes per vertex and the size of
// the text, spread over the cores.
template <class T, class Text = as_decimals>
void write_edges(graph::distributed_graph graph, edge_array<T> edges, files::output_file& output,
                 row_format format, const std::string& value, Text as_number = {}) {
  const auto labels =
      ordered_values<char>::create(graph, [](const graph::locale_graph&, std::uint32_t) { return char{}; });
  output.write(
      table_head(format, {column_of<std::uint64_t>("target"), column_of<T>(value)}, edges.size(), "source"));
  const auto texts = containers::symmetric<text_pieces>::create_by(
      [=] { return detail::edge_rows_here<T>(edges.local(), labels, format, as_number); });
  write_texts(texts, output);
  texts.destroy();
  labels.destroy();
}

}  // namespace orujo::internal::results
