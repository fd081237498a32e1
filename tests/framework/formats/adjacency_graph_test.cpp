// Adjacency graphs: read by any number of readers, in blocks of the file, and what is wrong with bad ones.
#include "framework/formats/adjacency_graph.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "system/base/random.hpp"
#include "tests/framework/formats/whole_file.hpp"

namespace orujo::internal::formats {
namespace {

reading read_adjacency(const std::string& content, std::size_t parts = 1) {
  return read_parts({content}, parts);
}

TEST(adjacency_graph, reads_words_between_any_blanks) {
  //  0 -> 1, 0 -> 3, 2 -> 0
  const reading expected{{{{0, 1}, {0, 3}, {2, 0}}, {}}, 4, "", exit_status::ok};
  for (const std::string content :
       {"AdjacencyGraph\n4\n3\n0\n2\n2\n3\n1\n3\n0\n", "AdjacencyGraph 4 3 0 2 2 3 1 3 0",
        "AdjacencyGraph\r\n4\r\n3\r\n0\r\n2\r\n2\r\n3\r\n1\r\n3\r\n0\r\n",
        "AdjacencyGraph\t4\n\n\n3 0 2\t2   3\n1 3 0  \n\n"}) {
    for (std::size_t parts = 1; parts < 6; ++parts)
      EXPECT_EQ(read_adjacency(content, parts), expected) << content;
  }
  const reading weighted{{{{0, 1}, {0, 3}, {2, 0}}, {1.5, -2, 1e10f}}, 4, "", exit_status::ok};
  EXPECT_EQ(read_adjacency("WeightedAdjacencyGraph\n4\n3\n0\n2\n2\n3\n1\n3\n0\n1.5\n-2\n1e10\n", 3),
            weighted);
  EXPECT_EQ(read_adjacency("AdjacencyGraph 2 0 0 0", 2), (reading{{}, 2, "", exit_status::ok}));
}

TEST(adjacency_graph, numbers_may_lie_across_blocks_and_short_reads) {
  const std::uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed();
  std::printf("seed %llu (repeat with --gtest_random_seed)\n", static_cast<unsigned long long>(seed));
  random_stream random(seed);
  plain_graph graph{20'000, {}};
  for (int k = 0; k < 60'000; ++k) {
    graph.list.edges.push_back({random.below(graph.vertices), random.below(graph.vertices)});
    graph.list.weights.push_back(static_cast<float>(random.below(100'000)) / 7);
  }
  graph.list = sorted(graph.list);
  std::string content = write_whole(file_format::adjacency, graph, 1000, 1000).content;
  EXPECT_GT(content.size(), 8 * adjacency_block_bytes);
  const reading whole = read_adjacency(content);
  EXPECT_EQ(whole.error, "");
  EXPECT_EQ(sorted(whole.list), graph.list);
  for (const std::size_t parts : {2, 3, 7, 50}) EXPECT_EQ(read_adjacency(content, parts), whole) << parts;

  // Blanks over several blocks, and a block with nothing but the middle of a number.
  content.insert(content.find('\n', content.size() / 2), std::string(3 * adjacency_block_bytes, ' '));
  EXPECT_EQ(read_adjacency(content, 5), whole);
  content.insert(content.find('\n', content.size() / 3), std::string(3 * adjacency_block_bytes, '1'));
  const reading bad = read_adjacency(content, 1);
  EXPECT_NE(bad.error.find("11111111111111...' is not"), std::string::npos) << bad.error;
  EXPECT_EQ(read_adjacency(content, 4), bad);

  memory_source trickle("AdjacencyGraph 3 2 0 1 1 2 0", "F", 1);
  auto file = numbered_edges::find(trickle);
  EXPECT_EQ(read_numbered_parts(*file.value(), 2).list.edges, (std::vector<edge>{{0, 2}, {2, 0}}));
}

TEST(adjacency_graph, says_what_is_wrong_and_where) {
  const auto error_of = [](const std::string& content) {
    const reading bad = read_adjacency(content);
    EXPECT_EQ(bad.code, exit_status::bad_data);
    for (std::size_t parts = 2; parts < 5; ++parts) EXPECT_EQ(read_adjacency(content, parts), bad);
    return bad.error;
  };
  const std::string expected =
      "; expected 'AdjacencyGraph' or 'WeightedAdjacencyGraph', then the numbers of vertices and of edges";
  EXPECT_EQ(error_of("AdjacencyGraph\n"), "F:2:1: '' is not a valid number" + expected);
  EXPECT_EQ(error_of("AdjacencyGraph\n4\n-3\n"), "F:3:1: '-3' is not a valid number" + expected);
  EXPECT_EQ(error_of("AdjacencyGraph 18446744073709551615 1\n"),
            "F:1:16: '18446744073709551615' is not a valid number" + expected);
  EXPECT_EQ(error_of("AdjacencyGraph 2 1\n0\n1\n"),
            "F: its header announces 3 numbers (2 vertices, 1 targets), but it has 2; expected as many");
  EXPECT_EQ(error_of("WeightedAdjacencyGraph 2 1\n0\n1\n1\n"),
            "F: its header announces 4 numbers (2 vertices, 1 targets and as many weights), but it has 3; "
            "expected as many");
  EXPECT_EQ(error_of("AdjacencyGraph 2 1\n1\n1\n0\n"),
            "F:2:1: '1' is not where the edges of vertex 0 begin; expected a number from 0 to 0");
  EXPECT_EQ(error_of("AdjacencyGraph 4 2 0 2\n 1 2 0 0\n"),
            "F:2:2: '1' is not where the edges of vertex 2 begin; expected a number from 2 to 2");
  EXPECT_EQ(error_of("AdjacencyGraph 2 1 0 2 0\n"),
            "F:1:22: '2' is not where the edges of vertex 1 begin; expected a number from 0 to 1");
  EXPECT_EQ(error_of("AdjacencyGraph 2 2 0 1\n0\n2\n"),
            "F:3:1: '2' is not a vertex of the file; expected a number from 0 to 1");
  EXPECT_EQ(error_of("WeightedAdjacencyGraph 2 1 0 1\n0\nnan\n"),
            "F:3:1: 'nan' is not finite; expected a decimal weight that is finite as float");
}

TEST(adjacency_graph, takes_nothing_else_for_one) {
  for (const std::string content : {"", "Adjacency", "AdjacencyGraphs 1 1", "1 2\n"}) {
    memory_source source(content);
    EXPECT_FALSE(find_adjacency_layout(source).value()) << content;
  }
}

}  // namespace
}  // namespace orujo::internal::formats
