#include "framework/graph/build/load.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "system/base/identity.hpp"
#include "tests/framework/collected_graph.hpp"
#include "tests/system/base/scratch_folder.hpp"

namespace orujo::internal::graph {
namespace {

TEST(load, reads_and_generates_what_a_program_asks_for) {
  const scratch_folder folder;
  const std::string table = folder / "people.csv";
  std::ofstream(table) << "since;knows;who\n1999;7;3\n2001;3;9\n2001;7;3\n";
  graph_request of_file{
      .graph = table, .separator = "semicolon", .source_column = "who", .target_column = "knows"};
  of_file.time_column = "since";
  of_file.remove_duplicates = true;
  const auto people = load_graph(of_file);
  ASSERT_TRUE(people.ok()) << people.status().message();
  const auto mesh = load_graph({.generate = "mesh2d:5x4", .symmetrize = true}, {.in_rows = true});
  ASSERT_TRUE(mesh.ok()) << mesh.status().message();

  EXPECT_EQ(people.value().source, table);
  EXPECT_EQ(people.value().format, "csv");
  const test_graphs::collected got = test_graphs::collect(people.value().graph);
  EXPECT_EQ(got.external_id, (std::map<std::uint64_t, std::uint64_t>{{0, 3}, {1, 7}, {2, 9}}));
  using test_graphs::plain_edge;
  EXPECT_EQ(got.edges, (std::vector<plain_edge>{{0, 1, 1}, {2, 0, 1}}));
  EXPECT_EQ(mesh.value().source, "mesh2d:5x4");
  EXPECT_EQ(mesh.value().vertices, 20u);
  EXPECT_EQ(mesh.value().edges, 2u * (4 * 4 + 5 * 3));
  EXPECT_NE(mesh.value().graph.here().in_rows, nullptr);
  people.value().graph.destroy();
  mesh.value().graph.destroy();
}

void expect_refusal(const graph_request& request, const std::string& sentence) {
  const auto loaded = load_graph(request);
  EXPECT_EQ(loaded.status().code(), exit_status::usage) << loaded.status().message();
  EXPECT_EQ(loaded.status().message(), sentence);
}

TEST(load, refuses_requests_as_it_refuses_flags) {
  expect_refusal({}, "no graph: pass --graph=FILE or --generate=kronecker:18");
  expect_refusal({.graph = "a.txt", .generate = "star:3"},
                 "--graph and --generate exclude each other: pass one");
  expect_refusal({.generate = "star:3", .segments = "many"},
                 "--segments: must be auto, or a number from 1 to 65536");
  expect_refusal({.generate = "star:3", .keep_weight = "best"},
                 "--keep_weight: must be lightest, heaviest or sum");
}

}  // namespace
}  // namespace orujo::internal::graph
