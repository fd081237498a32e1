// Graph files as tables of their edges.
#include "framework/tables/relational/graph_rows.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "framework/tables/relational/database.hpp"
#include "tests/framework/tables/mapreduce/text_files.hpp"
#include "tests/sanitized.hpp"

namespace orujo::internal::relational {
namespace {

// The only row of an answer, of integers; or the mistake.
std::string only_row(const std::string& path, const std::string& query) {
  const auto data = database::load({{"t", path}});
  if (!data.ok()) return data.status().message();
  const auto found = data.value().select(query + " ORDER BY 1");  // core 0 has the first rows
  std::string told;
  if (found.ok()) {
    const answer_part& part = found.value().local();
    EXPECT_EQ(part.rows.rows, 1u);
    for (const column& values : part.rows.columns)
      told += (told.empty() ? "" : " ") + std::to_string(values[0]);
    found.value().destroy();
  } else {
    told = found.status().message();
  }
  data.value().destroy();
  return told;
}

// A path, with more edges than any core takes at a time.
TEST(graph_rows, are_the_edges_that_all_cores_read) {
  const mapreduce::text_folder folder;
  constexpr std::uint64_t edges = sanitized ? 100'000 : 300'000;
  std::string ids = "# a comment\n", names, matrix = "%%MatrixMarket matrix coordinate integer symmetric\n";
  matrix += std::to_string(edges + 1) + " " + std::to_string(edges + 1) + " " + std::to_string(edges) + "\n";
  for (std::uint64_t k = 0; k < edges; ++k) {
    ids += std::to_string(k) + " " + std::to_string(k + 1) + "\n";
    names += "v" + std::to_string(k) + "\tv" + std::to_string(k + 1) + "\n";
    matrix += std::to_string(k + 2) + " " + std::to_string(k + 1) + " 3\n";
  }
  const std::string sums =
      std::to_string(edges) + " " + std::to_string(edges * (edges - 1) / 2) + " " + std::to_string(edges);
  const std::string query = "SELECT count(*), sum(source), sum(target - source) FROM t";
  EXPECT_EQ(only_row(folder.write("ids.el", ids), query), sums);
  EXPECT_EQ(
      only_row(folder.write("names.el", names),
               "SELECT count(*), count(DISTINCT source), sum(CASE WHEN target > source THEN 1 ELSE 0 END) "
               "FROM t WHERE target LIKE 'v%'"),
      [&] {
        std::uint64_t later = 0;
        for (std::uint64_t k = 0; k < edges; ++k) later += std::to_string(k + 1) > std::to_string(k);
        return std::to_string(edges) + " " + std::to_string(edges) + " " + std::to_string(later);
      }());
  EXPECT_EQ(only_row(folder.write("matrix.mtx", matrix),
                     "SELECT count(*), CAST(sum(weight) AS INTEGER), sum(source - target) FROM t"),
            std::to_string(2 * edges) + " " + std::to_string(6 * edges) + " 0");
}

TEST(graph_rows, have_mistakes_that_are_named) {
  const mapreduce::text_folder folder;
  const std::string large = folder.write("large.el", "1 2\n18446744073709551615 3\n");
  EXPECT_EQ(
      only_row(large, "SELECT count(*) FROM t"),
      large +
          ": the vertex 18446744073709551615 is beyond the integers of a table; write the edges as CSV, "
          "whose ids may be texts");
  const std::string wrong =
      folder.write("wrong.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n3 1\n");
  EXPECT_TRUE(only_row(wrong, "SELECT count(*) FROM t").starts_with(wrong + ":3:"));
  EXPECT_EQ(only_row(folder.write("empty.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 0\n"),
                     "SELECT count(*) FROM t"),
            "0");
}

TEST(graph_rows, are_of_files_that_are_graphs_by_name) {
  for (const char* path : {"x.el", "x.wel.gz", "x.mtx", "x.sg", "x.orj", "x.graphml.zst", "x.gr", "x.net"})
    EXPECT_TRUE(names_a_graph(path)) << path;
  for (const char* path : {"x.csv", "x.tsv.gz", "x.txt", "x", "x.nt", "folder/x.log", "mtx"})
    EXPECT_FALSE(names_a_graph(path)) << path;
}

}  // namespace
}  // namespace orujo::internal::relational
