// Text that is read, with a warning that it may have been meant for something else.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "framework/formats/text_file.hpp"
#include "tests/framework/formats/memory_source.hpp"

namespace orujo::internal::formats {
namespace {

TEST(doubtful_text, is_told_where_the_header_contradicts_the_data) {
  memory_source source("# Nodes: 4 Edges: 3\n0 1\n1 2\n");
  const auto file = read_text(source);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(check_header(file.value().totals, "F"),
            std::vector<std::string>{"F: its header says 3 edges, but it has 2"});
  const std::vector<std::string> both = {"F: its header says 4 nodes, but it has 3",
                                         "F: its header says 3 edges, but it has 2"};
  EXPECT_EQ(check_header(file.value().totals, "F", 3), both);
  memory_source agreeing("0 1\n# Nodes: 3 Edges: 2\n1 2\n");
  EXPECT_TRUE(check_header(read_text(agreeing).value().totals, "F", 3).empty());
  memory_source silent("0 1\n");
  EXPECT_TRUE(check_header(read_text(silent).value().totals, "F", 7).empty());
}

TEST(doubtful_text, is_told_where_the_first_line_may_be_counts) {
  const auto warnings = [](const std::string& text, const text_request& wanted = {}) {
    memory_source source(text);
    return check_header(read_text(source, wanted).value().totals, "F");
  };
  EXPECT_EQ(warnings("4 3\n1 2\n2 3\n4 1\n"),
            std::vector<std::string>{"F: the first line, '4 3', may be the numbers of vertices and edges, as "
                                     "3 lines follow it, and is read as an edge; remove it if it is not"});
  EXPECT_EQ(warnings("2 5\n0 1\n1 0\n0 1\n1 0\n1 1\n").size(), 1u);
  EXPECT_TRUE(warnings("4 3\n1 2\n2 3\n").empty());
  EXPECT_TRUE(warnings("4 3\n1 2\n2 3\n5 1\n").empty());
  EXPECT_TRUE(warnings("1 2\n2 3\n3 1\n").empty());
  EXPECT_TRUE(warnings("0 1\n1 2\n").empty());
  EXPECT_TRUE(warnings("4 3 1\n1 2 1\n2 3 1\n4 1 1\n").empty());
  EXPECT_TRUE(warnings("4 3\n1 2\n2 3\n4 1\n", {.named = true}).empty());
}

TEST(doubtful_text, may_say_that_the_graph_is_undirected) {
  memory_source undirected("# Undirected graph: x.ungraph.txt\n# Nodes: 3 Edges: 2\n1 2\n2 3\n");
  memory_source directed("# Directed graph: x.txt\n1 2\n2 3\n# Nodes: 3 Edges: 2\n# Undirected graph\n");
  EXPECT_TRUE(read_text(undirected).value().totals.says_undirected);
  EXPECT_FALSE(read_text(directed).value().totals.says_undirected);
}

TEST(doubtful_text, is_told_where_weights_look_like_times) {
  memory_source times("0 1 1082040961\n1 2 1082155839\n"), weights("0 1 3\n1 2 1082155839\n");
  EXPECT_EQ(check_header(read_text(times).value().totals, "F"),
            std::vector<std::string>{"F: the third column begins with 1082040960, which looks like a time, "
                                     "and is read as weights; pass --time_column=3 to ignore it"});
  EXPECT_TRUE(check_header(read_text(times, {.ignores_weights = true}).value().totals, "F").empty());
  EXPECT_TRUE(check_header(read_text(weights).value().totals, "F").empty());
}

}  // namespace
}  // namespace orujo::internal::formats
