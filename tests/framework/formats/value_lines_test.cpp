#include "framework/formats/value_lines.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace orujo::internal::formats {
namespace {

struct parsed_values {
  std::vector<std::string> lines;
  std::string error;
  friend bool operator==(const parsed_values&, const parsed_values&) = default;
};

// A value that is "bad" is refused.
parsed_values parse_values(const std::string& text, std::size_t piece,
                           value_parser::layout layout = value_parser::layout::lines) {
  parsed_values found;
  value_parser parser(
      true,
      [&](const value_line& line, std::uint32_t& column) -> std::string {
        column = line.value_column;
        if (line.value == "bad") return "bad value";
        found.lines.push_back(std::string(line.vertex) + "=" + std::string(line.value) + "@" +
                              std::to_string(line.line) + ":" + std::to_string(line.vertex_column) + ":" +
                              std::to_string(line.value_column));
        return {};
      },
      layout);
  for (std::size_t at = 0; at < text.size(); at += piece)
    parser.feed(std::string_view(text).substr(at, piece));
  parser.finish();
  if (parser.failed())
    found.error = std::to_string(parser.lines() + 1) + ":" + std::to_string(parser.error_column()) + ": " +
                  parser.error();
  return found;
}

TEST(value_parser, gives_the_same_however_the_bytes_are_cut) {
  const std::string long_comment = "#" + std::string(longest_line_bytes + 10, 'x') + "\n";
  const std::pair<std::string, parsed_values> cases[] = {
      {"", {}},
      {"\n \n# 1 2\n", {}},
      {"\xef\xbb\xbf"
       "1 2\r\n3\t, 4 \n  5,6",
       {{"1=2@1:1:3", "3=4@2:1:5", "5=6@3:3:5"}, ""}},
      {long_comment + "1 2\n", {{"1=2@2:1:3"}, ""}},
      {"a b\nc bad\nd e\n", {{"a=b@1:1:3"}, "2:3: bad value"}},
      {"\"a, b\" 2\n \"say \"\"a\"\"\",3\n", {{"a, b=2@1:1:8", "say \"a\"=3@2:2:14"}, ""}},
      {"a b\n\"c d\n", {{"a=b@1:1:3"}, "2:1: quotes that do not end; expected 'vertex value'"}},
      {"a\n", {{}, "1:2: no value; expected 'vertex value'"}},
      {"a,\n", {{}, "1:3: no value; expected 'vertex value'"}},
      {"a b,c", {{}, "1:4: more than 2 columns; expected 'vertex value'"}},
      {std::string(longest_line_bytes, '1') + " 1",
       {{}, "1:1: a line longer than 65536 bytes; expected 'vertex value'"}},
      {"\xff\xfe"
       "1 2\n",
       {{}, "1:1: UTF-16 text; expected ASCII or UTF-8: convert it with iconv -f UTF-16 -t UTF-8"}}};
  for (const auto& [text, expected] : cases) {
    for (const std::size_t piece : {1, 2, 3, 5, 7, 4096, 1 << 20}) {
      const parsed_values got = parse_values(text, piece);
      EXPECT_EQ(got.lines, expected.lines) << text.substr(0, 40) << " by " << piece;
      EXPECT_EQ(got.error, expected.error) << text.substr(0, 40) << " by " << piece;
    }
  }
}

TEST(value_parser, takes_rows_of_a_table) {
  const std::pair<std::string, parsed_values> cases[] = {
      {"id,rank\na b,1\r\n#c,2\n", {{"a b=1@2:1:5", "#c=2@3:1:4"}, ""}},
      {"id,7\nx,8\n", {{"id=7@1:1:4", "x=8@2:1:3"}, ""}},
      {"x,8\nid,rank\n", {{"x=8@1:1:3", "id=rank@2:1:4"}, ""}},
      {"\n\"a, \"\"b\"\"\",0.5\n", {{"a, \"b\"=0.5@2:1:12"}, ""}},
      {"a\n", {{}, "1:2: no value; expected 'vertex,value'"}},
      {"a,1,2\n", {{}, "1:5: more than 2 columns; expected 'vertex,value'"}},
      {"id,value\na,bad", {{}, "2:3: bad value"}},
      {"\"a,1\n",
       {{}, "1:1: a text in quotes that does not end in its line; expected one without line ends"}}};
  for (const auto& [text, expected] : cases) {
    for (const std::size_t piece : {1, 3, 1 << 20})
      EXPECT_EQ(parse_values(text, piece, value_parser::layout::table), expected) << text;
  }
}

}  // namespace
}  // namespace orujo::internal::formats
