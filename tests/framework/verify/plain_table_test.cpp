#include "framework/verify/plain_table.hpp"

#include <gtest/gtest.h>

#include "tests/framework/tables/mapreduce/text_files.hpp"

namespace orujo::internal::verify {
namespace {

class plain_table_of_files : public testing::Test {
 protected:
  // "a|b/c|d" of rows of cells; names first, if there are.
  std::string read(const std::vector<std::string>& contents, const plain_request& wanted = {}) {
    std::vector<std::string> paths;
    for (const std::string& content : contents)
      paths.push_back(folder_.write("t" + std::to_string(paths.size()), content));
    table_ = read_plain_table(paths, wanted).value();
    std::string told;
    for (const std::string& name : table_.names) told += name + "|";
    for (const auto& row : table_.rows) {
      told += "/";
      for (const plain_cell& cell : row) told += (cell.in_quotes ? "q" : "") + cell.text + "|";
    }
    return told;
  }
  std::string kinds() const {
    std::string told;
    for (std::size_t c = 0; c < table_.names.size(); ++c) told += "irt"[static_cast<int>(kind_of(table_, c))];
    return told;
  }

  const mapreduce::text_folder folder_;
  plain_table table_;
};

TEST_F(plain_table_of_files, has_cells_by_hand) {
  EXPECT_EQ(read({"town, n\n\"a, \"\"b\"\"\",1.5\r\n\n c ,\r\"\",2"}), "town|n|/qa, \"b\"|1.5|/c||/q|2|");
  EXPECT_EQ(read({"New York\nParis"}, {.header = false}), "/New York|/Paris|");
  EXPECT_EQ(read({"a 1\nb  2"}, {.header = false}), "/a|1|/b|2|");
  EXPECT_EQ(read({"a b\nc d"}, {.separator = ' '}), "a|b|/c|d|");
  EXPECT_EQ(read({"1,5;2,5;a\n3;4;b"}), "/1,5|2,5|a|/3|4|b|");
  EXPECT_EQ(read({"a|b\nc,d|e"}), "a|b|/c,d|e|");
  EXPECT_FALSE(read_plain_table({folder_.path() + "/none"}, {}).ok());
}

TEST_F(plain_table_of_files, arranges_columns_by_their_names) {
  EXPECT_EQ(read({"a,b,a\n1,2,3", "", "b;a;a\n5;4;6"}), "a|b|a|/1|2|3|/4|5|6|");
  EXPECT_EQ(table_.column("b"), 1u);
  EXPECT_EQ(table_.column("3"), 2u);
}

TEST_F(plain_table_of_files, knows_numbers) {
  read(
      {"a,b,c,d,e,f,g\n"
       "1,1.5,01,18446744073709551615,,\"\",1\n"
       "-9223372036854775808,+3,2,1,x,\"\",\"\"\n"
       "+7,1e5,3,2,1,\"\",3\n"});
  EXPECT_EQ(kinds(), "irtttti");
  read({"a,b,c,d\n1,x,0,1,5\n-inf,NaN,-0,2\n0.5,1,00,3\n"}, {.separator = ','});
  EXPECT_EQ(kinds(), "rtti");
}

}  // namespace
}  // namespace orujo::internal::verify
