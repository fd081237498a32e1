// The first row of names is an edge if any row, in whichever part, has one of its names again.
#include "framework/formats/first_row.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/framework/formats/whole_file.hpp"

namespace orujo::internal::formats {
namespace {

// The edges as a set of texts, the same for any cut into two.
std::vector<std::string> edges_in(const std::string& text) {
  const whole_file file{.content = text, .format = file_format::csv, .path = "F.csv", .named = true};
  const reading whole = read_parts(file, 1);
  EXPECT_EQ(whole.error, "");
  for (std::uint64_t cut = 0; cut <= text.size(); ++cut) EXPECT_EQ(read_parts(file, 2, cut), whole) << cut;
  EXPECT_EQ(read_parts(file, 5), whole);
  memory_source source(text, "F.csv", 3, false);
  const auto streamed = read_text(source, {.named = true});
  EXPECT_EQ(streamed.value().list.edges.size(), whole.list.edges.size());
  EXPECT_EQ(streamed.value().names.size(), whole.names.size());
  std::vector<std::string> edges;
  for (const edge& e : whole.list.edges) edges.push_back(whole.names[e.source] + ">" + whole.names[e.target]);
  std::ranges::sort(edges);
  return edges;
}

TEST(first_row, is_a_header_if_no_other_row_has_one_of_its_names) {
  using texts = std::vector<std::string>;
  EXPECT_EQ(edges_in("Sender,Recipient\nann,bob\nbob,cyd\n"), (texts{"ann>bob", "bob>cyd"}));
  EXPECT_EQ(edges_in("who;whom\n7;9\n9;7"), (texts{"7>9", "9>7"}));
  EXPECT_EQ(edges_in("\"a, b\",who\nx,y\n"), (texts{"x>y"}));
  EXPECT_EQ(edges_in("# text\nname,name\nx,y\n"), (texts{"x>y"}));
}

TEST(first_row, is_an_edge_otherwise) {
  using texts = std::vector<std::string>;
  EXPECT_EQ(edges_in("ann,bob\n"), (texts{"ann>bob"}));
  EXPECT_EQ(edges_in("ann,bob\nbob,cyd\n"), (texts{"ann>bob", "bob>cyd"}));
  EXPECT_EQ(edges_in("ann,bob\ncyd,dan\ncyd,ann\n"), (texts{"ann>bob", "cyd>ann", "cyd>dan"}));
  EXPECT_EQ(edges_in("ann,7\ncyd,dan\n"), (texts{"ann>7", "cyd>dan"}));
}

TEST(first_row, stands_for_its_reverse_too_where_others_do) {
  memory_source source("a,b\nc,d\n", "F.csv");
  const auto read = read_text(source, {.named = true, .mirrored = true});
  EXPECT_EQ(read.value().list.edges, (std::vector<edge>{{0, 1}, {1, 0}}));
  EXPECT_EQ(read.value().names[0], "c");
  EXPECT_TRUE(read.value().totals.has_dropped_header);
  EXPECT_EQ(
      check_header(read.value().totals, "F"),
      std::vector<std::string>{"F: the first row is read as the names of the columns, as no other row has "
                               "one of its names; pass --noheader if it is an edge, --header if it is not"});
}

}  // namespace
}  // namespace orujo::internal::formats
