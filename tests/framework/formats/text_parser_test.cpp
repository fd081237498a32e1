// The parser of text edge lists: what it accepts, every way it complains, and that cuts change neither.
#include "framework/formats/text_parser.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "framework/formats/text_tokens.hpp"

namespace orujo::internal::formats {
namespace {

using namespace std::string_literals;

struct parsed {
  edge_list list;
  std::vector<std::string> names;  // as first used
  text_summary summary;
};

// Feeds `text` in pieces of `step` bytes.
parsed parse(std::string_view text, std::size_t step = std::string_view::npos, bool named = false) {
  parsed all;
  name_set names;
  text_parser parser(all.list, {}, true, named ? &names : nullptr);
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view piece = text.substr(at, step);
    // A copy of its own, so that a sanitizer sees any access beyond the piece.
    parser.feed(std::string_view(std::vector<char>(piece.begin(), piece.end()).data(), piece.size()));
    at += piece.size();
  }
  parser.finish();
  all.summary = parser.summary();
  for (std::size_t k = 0; k < names.names().size(); ++k) all.names.emplace_back(names.names()[k]);
  return all;
}

// "LINE:COLUMN: text" of the first error, or "".
std::string error_of(const text_summary& summary) {
  if (summary.error == exit_status::ok) return {};
  return fmt::format("{}:{}: {}", summary.error_line, summary.error_column, summary.error_text.data());
}

const std::vector<edge> two_edges = {{1, 2}, {3, 4}};

TEST(text_parser, accepts_every_harmless_variation) {
  const std::string variations[] = {
      "1 2\n3 4\n",                              // plain
      "1 2\n3 4",                                // no final newline
      "1\t2\n3 \t 4\n",                          // tabs
      "1,2\n3 , 4\n",                            // commas
      "  1 2 \t\n\t3 4  \n",                     // blanks before and after
      "1 2\r\n3 4\r\n",                          // CRLF
      "1 2\r\n3 4\r",                            // CRLF cut off
      "1 2 \r\n3 4 \r\n",                        // blanks before CRLF
      "\xef\xbb\xbf"s + "1 2\n3 4\n",            // byte order mark
      "\xef\xbb\xbf"s + "# text\n1 2\n3 4\n",    // ... before a comment
      "\n\n1 2\n \t\n\r\n3 4\n\n",               // empty lines
      "// one\n1 2\n //two\n3 4\n",              // C++ comments
      "# SNAP\n% too\n1 2\n  # inside\n3 4\n#",  // comments
      "# \0 \xff\xfe 1 2 3 4 5\n1 2\n3 4\n"s,    // ... of any bytes
      "001 2\n3 00000000000000000000000004\n",   // leading zeros
      "# " + std::string(100000, 'x') + "\n1 2\n" + "#" + std::string(200000, '1') + "\n3 4\n",
  };
  for (const std::string& text : variations) {
    for (const std::size_t step : {1, 2, 3, 5, 1000, 1000000}) {
      const parsed got = parse(text, step);
      EXPECT_EQ(error_of(got.summary), "") << text.substr(0, 50);
      EXPECT_EQ(got.list.edges, two_edges) << text.substr(0, 50);
      EXPECT_TRUE(got.list.weights.empty());
      EXPECT_EQ(got.summary.edges, 2u);
      EXPECT_EQ(got.summary.columns, 2u);
    }
  }
}

TEST(text_parser, reads_ids_up_to_64_bits) {
  const std::vector<edge> expected = {{0, 18446744073709551615u},
                                      {9999999999999999999u, 10000000000000000000u}};
  EXPECT_EQ(parse("0 18446744073709551615\n9999999999999999999 10000000000000000000\n").list.edges, expected);
}

TEST(text_parser, reads_decimal_weights) {
  const std::vector<float> expected = {1, -2.5f, 1e9f, 0.1f, 3.4028235e38f, 1e-30f, .5f, 7};
  const parsed got =
      parse("0 1 1\n0 1 -2.5\n0 1 1e9\n0 1 0.1\n0 1 3.4028235e38\n0 1\t1e-30 \r\n0 1 .5\n0 1 7");
  EXPECT_EQ(error_of(got.summary), "");
  EXPECT_EQ(got.list.weights, expected);
  EXPECT_EQ(got.list.edges.size(), expected.size());
  EXPECT_EQ(got.summary.columns, 3u);
}

TEST(text_parser, takes_the_nearest_float_of_small_weights) {
  const parsed got = parse("0 1 1\n0 1 1e-50\n0 1 -1e-400\n0 1 1e-40\n0 1 1e-45\n");
  EXPECT_EQ(error_of(got.summary), "");
  EXPECT_EQ(got.list.weights, (std::vector<float>{1, 0, -0.0f, 1e-40f, 1e-45f}));
}

struct malformed {
  std::string text;
  std::string error;
};

const std::string id =
    "; expected a decimal vertex id from 0 to 18446744073709551615, or a name with --names";
const std::string weight = "; expected a decimal weight that is finite as float";
const std::string line = "; expected 'source target' or 'source target weight'";
const std::string other_2 =
    "no weight, but the first edge of the file has one; expected 'source target weight'";
const std::string other_3 = "a weight, but the first edge of the file has none; expected 'source target'";
const std::string utf_16 = "UTF-16 text; expected ASCII or UTF-8: convert it with iconv -f UTF-16 -t UTF-8";

std::vector<malformed> malformed_texts() {
  const std::string zeros(70000, '0');
  return {
      {"1 2\n3 x\n", "2:3: 'x' is not a number" + id},
      {"a b\n", "1:1: 'a' is not a number" + id},
      {"1 2\n\n# c\n 3;4\n", "4:2: '3;4' is not a number" + id},
      {"1 2\n3,,4\n", "2:3: nothing after a comma" + line},
      {"1 2\n,3 4\n", "2:1: '' is not a number" + id},
      {"1 2\n3, \n", "2:4: nothing after a comma" + line},
      {"1 +2\n", "1:3: '+2' is not a number" + id},
      {"1 -\n", "1:3: '-' is not a number" + id},
      {"1 -2\n", "1:3: '-2' is negative" + id},
      {"1 2\n3 4.0\n", "2:3: '4.0' is not a whole number" + id},
      {"1 2\n1e3 4\n", "2:1: '1e3' is not a whole number" + id},
      {"1 2\n1 nan\n", "2:3: 'nan' is not a number" + id},
      {"0x1f 2\n", "1:1: '0x1f' is hexadecimal" + id},
      {"1 -0X1f\n", "1:3: '-0X1f' is hexadecimal" + id},
      {"1 18446744073709551616\n", "1:3: '18446744073709551616' does not fit 64 bits" + id},
      {"1 2\n1 18446744073709551616\n", "2:3: '18446744073709551616' does not fit 64 bits" + id},
      {"1 99999999999999999999999999\n", "1:3: '999999999999999999999999...' does not fit 64 bits" + id},
      {"1 2\n7\n", "2:2: only one column" + line},
      {"7 \t\r\n", "1:2: only one column" + line},
      {"1 2\n3", "2:2: only one column" + line},
      {"1 2 3 4\n", "1:7: more than 3 columns" + line + ", or a table with --format=csv"},
      {"1 2 3\n1 2 3  4 5\n", "2:8: more than 3 columns" + line + ", or a table with --format=csv"},
      {"1 2\n1 2 # why\n", "2:5: '#' is not a number" + weight},
      {"1 2 3\n\n1 2 \n", "3:4: " + other_2},
      {"1 2\n1 2 3.5\r\n", "2:5: " + other_3},
      {"1 2 nan\n", "1:5: 'nan' is not finite" + weight},
      {"1 2 1\n1 2 -inf\n", "2:5: '-inf' is not finite" + weight},
      {"1 2 1\n1 2 1e39\n", "2:5: '1e39' does not fit a float" + weight},
      {"1 2 1\n1 2 1.5x\n", "2:5: '1.5x' is not a number" + weight},
      {"1 2 1\n1 2 -1e400\n", "2:5: '-1e400' does not fit a float" + weight},
      {"1 2 0x10\n", "1:5: '0x10' is not a number" + weight},
      {"1 2\n3 4\0\n"s, "2:3: '4\\x00' holds a NUL byte" + id},
      {"1 2 3\0\n"s, "1:5: '3\\x00' holds a NUL byte" + weight},
      {"\0\0\0"s, "1:1: '\\x00\\x00\\x00' holds a NUL byte" + id},
      {"1 2\r3 4\n", "1:3: '2\\x0d3' is not a number" + id},
      {"1 2\r\r\n", "1:3: '2\\x0d' is not a number" + id},
      {"1 \xc3\xa9\n", "1:3: '\\xc3\\xa9' is not a number" + id},
      {"1 2\n\xef\xbb\xbf"s + "1 2\n", "2:1: '\\xef\\xbb\\xbf1' is not a number" + id},
      {"\xef\xbb\xbf"s + "1 x\n", "1:3: 'x' is not a number" + id},
      {"\xff\xfe"s + "1\0 \0002\0\n\0"s, "1:1: " + utf_16},
      {"\xfe\xff\0001\0 \0002\0\n"s, "1:1: " + utf_16},
      {"1 " + zeros + "1\n", "1:3: a line longer than 65536 bytes" + line},
      {"1 2\n" + zeros, "2:1: a line longer than 65536 bytes" + line},
      {"1 2\n1 2" + std::string(70000, ' ') + "\n", "2:65537: a line longer than 65536 bytes" + line},
  };
}

TEST(text_parser, says_what_is_wrong_and_where) {
  for (const auto& [text, error] : malformed_texts()) EXPECT_EQ(error_of(parse(text).summary), error);
}

TEST(text_parser, finds_the_same_error_however_the_bytes_are_cut) {
  for (const auto& [text, error] : malformed_texts()) {
    const parsed whole = parse(text);
    for (std::size_t step = 1; step < 40; step += step < 12 ? 1 : 13) {
      const parsed cut = parse(text, step);
      EXPECT_EQ(error_of(cut.summary), error) << "pieces of " << step;
      EXPECT_EQ(cut.list, whole.list) << error;
    }
  }
}

TEST(text_parser, takes_names_for_vertices) {
  const std::string texts[] = {
      "a b\nb a\n7 a\n",                           // plain
      "# c d\n\n a\tb \r\nb , a\r\n% e\n7,a",      // with all that is accepted around it
      "\xef\xbb\xbf"s + "a b\n  #\nb\t \ta\n7 a",  // careful
      "a b .5\nb a 1e3\n7 a 2\n",                  // weights
      "a,b,.5\n b a 1e3 \n\n7 a 2",                //
  };
  const std::vector<edge> edges = {{0, 1}, {1, 0}, {2, 0}};
  for (const std::string& text : texts) {
    for (const std::size_t step : {1, 2, 3, 5, 1000}) {
      const parsed got = parse(text, step, true);
      EXPECT_EQ(error_of(got.summary), "") << text;
      EXPECT_EQ(got.list.edges, edges) << text;
      EXPECT_EQ(got.names, (std::vector<std::string>{"a", "b", "7"})) << text;
      const std::vector<float> weights = {.5f, 1e3f, 2};
      EXPECT_EQ(got.list.weights, got.summary.columns == 3 ? weights : std::vector<float>());
    }
  }
  const std::vector<std::string> unusual = {"-1",  "\xc3\xa9", "\xc2\xa0", "\xc2",   "n\xc2\xbf",
                                            "0x1", "a\"",      "a#",       "x%y;:|", "18446744073709551616"};
  for (const std::string& name : unusual)
    EXPECT_EQ(parse(name + " b\n", 1000, true).names, (std::vector<std::string>{name, "b"}));
  const std::string longest(65000, 'n');
  EXPECT_EQ(parse("a " + longest + "\n", 7000, true).names[1], longest);
}

TEST(text_parser, says_what_is_wrong_with_names) {
  const std::string name = "; expected a name without control characters";
  const malformed texts[] = {
      {"a\n", "1:2: only one column" + line},
      {"a b\na b c\n", "2:5: 'c' is not a number" + weight},
      {"a b c\n", "1:5: 'c' is not a number" + weight},
      {"a b 1 2\n", "1:7: more than 3 columns" + line + ", or a table with --format=csv"},
      {"a b 1\na b\n", "2:4: " + other_2},
      {"a b\nx, \n", "2:4: nothing after a comma" + line},
      {"a b\n,x y\n", "2:1: '' is not a name" + name},
      {"a b\n\"x y\" z\n",
       "2:1: '\"x' begins with a quote; expected names without quotes, or --format=csv, which has names in "
       "quotes"},
      {"a b\nb a\x01\n", "2:3: 'a\\x01' holds a control character" + name},
      {"a b\nb a\xc2\x9b"
       "31m\n",
       "2:3: 'a\\xc2\\x9b31m' holds a control character" + name},
      {"a b\n\xc2\x80 a\n", "2:1: '\\xc2\\x80' holds a control character" + name},
      {"a b\n\x7f a\n", "2:1: '\\x7f' holds a control character" + name},
      {"\xc2\xb5 b\na b\xc2\x9b\n", "2:3: 'b\\xc2\\x9b' holds a control character" + name},
      {"a b\0\n"s, "1:3: 'b\\x00' holds a NUL byte" + name},
      {"a " + std::string(70000, 'n') + "\n", "1:3: a line longer than 65536 bytes" + line},
  };
  for (const auto& [text, error] : texts) {
    for (const std::size_t step : {1, 3, 1000000})
      EXPECT_EQ(error_of(parse(text, step, true).summary), error);
  }
}

TEST(text_parser, expects_a_byte_order_mark_at_the_start_of_the_file_only) {
  edge_list list;
  text_parser parser(list, {}, false);
  parser.feed("\xef\xbb\xbf"s + "1 2\n");
  EXPECT_TRUE(parser.failed());
  EXPECT_TRUE(parse("1 2\n\xef\xbb\xbf"s + "1 2\n").summary.error != exit_status::ok);
  EXPECT_EQ(error_of(parse("\xef\xbb\xbf"s + "1 2\n").summary), "");
}

TEST(text_parser, does_not_grow_with_an_endless_token) {
  edge_list list;
  text_parser parser(list);
  const std::string piece(100000, '1');
  for (int i = 0; i < 50; ++i) parser.feed(piece);
  parser.finish();
  EXPECT_EQ(error_of(parser.summary()), "1:1: a line longer than 65536 bytes" + line);
  EXPECT_EQ(parser.summary().edges, 0u);
}

TEST(text_parser, accepts_lines_up_to_the_limit_only) {
  for (const std::size_t blanks : {longest_line_bytes - 2, longest_line_bytes - 1}) {
    // The second line goes the plain way, the last one the careful way.
    const std::string long_line = fmt::format("1{:{}}2", "", blanks);
    const std::string error =
        long_line.size() > longest_line_bytes ? "2:65537: a line longer than 65536 bytes" + line : "";
    EXPECT_EQ(error_of(parse("1 2\n" + long_line + "\n").summary), error);
    EXPECT_EQ(error_of(parse("1 2\n" + long_line).summary), error);
    EXPECT_EQ(error_of(parse("1 2\n" + long_line + "\n", 1000).summary), error);
  }
}

TEST(text_parser, summarises_what_it_saw) {
  const text_summary got = parse("# Nodes: 5 Edges: 2\n\n1 2 .5\n# Nodes: 9 Edges: 9\n3 4 1").summary;
  EXPECT_EQ(got.edges, 2u);
  EXPECT_EQ(got.lines, 4u);
  EXPECT_EQ(got.columns, 3u);
  EXPECT_EQ(got.first_data_line, 3u);
  EXPECT_EQ(got.first_data_column, 5u);
  EXPECT_TRUE(got.has_header);
  EXPECT_EQ(got.header_nodes, 5u);
  EXPECT_EQ(got.header_edges, 2u);
}

TEST(text_parser, takes_no_other_comment_for_a_header) {
  for (const char* text : {"# Nodes: 5\n", "# Edges: 5\n", "# Nodes: x Edges: 2\n", "# Nodes: Edges:\n",
                           "# Nodes: 5 Edges: 99999999999999999999\n", "# FromNodeId\tToNodeId\n"}) {
    EXPECT_FALSE(parse(text).summary.has_header) << text;
  }
}

TEST(networkx_attributes, are_looked_through_for_the_weight) {
  const auto weight_in = [](std::string_view text) {
    std::string_view value;
    return find_attribute(text, "weight", value) ? std::string(value) : "none";
  };
  EXPECT_EQ(weight_in("{}"), "");
  EXPECT_EQ(weight_in("{'weight': 3}"), "3");
  EXPECT_EQ(weight_in("{'a': 'weight: 1}, \\'', \"weight\" : \"2.5\" , 'b': [1, {'weight': 4}]}"), "2.5");
  EXPECT_EQ(weight_in("{'a': (1, 2)}"), "");
  for (const char* text :
       {"{", "{'weight': 3", "{'weight' 3}", "{'weight': 3} x", "{3}", "weight", "{'a: 3}", "{'a': 1:2}"})
    EXPECT_EQ(weight_in(text), "none") << text;
}

TEST(networkx_attributes, are_weights_of_edges) {
  const auto read = [](const std::string& text) {
    edge_list list;
    text_parser parser(list);
    parser.feed(text);
    parser.finish();
    return std::pair(list, std::string(parser.summary().error_text.data()));
  };
  EXPECT_EQ(read("1 2 {'weight': 3, 'a': 'x y'}\n2 3 {\"weight\": .5} \r\n").first,
            (edge_list{{{1, 2}, {2, 3}}, {3, .5}}));
  EXPECT_EQ(read("1 2 {}\n2 3 {'a': 1}\n4 5\n").first, (edge_list{{{1, 2}, {2, 3}, {4, 5}}, {}}));
  EXPECT_EQ(read("1 2 {'weight': 3}\n2 3 {}\n").second,
            "no weight, but the first edge of the file has one; expected 'source target weight'");
  EXPECT_EQ(read("1 2 {'weight': 'x'}\n").second,
            "'x' is not a number; expected a decimal weight that is finite as float");
  EXPECT_EQ(read("1 2 {'weight'\n").second,
            "not attributes as NetworkX writes them; expected such as {'weight': 3}");
}

}  // namespace
}  // namespace orujo::internal::formats
