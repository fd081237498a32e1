// Which columns of a table are taken for what, and what is said where that is not clear.
#include "framework/formats/table_header.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "framework/formats/text_layout.hpp"

namespace orujo::internal::formats {
namespace {

// "SEPARATOR SOURCE TARGET WEIGHT, body at BYTE", or what is wrong.
std::string columns_of(const std::string& text, const text_request& wanted = {},
                       const std::string& path = "F.csv") {
  const auto found = read_layout(text, path, wanted);
  if (!found.ok()) return found.status().message();
  const text_layout& layout = found.value();
  if (!layout.is_table()) return "no table";
  const table_columns& t = layout.table;
  const std::string weight = t.weight == table_columns::none ? "-" : std::to_string(t.weight + 1);
  const std::string separator = t.separator == '\t'  ? "tab"
                                : t.separator == ' ' ? "blanks"
                                                     : std::string(1, t.separator);
  return fmt::format("{} {} {} {}, body at {}", separator, t.source + 1, t.target + 1, weight, layout.body);
}

TEST(table_header, is_found_by_known_names) {
  EXPECT_EQ(columns_of("source,target\n1,2\n"), ", 1 2 -, body at 14");
  EXPECT_EQ(columns_of("Id;Target;Weight;Source\n"), "; 4 2 3, body at 24");
  EXPECT_EQ(columns_of("\xef\xbb\xbf\"from\"\t\"to\"\t\"since\"\r\n1\t2\t3\n"), "tab 1 2 -, body at 24");
  EXPECT_EQ(columns_of("# text\n\nFromNodeId ToNodeId\n1 2\n"), "blanks 1 2 -, body at 28");
  EXPECT_EQ(columns_of("src|dst|timestamp|rating\n"), "| 1 2 4, body at 25");
  EXPECT_EQ(columns_of(":START_ID(Person),name,:END_ID(Person),:TYPE,weight:double\n"),
            ", 1 3 5, body at 59");
  EXPECT_EQ(columns_of("p:START_ID,:END_ID\n"), ", 1 2 -, body at 19");
}

TEST(table_header, is_found_where_ids_are_expected) {
  EXPECT_EQ(columns_of("person,city\n1,2\n"), ", 1 2 -, body at 12");
  EXPECT_EQ(columns_of("1,2\n"), ", 1 2 -, body at 0");
  EXPECT_EQ(columns_of("1\t2\t.5\n"), "tab 1 2 3, body at 0");
  EXPECT_EQ(columns_of("ann,bob\n", {.named = true}), ", 1 2 -, body at 0");
  EXPECT_EQ(columns_of("ann,bob\n", {.named = true, .table = {.header = true}}), ", 1 2 -, body at 8");
  EXPECT_EQ(columns_of("source,target\n", {.named = true, .table = {.header = false}}), ", 1 2 -, body at 0");
}

TEST(table_header, of_names_may_be_told_by_numbers_beside_them) {
  const text_request named{.named = true}, chosen{.named = true, .table = {.source = "1", .target = "2"}};
  EXPECT_EQ(columns_of("Sender,Recipient,Amount\nann,bob,3\n", named),
            "F.csv:1:1: the columns are 'Sender', 'Recipient', 'Amount'; choose an edge's ends by "
            "--source_column and --target_column");
  EXPECT_EQ(columns_of("Sender,Recipient,Amount\nann,bob,3\n", chosen), ", 1 2 -, body at 24");
  EXPECT_EQ(columns_of("ann,bob,Nan\ncyd,dan,3\n", named), ", 1 2 3, body at 0");
  const auto may_have_header = [](const std::string& text, const text_request& wanted) {
    return read_layout(text, "F.csv", wanted).value().may_have_header;
  };
  EXPECT_TRUE(may_have_header("Sender,Recipient\nann,bob\n", named));
  EXPECT_TRUE(may_have_header("Sender,Recipient\n1,2\n", named));
  EXPECT_FALSE(may_have_header("ann,7\nbob,cyd\n", named));
  EXPECT_FALSE(may_have_header("source,target\nbob,cyd\n", named));
  EXPECT_FALSE(may_have_header("Sender,Recipient\n1,2\n", {}));
  EXPECT_FALSE(may_have_header("Sender,Recipient\na,b\n", {.named = true, .table = {.header = false}}));
}

TEST(table_header, notes_a_weight_that_is_ignored) {
  const auto columns = [](const std::string& text) {
    const text_layout layout = read_layout(text, "F.csv", {.ignores_weights = true}).value();
    EXPECT_FALSE(layout.has_weights());
    EXPECT_EQ(layout.table.weight, table_columns::none);
    return layout.columns;
  };
  EXPECT_EQ(columns("source,target,c,weight\n1,2,3,4\n"), 3u);
  EXPECT_EQ(columns("source,target,c\n1,2,3\n"), 2u);
  EXPECT_EQ(columns("1,2,0.5\n"), 3u);
  EXPECT_EQ(columns("1,2,x\n"), 2u);
  EXPECT_EQ(columns("1,2,3,4\n"), 2u);
}

TEST(table_header, is_overruled) {
  const std::string text = "a,b,c,d\n1,2,3,4\n";
  EXPECT_EQ(columns_of(text, {.table = {.source = "b", .target = "d"}}), ", 2 4 -, body at 8");
  EXPECT_EQ(columns_of(text, {.table = {.source = "4", .target = "1", .weight = "c"}}), ", 4 1 3, body at 8");
  EXPECT_EQ(columns_of("1 2 3 4\n", {.table = {.time = "4"}}, "F.txt"), "blanks 1 2 3, body at 0");
  EXPECT_EQ(columns_of("1 2 1082008561\n", {.table = {.time = "3"}}, "F"), "blanks 1 2 -, body at 0");
  EXPECT_EQ(columns_of("1,2,3,4\n", {.ignores_weights = true}), ", 1 2 -, body at 0");
  EXPECT_EQ(columns_of("1;2,3\n", {.named = true, .table = {.separator = ';'}}), "; 1 2 -, body at 0");
}

TEST(table_header, is_not_for_other_formats) {
  EXPECT_EQ(columns_of("%%MatrixMarket matrix coordinate real general\n1 1 0\n", {.table = {.weight = "3"}},
                       "F.mtx"),
            "F.mtx:1:1: by its name this is matrix_market, but --source_column and similar flags are for "
            "tables; pass --format with what it is");
  EXPECT_EQ(columns_of("p sp 1 0\n", {.table = {.weight = "3"}}, "F.txt"),
            "F.txt:1:1: this begins like dimacs, but --source_column and similar flags are for tables; "
            "remove them");
}

TEST(table_header, is_recognised_without_a_suffix) {
  EXPECT_EQ(columns_of("source,target\n1,2\n", {}, "F"), ", 1 2 -, body at 14");
  EXPECT_EQ(columns_of("source target\na b\n", {.named = true}, "F.txt"), "blanks 1 2 -, body at 14");
  EXPECT_EQ(columns_of("1,2\n", {}, "F.txt"), "no table");
  EXPECT_EQ(columns_of("source target\n1 2\n", {}, "F.el"),
            "F.el:1:1: by its name this is edge_list, but it begins like csv; pass --format with what it is");
}

TEST(table_header, says_what_is_not_clear) {
  EXPECT_EQ(columns_of("a,b,c\n1,2,3\n"),
            "F.csv:1:1: the columns are 'a', 'b', 'c'; choose an edge's ends by --source_column and "
            "--target_column");
  EXPECT_EQ(
      columns_of("1,2,3,4\n"),
      "F.csv:1:1: 4 columns without names; choose the weight by --weight_column=N, or pass --ignore_weights");
  EXPECT_EQ(columns_of("source,target\n", {.table = {.weight = "w"}}),
            "F.csv:1:1: no column 'w' for --weight_column; the columns are 'source', 'target'");
  EXPECT_EQ(columns_of("1,2\n", {.table = {.source = "3"}}),
            "F.csv:1:1: no column '3' for --source_column; columns have numbers from 1 to 2, and names with "
            "--header; --separator chooses what separates them");
  EXPECT_EQ(columns_of("1\n"),
            "F.csv:1:2: only one column; columns have numbers from 1 to 1, and names with --header; "
            "--separator chooses what separates them");
  EXPECT_EQ(columns_of(":START_ID(Person),:END_ID(City)\n"),
            "F.csv:1:1: sources are ids of 'Person' and targets of 'City', which may be the same numbers; "
            "give them "
            "ids of one kind, or --source_column and --target_column if they are");
  EXPECT_EQ(
      columns_of("1,2\n", {.table = {.source = "2"}}),
      "F.csv:1:1: source and target in one column; expected two, by --source_column and --target_column");
  EXPECT_EQ(columns_of("source,\"tar\nget\"\n"),
            "F.csv:1:8: a text in quotes that does not end in its line; expected one without line ends");
  EXPECT_EQ(columns_of("\xff\xfes\0"),
            "F.csv:1:1: UTF-16 text; expected ASCII or UTF-8: convert it with iconv -f UTF-16 -t UTF-8");
  EXPECT_EQ(columns_of("# a\n\n"),
            "F.csv:2:1: no row in the first MiB; expected a table with a row for each edge");
}

TEST(table_header, of_konect_says_what_edges_are) {
  EXPECT_EQ(columns_of("% sym weighted\n1,2,0.5\n", {}, "out.x"), ", 1 2 3, body at 15");
  EXPECT_EQ(columns_of("% asym unweighted\n% 1 2 2\n1,2\n", {}, "out.x"), ", 1 2 -, body at 26");
  EXPECT_EQ(columns_of("% asym unweighted\n1 2 1 1095390400\n", {}, "out.x"), "blanks 1 2 -, body at 18");
  EXPECT_EQ(columns_of("% sym posweighted\n% 1 2 2\n1 2 7\n", {}, "out.x"), "blanks 1 2 3, body at 26");
  const auto layout = read_layout("% bip positive\n% 3 2 4\n1 2\n", "out.x").value();
  EXPECT_EQ(layout.table.target_shift, 2u);
  EXPECT_EQ(layout.table.most_source, 2u);
  EXPECT_EQ(layout.table.most_target, 4u);
  EXPECT_FALSE(layout.mirrored);
  EXPECT_TRUE(read_layout("% sym unweighted\n1 2\n", "out.x").value().mirrored);
  EXPECT_EQ(columns_of("% bip unweighted\n1 2\n", {}, "out.x"),
            "out.x:2:1: a bipartite graph whose sources and targets have the same ids, without the line '% "
            "EDGES SOURCES TARGETS'; expected it after the first, or --format=csv if the ids are of one set");
  for (const char* cut : {"% sym\n1 2\n", "% bip\n1 1\n"}) {
    EXPECT_EQ(columns_of(cut, {}, "out.x"),
              "out.x:1:1: not a header of KONECT; expected '% sym', '% asym' or '% bip' and what weights "
              "there are");
  }
  EXPECT_EQ(columns_of("% asym dynamic\n1 2 -1 5\n", {}, "out.x"),
            "out.x:1:8: edges that exist at some times only; expected a file of one time");
  EXPECT_EQ(
      columns_of("1 2\n", {.format = text_format::konect}, "out.x"),
      "out.x:1:1: not a header of KONECT; expected '% sym', '% asym' or '% bip' and what weights there are");
}

}  // namespace
}  // namespace orujo::internal::formats
