// The start of a file is read as its reader takes the whole of it.
#include "framework/formats/text_sample.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/framework/formats/memory_source.hpp"
#include "tests/framework/formats/text_examples.hpp"

namespace orujo::internal::formats {
namespace {

using texts = std::vector<std::string>;
using columns = std::vector<std::size_t>;
using edges = std::vector<edge>;

constexpr bool all = true, start = false;

text_sample sample_of(const std::string& head, bool whole, const text_request& wanted = {},
                      const std::string& path = "F.csv") {
  auto sample = read_sample(head, whole, path, wanted);
  EXPECT_TRUE(sample.ok()) << sample.status().message();
  return sample.ok() ? std::move(sample).value() : text_sample{};
}

std::string mistake_in(const std::string& head, bool whole, const text_request& wanted = {},
                       const std::string& path = "F.csv") {
  return read_sample(head, whole, path, wanted).status().message();
}

TEST(text_sample, of_a_table_has_the_columns_of_its_header) {
  for (const char* front : {"", "\xef\xbb\xbf", "# people\n\n"}) {
    for (const char* end : {"\n", "\r\n", "\r"}) {
      const std::string head = std::string(front) + "source,name,target,\"km, about\"" + end +
                               "1,\"ann, b\",2,3.5" + end + "2,bob,3,4" + end;
      const text_sample sample = sample_of(head, all);
      EXPECT_EQ(sample.names, (texts{"source", "name", "target", "km, about"})) << head;
      EXPECT_EQ(sample.columns, 4);
      EXPECT_EQ(sample.others_of_numbers, columns{3});
      EXPECT_EQ(sample.file.list.edges, (edges{{1, 2}, {2, 3}}));
    }
  }
}

TEST(text_sample, of_a_table_without_a_header_counts_columns) {
  const text_sample sample = sample_of("# 8,9,9,9,9\n1,2,.5,x\n2,3,1e3,7\n", all, {.table = {.weight = "3"}});
  EXPECT_EQ(sample.names, texts());
  EXPECT_EQ(sample.columns, 4);
  EXPECT_EQ(sample.others_of_numbers, columns());  // the third has weights, and the fourth an x
  EXPECT_EQ(sample.file.list.weights, (std::vector<float>{.5f, 1000}));
  const text_sample longer = sample_of("1;2;7\n2;3;7;8\n", all, {.ignores_weights = true});
  EXPECT_EQ(longer.columns, 4);
  EXPECT_EQ(longer.others_of_numbers, columns{2});  // the first row has no fourth
}

TEST(text_sample, has_no_columns_of_other_formats) {
  const text_sample sample = sample_of("1 2 3\n", all, {}, "F.el");
  EXPECT_EQ(sample.columns, 0);
  EXPECT_EQ(sample.names, texts());
  EXPECT_EQ(sample.others_of_numbers, columns());
}

TEST(text_sample, of_names_takes_a_first_row_that_does_not_occur_again_for_a_header) {
  for (const bool whole : {all, start}) {
    const text_sample header =
        sample_of("# text\nSender,Recipient\nann,bob\nbob,cyd\n", whole, {.named = true});
    EXPECT_TRUE(header.file.totals.has_dropped_header);
    EXPECT_EQ(header.names, (texts{"Sender", "Recipient"}));
    EXPECT_EQ(header.file.list.edges.size(), 2);
    EXPECT_EQ(header.file.names[header.file.list.edges[0].source], "ann");
    const text_sample edge = sample_of("ann,bob\nbob,cyd\n", whole, {.named = true});
    EXPECT_FALSE(edge.file.totals.has_dropped_header);
    EXPECT_EQ(edge.names, texts());
    EXPECT_EQ(edge.columns, 2);
    EXPECT_EQ(edge.file.list.edges.size(), 2);
  }
}

TEST(text_sample, leaves_out_a_line_that_is_cut_off) {
  for (const char* cut : {"1,2\n2,3\n3", "1,2\n2,3\n3,x", "1,2\r2,3\r34,5", "1,2\r\n2,3\r\n\"3"})
    EXPECT_EQ(sample_of(cut, start).file.list.edges, (edges{{1, 2}, {2, 3}})) << cut;
  EXPECT_EQ(sample_of("1,2\n2,3", all).file.list.edges, (edges{{1, 2}, {2, 3}}));
  EXPECT_EQ(mistake_in("1,2\n2,3\n3,x", all),
            "F.csv:3:3: 'x' is not a number; expected a decimal vertex id from 0 to 18446744073709551615, or "
            "a name with --names");
}

TEST(text_sample, of_a_start_may_have_less_than_the_file_announces) {
  const std::pair<const char*, const char*> files[] = {
      {"F.mtx", "%%MatrixMarket matrix coordinate pattern general\n9 9 50\n1 2\n2 3\n3"},
      {"F.gr", "p sp 9 50\na 1 2 30\na 2 3 5\na 3"},
      {"F.graph", "9 50\n2\n1 3\n2"},
      {"F.txt", "# Nodes: 9 Edges: 50\n1 2\n2 3\n3"}};
  for (const auto& [path, head] : files) {
    const text_sample sample = sample_of(head, start, {}, path);
    EXPECT_GE(sample.file.list.edges.size(), 2) << path;
    EXPECT_NE(mistake_in(head, all, {}, path), "") << path;
  }
}

// Reading all is the readers' own.
TEST(text_sample, of_a_whole_file_is_what_its_reader_has) {
  for (const std::string& text : good_texts()) {
    const std::string path = text.starts_with("% METIS") ? "F.graph" : "F";
    memory_source source(text, path);
    auto file = read_text(source);
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(sample_of(text, all, {}, path).file.list, file.value().list) << text;
  }
}

TEST(text_sample, fails_as_reading_does) {
  for (const bool whole : {all, start}) {
    EXPECT_EQ(
        mistake_in("Sender,Recipient\nann,bob\n", whole),
        "F.csv:2:1: 'ann' is not a number; expected a decimal vertex id from 0 to 18446744073709551615, "
        "or a name with --names");
    EXPECT_EQ(mistake_in("1,2\n2,3\n", whole, {.table = {.source = "from"}}),
              "F.csv:1:1: no column 'from' for --source_column; the columns are '1', '2'");
    EXPECT_EQ(mistake_in("source,target,km\n", whole, {.ignores_weights = true}),
              "no edges in F.csv; expected the source in column 1, the target in column 2");
  }
  EXPECT_NE(mistake_in("", all), "");
  EXPECT_NE(mistake_in("one line, and it is longer", start), "");
}

}  // namespace
}  // namespace orujo::internal::formats
