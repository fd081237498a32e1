#include "framework/results/vertex_matrix.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/framework/results/result_graphs.hpp"

namespace orujo::internal::results {
namespace {

using test_graphs::result_graph;
using test_graphs::scratch_file;
using vertex_rows = std::vector<std::int64_t>;

// Rows of 3: each vertex, the one half way round, and none or the first.
vertex_rows rows_of_three(std::size_t vertices) {
  vertex_rows rows;
  for (std::size_t v = 0; v < vertices; ++v) {
    rows.push_back(static_cast<std::int64_t>(v));
    rows.push_back(static_cast<std::int64_t>((v + vertices / 2) % vertices));
    rows.push_back(v % 3 == 0 ? -1 : 0);
  }
  return rows;
}

std::string written_matrix(const result_graph& g, const vertex_rows& rows, const scratch_file& file) {
  const auto matrix = containers::global_array<std::int64_t>::create(rows.size());
  matrix.put(0, rows);
  auto output = files::output_file::open(file.path);
  EXPECT_TRUE(output.ok());
  write_vertex_matrix(g.graph, matrix, 3, output.value(), row_format_of(file.path));
  EXPECT_TRUE(output.value().finish().ok());
  matrix.destroy();
  return file.content();
}

TEST(write_vertex_matrix, has_a_line_for_each_row) {
  test_graphs::for_each_result_graph([](const result_graph& g) {
    const vertex_rows rows = rows_of_three(g.ids.size());
    std::string text, csv;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (rows[k] >= 0) {
        const std::string label = g.label(static_cast<std::size_t>(rows[k]));
        text += (k % 3 == 0 ? "" : " ") + label;
        csv += (k % 3 == 0 ? "" : ",") + label;
      }
      if (k % 3 == 2) text += '\n', csv += '\n';
    }
    EXPECT_EQ(written_matrix(g, rows, scratch_file()), text);
    EXPECT_EQ(written_matrix(g, rows, scratch_file({}, ".csv")), csv);
    EXPECT_EQ(written_matrix(g, {}, scratch_file()), "");
  });
}

TEST(write_vertex_matrix, has_a_matrix_for_numpy) {
  test_graphs::for_each_result_graph([](const result_graph& g) {
    if (!g.names.empty()) return;
    const vertex_rows rows = rows_of_three(g.ids.size());
    std::string entries;
    for (const std::int64_t position : rows) {
      const auto id = position < 0 ? ~std::uint64_t{0} : g.ids[static_cast<std::size_t>(position)];
      entries.append(reinterpret_cast<const char*>(&id), sizeof(id));
    }
    const std::string content = written_matrix(g, rows, scratch_file({}, ".npy"));
    const std::size_t head = content.size() - entries.size();
    EXPECT_EQ(head % 64, 0u);
    EXPECT_EQ(content.substr(head), entries);
    EXPECT_NE(content.find("{'descr': '<i8', 'fortran_order': False, 'shape': (" +
                           std::to_string(g.ids.size()) + ", 3), }"),
              std::string::npos);
  });
}

}  // namespace
}  // namespace orujo::internal::results
