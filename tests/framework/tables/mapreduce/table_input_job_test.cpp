#include "framework/tables/mapreduce/table_input.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "framework/verify/plain_table.hpp"
#include "system/base/random.hpp"
#include "tests/framework/tables/mapreduce/text_files.hpp"
#include "tests/sanitized.hpp"

namespace orujo::internal::mapreduce {
namespace {

// The wanted fields of all rows, or the mistake.
pieces rows_of(const input_files& files, const table_request& wanted) {
  const auto shape = find_table(files, wanted);
  if (!shape.ok()) return {shape.status().message()};
  pieces got;
  std::string quoted;
  for (const std::size_t n : {1, 2, 5}) {
    pieces now = read_by(files, n, [&](const input_file&, const file_part& part, pieces& to, mistake& found) {
      return read_rows_of(
          files, part, shape.value(),
          [&](std::span<const formats::table_field> fields) -> line_mistake {
            for (const auto& field : fields) to.emplace_back(field.value(quoted));
            return {};
          },
          found);
    });
    EXPECT_TRUE(n == 1 || now == got) << n;
    got = now;
  }
  return got;
}

TEST(table_input, gives_the_wanted_columns) {
  const text_folder folder;
  const input_files files =
      files_in(folder.write("t.csv", "name, town ,n\n\"a \"\"b\"\", c\",x,1\r\n\n d ,y,2"));
  EXPECT_EQ(rows_of(files, {.header = true, .columns = {"town", "name"}}),
            (pieces{"x", "a \"b\", c", "y", "d"}));
  EXPECT_EQ(rows_of(files, {.header = true, .columns = {"3"}}), (pieces{"1", "2"}));
  EXPECT_EQ(rows_of(files, {.columns = {"2"}}), (pieces{"town", "x", "y"}));
  const input_files log = files_in(folder.write("log", "1.2.3.4  GET \"/a b\"\n5.6.7.8\tPUT\n"));
  EXPECT_EQ(rows_of(log, {.separator = ' ', .columns = {"2", "1"}}),
            (pieces{"GET", "1.2.3.4", "PUT", "5.6.7.8"}));
}

// A blank within a text never separates fields, unless the request says so.
TEST(table_input, finds_what_separates_fields) {
  const text_folder folder;
  const auto rows_in = [&](const std::string& content, const table_request& wanted = {.header = true}) {
    return rows_of(files_in(folder.write("t", content)), wanted);
  };
  EXPECT_EQ(rows_in("name\nNew York\n \"New, Orleans\" \nParis\n"),
            (pieces{"New York", "New, Orleans", "Paris"}));
  EXPECT_EQ(rows_in("name\nSmith, John\n"), pieces{"Smith, John"});
  EXPECT_EQ(rows_in("town  spent\nRome\t10\nOslo 5\n"), (pieces{"Rome", "10", "Oslo", "5"}));
  EXPECT_EQ(rows_in("1 2 3\n", {}), (pieces{"1", "2", "3"}));
  EXPECT_EQ(rows_in("a b\n1 x, y\n", {.separator = formats::whole_line, .header = true}), pieces{"1 x, y"});
  EXPECT_EQ(rows_in("1,5;2,5;a\n3;4;b\n", {}), (pieces{"1,5", "2,5", "a", "3", "4", "b"}));
  EXPECT_EQ(rows_in("1,5;2,5\n", {}), (pieces{"1,5", "2,5"}));
  EXPECT_EQ(rows_in("1,2;x,3\n", {}), (pieces{"1", "2;x", "3"}));
  for (const char* content :
       {"New York\nParis\n", "first last\nMary Ann\nJohn Paul\n", "a b\n", "a 1\nb 2\nc\n"}) {
    const std::string said = rows_in(content).back();
    EXPECT_NE(
        said.find(
            "blanks that may be between columns or within one; pass --separator=blanks, or --separator=none"),
        said.npos)
        << content << said;
  }
  // After those that were examined.
  std::string many = "town spent\n";
  for (int k = 0; k < 20'000; ++k) many += "Rome 1\n";
  const std::string said = rows_in(many + "New York 1\n").back();
  EXPECT_NE(
      said.find(":20002:10: a line of 3 columns; expected 2, as the first line has, or --separator=blanks"),
      said.npos)
      << said;
}

TEST(table_input, names_separators) {
  EXPECT_EQ(separator_named("auto"), 0);
  EXPECT_EQ(separator_named("none"), formats::whole_line);
  EXPECT_EQ(separator_named("blanks"), ' ');
  EXPECT_EQ(separator_named("dot"), std::nullopt);
}

// The files of a table have the columns of the first one, wherever they stand.
TEST(table_input, finds_columns_by_name_in_each_file) {
  const text_folder folder;
  const auto rows_in = [&](const table_request& wanted) {
    return rows_of(files_in(folder.path() + "/d"), wanted);
  };
  const auto starts = [&](const std::string& said, const std::string& text) {
    return said.starts_with(folder.path() + "/d/" + text);
  };
  folder.write("d/1", "town,spent\nRome,10\n");
  folder.write("d/2", "");
  folder.write("d/3", "spent;town;more\n7;Oslo;x\n");
  EXPECT_EQ(rows_in({.header = true, .columns = {"town", "spent"}}), (pieces{"Rome", "10", "Oslo", "7"}));
  EXPECT_EQ(rows_in({.header = {}, .columns = {"2"}}), (pieces{"10", "7"}));
  EXPECT_TRUE(starts(rows_in({.header = true}).back(),
                     "3:1:1: a column 'more', which " + folder.path() + "/d/1 lacks"));
  folder.write("d/3", "spent\n7\n");
  EXPECT_EQ(rows_in({.header = true, .columns = {"spent"}}), (pieces{"10", "7"}));
  EXPECT_TRUE(starts(rows_in({.header = true}).back(), "3:1:1: no column 'town', which"));
  folder.write("d/3", "7,Oslo\n");
  EXPECT_TRUE(starts(rows_in({.header = true}).back(), "3:1:1: no column 'town', which"));
  EXPECT_EQ(rows_in({.header = {}}).back(), "the first line of " + folder.path() +
                                                "/d/1 may be a header, and that of " + folder.path() +
                                                "/d/3 is not; pass --header=yes or --header=no");
  EXPECT_EQ(rows_in({}), (pieces{"town", "spent", "Rome", "10", "7", "Oslo"}));
  folder.write("d/3", "7\n");
  EXPECT_TRUE(
      starts(rows_in({}).back(), "3:1:1: a line of 1 column; expected 2, as " + folder.path() + "/d/1 has"));
  // Equal names go with each other in their order.
  folder.write("d/1", "a,b,a\n1,2,3\n");
  folder.write("d/3", "b,a,a\n5,4,6\n");
  EXPECT_EQ(rows_in({.header = true}), (pieces{"1", "2", "3", "4", "5", "6"}));
}

// Files of any characters that mean something: what is accepted is what a reader of no other sources finds.
TEST(table_input, reads_random_tables_as_the_plain_reader_does) {
  const text_folder folder;
  constexpr std::string_view characters = "a1,;|\t \"\"\n\n\rb2.";
  random_stream random(5);
  int accepted = 0;
  for (int k = 0; k < (sanitized ? 400 : 4000); ++k) {
    std::string content;
    for (std::uint64_t size = 1 + random.below(24); size > 0; --size)
      content += characters[random.below(k % 2 ? characters.size() : 6) % characters.size()];
    if (k % 3 == 0) content += "\n" + content;
    const std::string path = folder.write("t", content);
    const input_files files = files_in(path);
    const table_request any{.header = {}};
    const auto shape = find_table(files, any);
    if (!shape.ok()) continue;
    const pieces found = rows_of(files, any);
    if (!found.empty() && found.back().starts_with(path)) continue;  // a mistake
    const auto plain = verify::read_plain_table({path}, {});
    ASSERT_TRUE(plain.ok());
    pieces expected;
    for (const auto& row : plain.value().rows) {
      for (const verify::plain_cell& cell : row) expected.push_back(cell.text);
    }
    ASSERT_EQ(found, expected) << "of '" << content << "'";
    ASSERT_EQ(shape.value().header ? shape.value().names : pieces(), plain.value().names) << content;
    ++accepted;
  }
  EXPECT_GT(accepted, sanitized ? 40 : 400);
}

TEST(table_input, tells_mistakes) {
  const text_folder folder;
  const auto mistake_of = [&](const std::string& content, const table_request& wanted = {}) {
    const std::string path = folder.write("t.csv", content);
    const std::string said = rows_of(files_in(path), wanted).back();
    return said.starts_with(path) ? said.substr(path.size()) : said;
  };
  EXPECT_EQ(mistake_of("a,b\n1,2\n1,2,3\n"), ":3:5: a line of 3 columns; expected 2, as the first line has");
  EXPECT_EQ(mistake_of("a,b\n1\n"), ":2:2: a line of 1 column; expected 2, as the first line has");
  EXPECT_EQ(mistake_of("a,b\n1,\"2\n3\"\n"),
            ":2:3: a text in quotes that does not end in its line; expected one without line ends");
  EXPECT_EQ(mistake_of("a,b\n\"1\"x,2\n"),
            ":2:4: text after the closing quote; expected quotes inside a text to be doubled");
  EXPECT_EQ(mistake_of("a b\nc\n", {.separator = ' ', .columns = {"2"}}),
            ":2:2: a line of 1 column; expected 2 or more");
  EXPECT_EQ(mistake_of("a,\"b\nc\"\n"),
            ":1:3: a text in quotes that does not end in its line; expected one without line ends");
  EXPECT_EQ(mistake_of(""), ":1:1: no row; expected a table with a row in each line");
  EXPECT_EQ(mistake_of("a,b\n", {.columns = {"c"}}),
            " has no column 'c'; expected a number from 1 to 2, or --header and a name");
  EXPECT_EQ(mistake_of("a,b\n", {.header = true, .columns = {"3"}}),
            " has no column '3'; expected a number from 1 to 2, or a name of its header");
  EXPECT_EQ(mistake_of("\"a,b\n", {.separator = ','}),
            ":1:1: a text in quotes that does not end in its line; expected one without line ends");
}

}  // namespace
}  // namespace orujo::internal::mapreduce
