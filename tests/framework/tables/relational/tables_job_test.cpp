// Tables of files: what their columns are, and why.
#include "framework/tables/relational/tables.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "framework/tables/relational/database.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "tests/framework/tables/mapreduce/text_files.hpp"

namespace orujo::internal::relational {
namespace {

class tables_of_files : public testing::Test {
 protected:
  // The types of the columns, and how many values are no NULL: "integer 2, text 1".
  std::string columns_of(const std::string& content) {
    const auto data = load(content);
    if (!data.ok()) return data.status().message();
    std::string query = "SELECT ";
    const table& of = data.value().local().all[0];
    for (std::size_t c = 0; c < of.names.size(); ++c)
      query += (c ? ", count(" : "count(") + of.names[c].name + ")";
    const auto found = data.value().select(query + " FROM t");
    if (!found.ok()) return found.status().message();
    std::string told;
    for (std::size_t c = 0; c < of.names.size(); ++c)
      told += (c ? ", " : "") + std::string(name_of(of.names[c].type)) + " " +
              std::to_string(counts(found.value())[c]);
    found.value().destroy();
    data.value().destroy();
    return told;
  }
  // Why a query is refused, from the first semicolon but one on.
  std::string refused(const std::string& content, const std::string& query) {
    const auto data = load(content);
    if (!data.ok()) return data.status().message();
    const auto found = data.value().select(query);
    data.value().destroy();
    std::string said = found.status().message();
    if (const std::size_t at = said.find(path_); at != said.npos) said.erase(at, path_.size());
    return said;
  }

 private:
  result<database> load(const std::string& content) {
    path_ = folder_.write("t.csv", content);
    return database::load({{"t", path_}});
  }
  static std::vector<word> counts(answer found) {
    std::vector<word> all(found.local().columns.size());
    const memory::global_address<std::vector<word>> to(my_core(), &all);
    loops::on_all_cores([to, found] {
      std::vector<word> mine(found.local().columns.size());
      for (std::size_t c = 0; c < mine.size() && found.local().rows.rows > 0; ++c)
        mine[c] = found.local().rows.columns[c][0];
      collectives::all_reduce(mine);
      if (my_core() == to.core()) *to.local() = mine;
    });
    return all;
  }

  const mapreduce::text_folder folder_;
  std::string path_;
};

TEST_F(tables_of_files, have_columns_that_hold_what_is_written) {
  EXPECT_EQ(columns_of("a,b,c\n1,0.5,x\n-2,,\n+3,1e-400,y\n"), "integer 3, real 2, text 2");
  EXPECT_EQ(columns_of("zip,n\n01234,0\n501,-0\n"), "text 2, integer 2") << "leading zeros mean something";
  EXPECT_EQ(columns_of("a,b\n00.5,-01\n1,2\n"), "real 2, text 2");
  EXPECT_EQ(columns_of("id,r\n18446744073709551614,0.5\n1,18446744073709551614\n"), "text 2, text 2")
      << "doubles would make them one";
  EXPECT_EQ(columns_of("a,b\n9223372036854775807,1\n-9223372036854775808,1e300\n"), "integer 2, real 2");
  EXPECT_EQ(columns_of("a,b,c\n1,1,inf\ninf,NaN,-Infinity\n0.5,2,1\n"), "real 3, text 3, real 3");
  EXPECT_EQ(columns_of("a,b\n1e400,1\n2,2\n"), "text 2, integer 2");
}

TEST_F(tables_of_files, take_what_is_empty_in_quotes_for_null_among_numbers) {
  EXPECT_EQ(columns_of("a,b,c\n\"1\",\"\",\"x\"\n\"\",\"\",\"\"\n\"3\",\"\",\n"),
            "integer 2, text 3, text 2");
  std::string many = "a,b\n";
  for (int k = 0; k < 3000; ++k) many += "\"\",\"\"\n";
  EXPECT_EQ(columns_of(many + "0.5,\n"), "real 1, text 3000") << "whoever reads the number";
}

TEST_F(tables_of_files, say_which_field_makes_a_column_a_text) {
  EXPECT_EQ(refused("a,b\n1,2\n2,NA\n3,x\n", "SELECT sum(b) FROM t"),
            "query:1:8: sum of a text; expected numbers; :3:3: 'NA' is not a number");
  EXPECT_EQ(refused("a\r1\r01\r", "SELECT q.n + 1 FROM (SELECT a AS n FROM t) AS q"),
            "query:1:8: a text with the operator +; expected numbers; :3:1: '01' has leading zeros");
  std::string many = "a\n";
  for (int k = 0; k < 40'000; ++k) many += "17\n";
  EXPECT_EQ(
      refused(many + "9223372036854775808\nx\n" + many, "SELECT a FROM t WHERE a > 5"),
      "query:1:25: a text and a number with the operator >; expected two of one type: texts stand in single "
      "quotes, numbers without; :40002:1: '9223372036854775808' is an integer beyond 64 bits");
  EXPECT_EQ(
      refused("a;b\n1,5;1\n", "SELECT avg(a) FROM t"),
      "query:1:8: avg of a text; expected numbers; :2:1: '1,5' has a decimal comma in place of a point");
  EXPECT_EQ(refused("a,b\nx,1\n", "SELECT CASE WHEN b = 1 THEN a ELSE 2 END FROM t"),
            "query:1:8: texts and numbers as the values of one expression; expected values of one type; "
            ":2:1: 'x' is not a number");
  EXPECT_EQ(refused("a,b\nx,1\n", "SELECT sum('x') FROM t"), "query:1:8: sum of a text; expected numbers");
}

TEST_F(tables_of_files, know_texts_that_look_like_numbers) {
  const mapreduce::text_folder folder;
  const std::string path = folder.write("n.csv", "a,b,c\n1,x,3\n2,y,NA\nNA,3,\n,,\n");
  const auto data = database::load({{"t", path}});
  ASSERT_TRUE(data.ok());
  loops::on_all_cores([all = data.value()] {
    const table& of = all.local().all[0];
    EXPECT_TRUE(of.looks_like_numbers(0));
    EXPECT_FALSE(of.looks_like_numbers(1));
    EXPECT_FALSE(of.looks_like_numbers(2)) << "as many as others";
    EXPECT_TRUE(why_text(of, 2).ends_with("n.csv:3:5: 'NA' is not a number")) << why_text(of, 2);
  });
  data.value().destroy();
}

}  // namespace
}  // namespace orujo::internal::relational
