// The rows of tables, by one reader and by many: the same edges, or the identical error.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/framework/formats/whole_file.hpp"

namespace orujo::internal::formats {
namespace {

reading read_table(const std::string& text, bool named = false, file_format format = file_format::csv) {
  whole_file file;
  file.content = text;
  file.format = format;
  file.named = named;
  const reading whole = read_parts(file, 1);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    const reading split = read_parts(file, 2, cut);
    EXPECT_EQ(split.error, whole.error) << "cut at " << cut << " of " << text;
    EXPECT_EQ(split, whole) << "cut at " << cut << " of " << text;
  }
  return whole;
}

TEST(table_lines, are_edges_whatever_else_is_in_a_row) {
  const std::vector<edge> edges = {{1, 2}, {3, 4}, {5, 6}};
  const std::string texts[] = {
      "source,target\n1,2\n3,4\n5,6",
      "source,target\r\n1,2\r\n\r\n3,4\r\n5,6\r\n",
      "id,source,x,target,y\n1,1,,2,\n2,3,abc,4,def\n3,5, ,6,\n",
      "source;note;target\n1;a,b \"quoted\" inside;2\n3;\"; \"\"x\"\"\";4\n\"5\";\"\"; \"6\" \n",
      "source\ttarget\n1\t2\tmore\n3\t4\n5\t6\t\tand more\n",
      "source target\n1  2\n # no edge\n\t3 4\n% none\n//\n5\t6 more\n",
      "1|2\n3|4\n5|6\n",
  };
  for (const std::string& text : texts) {
    const reading got = read_table(text);
    EXPECT_EQ(got.error, "") << text;
    EXPECT_EQ(got.list, (edge_list{edges, {}})) << text;
  }
}

TEST(table_lines, have_weights_in_any_column) {
  const reading got = read_table("weight,target,source\n.5,2,1\n\"1e3\",4,3\n-1, 6 ,5,x\n");
  EXPECT_EQ(got.error, "");
  EXPECT_EQ(got.list, (edge_list{{{1, 2}, {3, 4}, {5, 6}}, {.5, 1e3, -1}}));
}

TEST(table_lines, are_directed_as_gephis_type_says) {
  const std::string head = "Source;Target;Type;Weight\n1;2;";
  EXPECT_EQ(read_table(head + "Directed;3\n2;3;Directed;4\n").list, (edge_list{{{1, 2}, {2, 3}}, {3, 4}}));
  EXPECT_EQ(read_table(head + "Undirected;3\n2;2;\"undirected\";4\n").list,
            (edge_list{{{1, 2}, {2, 1}, {2, 2}}, {3, 3, 4}}));
  EXPECT_EQ(read_table(head + "friend;3\n2;3;Directed;4\n").list, (edge_list{{{1, 2}, {2, 3}}, {3, 4}}));
  EXPECT_EQ(read_table(head + "Undirected;3\n2;3;Directed;4\n").error,
            "F:3:5: an edge of the type 'Directed' after others that are undirected; expected the same type "
            "in all rows");
  EXPECT_EQ(read_table("Source,Target,Type\n1,2,Directed\n2,3\n").error,
            "F:3:4: only 2 columns; expected the source in column 1, the target in column 2");
}

TEST(table_lines, have_names_with_blanks_commas_and_quotes) {
  const reading got =
      read_table("source,target,note\nNew York,\"a, b\",\n\"the \"\"Hub\"\"\",New York,\"x\"\n#1,a,\n", true);
  EXPECT_EQ(got.error, "");
  EXPECT_EQ(got.names, (std::vector<std::string>{"#1", "New York", "a", "a, b", "the \"Hub\""}));
  EXPECT_EQ(got.list.edges, (std::vector<edge>{{1, 3}, {4, 1}, {0, 2}}));
}

TEST(table_lines, say_what_is_wrong_and_where) {
  const std::string id =
      "; expected a decimal vertex id from 0 to 18446744073709551615, or a name with --names";
  const struct {
    std::string text, error;
    bool named = false;
  } cases[] = {
      {"source,target\n1,2\n3\n",
       "F:3:2: only 1 column; expected the source in column 1, the target in column 2"},
      {"source,target,weight\n1,2\n",
       "F:2:4: only 2 columns; expected the source in column 1, the target in column 2, the weight in column "
       "3"},
      {"source,target\n1,x\n", "F:2:3: 'x' is not a number" + id},
      {"source,target\n1,2\n,3\n", "F:3:1: '' is not a number" + id},
      {"source,target\n1,\"-2\"\n", "F:2:3: '-2' is negative" + id},
      {"source,target,weight\n1,2,nan\n",
       "F:2:5: 'nan' is not finite; expected a decimal weight that is finite as float"},
      {"source,target,note\n1,2,\"a\nb\"\n",
       "F:2:5: a text in quotes that does not end in its line; expected one without line ends"},
      {"source,target,note\n1,2,c\n3,\"4\"x,\n",
       "F:3:6: text after the closing quote; expected quotes inside a text to be doubled"},
      {"source,target\na,\n", "F:2:3: '' is not a name; expected a name without control characters", true},
      {"source,target\na,\" b\"\n",
       "F:2:3: ' b' begins or ends with a blank; expected a name without control characters", true},
      {"source,target\na,b\x01\n",
       "F:2:3: 'b\\x01' holds a control character; expected a name without control characters", true},
      {"source,target,x\n\xc2\xb5,zo\xc3\xab,1\na,\xc2\x9b"
       "31m,1\n",
       "F:3:3: '\\xc2\\x9b31m' holds a control character; expected a name without control characters", true},
      {"source,target\n", "no edges in F; expected the source in column 1, the target in column 2"},
  };
  for (const auto& [text, error, named] : cases) EXPECT_EQ(read_table(text, named).error, error) << text;
}

TEST(table_lines, of_konect_keep_users_and_items_apart) {
  const reading bip =
      read_table("% bip weighted\n% 3 2 3\n1 1 5 1095390400\n1 3 4\n2 2 1\n", false, file_format::konect);
  EXPECT_EQ(bip.error, "");
  EXPECT_EQ(bip.list, (edge_list{{{1, 3}, {1, 5}, {2, 4}}, {5, 4, 1}}));
  EXPECT_EQ(read_table("% bip unweighted\n% 2 1 3\n1 1\n2 3\n", false, file_format::konect).error,
            "F:4:1: '2' is not a vertex of the file; expected an id from 1 to 1");
}

TEST(table_lines, of_konect_lead_both_ways_where_they_have_no_direction) {
  const reading sym = read_table("% sym unweighted\n1 2\n% text\n3 3\n2 3\n", false, file_format::konect);
  EXPECT_EQ(sym.error, "");
  EXPECT_EQ(sym.list, (edge_list{{{1, 2}, {2, 1}, {3, 3}, {2, 3}, {3, 2}}, {}}));
}

}  // namespace
}  // namespace orujo::internal::formats
