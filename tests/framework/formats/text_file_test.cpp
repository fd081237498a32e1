// Reading text files of every format by one reader and by many: the same edges, or the identical error
// message.
#include "framework/formats/text_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "framework/formats/neighbour_symmetry.hpp"
#include "system/base/random.hpp"
#include "tests/framework/formats/memory_source.hpp"
#include "tests/framework/formats/text_examples.hpp"

namespace orujo::internal::formats {
namespace {

using namespace std::string_literals;

// Nothing in a METIS file identifies it.
std::string path_of(const std::string& text) { return text.starts_with("% METIS") ? "F.graph" : "F"; }

std::uint64_t line_ends_in(const std::string& text) {
  std::uint64_t count = 0;
  for (std::size_t k = 0; k < text.size(); ++k)
    count += text[k] == '\n' || (text[k] == '\r' && text[k + 1] != '\n');
  return count;
}

// The text with other line ends.
std::string with_line_ends(const std::string& text, const std::string& end) {
  std::string made;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '\n') {
      made += end;
    } else if (text[k] != '\r' || text[k + 1] != '\n') {
      made += text[k];
    }
  }
  return made;
}

// The outcome of reading: the edges of a good file, or the error.
struct outcome {
  edge_list list;
  std::string error;
  exit_status code = exit_status::ok;
  friend bool operator==(const outcome&, const outcome&) = default;
};

outcome read_whole(const std::string& text, std::size_t most = std::string::npos, bool seekable = true) {
  memory_source source(text, path_of(text), most, seekable);
  auto file = read_text(source);
  if (!file.ok()) return {{}, file.status().message(), file.status().code()};
  return {file.value().list, "", exit_status::ok};
}

// Reads the ranges between `bounds` (0 first, the size last) separately and combines them.
outcome read_ranges(const std::string& text, const std::vector<std::uint64_t>& bounds) {
  memory_source source(text, path_of(text));
  const auto layout = find_layout(source);
  if (!layout.ok()) return {{}, layout.status().message(), layout.status().code()};
  outcome all;
  std::vector<text_summary> summaries;
  std::uint64_t rows = 0;
  for (std::size_t k = 0; k + 1 < bounds.size(); ++k) {
    const auto part = read_text_range(source, layout.value(), bounds[k], bounds[k + 1], rows);
    rows += count_rows(source, layout.value(), bounds[k], bounds[k + 1]).value();
    if (!part.ok()) return {{}, part.status().message(), part.status().code()};
    const edge_list& list = part.value().list;
    all.list.edges.insert(all.list.edges.end(), list.edges.begin(), list.edges.end());
    all.list.weights.insert(all.list.weights.end(), list.weights.begin(), list.weights.end());
    summaries.push_back(part.value().summary);
  }
  const auto totals = combine_text_parts(summaries, layout.value(), source.path());
  if (!totals.ok()) return {{}, totals.status().message(), totals.status().code()};
  const status symmetry = check_symmetry(totals.value(), source, layout.value());
  if (!symmetry.ok()) return {{}, symmetry.message(), symmetry.code()};
  EXPECT_TRUE(layout.value().mirrored || totals.value().edges == all.list.edges.size());
  EXPECT_EQ(totals.value().lines, line_ends_in(text));
  return all;
}

outcome read_parts(const std::string& text, std::uint64_t parts) {
  std::vector<std::uint64_t> bounds;
  for (std::uint64_t k = 0; k <= parts; ++k) bounds.push_back(text.size() * k / parts);
  return read_ranges(text, bounds);
}

// Reads `text` in every way there is and expects one outcome.
void expect_one_outcome(const std::string& text) {
  const outcome whole = read_whole(text);
  EXPECT_EQ(read_whole(text, 1), whole) << text;
  EXPECT_EQ(read_whole(text, 3, false), whole) << text;
  for (std::uint64_t parts = 1; parts <= 8; ++parts) {
    const outcome split = read_parts(text, parts);
    EXPECT_EQ(split.error, whole.error) << parts << " parts of " << text;
    EXPECT_EQ(split, whole) << parts << " parts of " << text;
  }
  for (std::uint64_t at = 0; at <= text.size(); ++at) {
    const outcome split = read_ranges(text, {0, at, text.size()});
    EXPECT_EQ(split.error, whole.error) << "cut at " << at << " of " << text;
    EXPECT_EQ(split, whole) << "cut at " << at << " of " << text;
  }
}

TEST(text_file, reads_good_files_the_same_in_any_parts) {
  for (const std::string& text : good_texts()) {
    EXPECT_EQ(read_whole(text).error, "") << text;
    expect_one_outcome(text);
  }
}

TEST(text_file, finds_the_same_error_in_any_parts) {
  for (const std::string& text : bad_texts()) {
    EXPECT_EQ(read_whole(text).code, exit_status::bad_data) << text;
    expect_one_outcome(text);
  }
}

TEST(text_file, takes_a_carriage_return_alone_for_a_line_end) {
  for (const auto* texts : {&good_texts(), &bad_texts()}) {
    for (const std::string& text : *texts) {
      if (text.starts_with("\xff\xfe")) continue;
      const std::string unix = with_line_ends(text, "\n"), mac = with_line_ends(text, "\r");
      EXPECT_EQ(read_whole(mac).error, read_whole(unix).error) << text;
      EXPECT_EQ(read_whole(mac).list, read_whole(unix).list) << text;
      expect_one_outcome(mac);
    }
  }
  expect_one_outcome("1 2\r3 4\n# 1 2\r5 6\r\n\r\r\n7 8\n\r9 10\r");
  EXPECT_EQ(read_whole("1 2\r3 4\n# 1 2\r5 6\r\n\r\r\n7 8\n\r9 10\r").list,
            read_whole("1 2\n3 4\n5 6\n7 8\n9 10").list);
  std::string long_one = "# comment";
  for (int k = 0; k < 300'000; ++k) long_one += "\r1 2";
  EXPECT_EQ(read_whole(long_one).list.edges.size(), 300'000u);
}

TEST(text_file, says_the_same_of_files_truncated_anywhere) {
  const std::string text = "\xef\xbb\xbf# Nodes: 3 Edges: 3\r\n10 2 .5\r\n3 40 1e3\n# x\n5 6 7";
  for (std::size_t size = 0; size <= text.size(); ++size) expect_one_outcome(text.substr(0, size));
}

TEST(text_file, names_file_line_and_column) {
  EXPECT_EQ(read_parts("1 2\n3 4\n5 x\n7 8\n", 4).error,
            "F:3:3: 'x' is not a number; expected a decimal vertex id from 0 to 18446744073709551615, or a "
            "name with "
            "--names");
  EXPECT_EQ(read_parts("1 2\n3 4\n5 6\n7 8 9\n", 4).error,
            "F:4:5: a weight, but the first edge of the file has none; expected 'source target'");
  EXPECT_EQ(read_whole("# nothing\n").error,
            "no edges in F; expected 'source target' or 'source target weight'");
}

TEST(text_file, counts_the_vertices_of_a_header_from_0) {
  EXPECT_EQ(read_whole("%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 5\n3 1 6\n3 2 7\n").list,
            (edge_list{{{0, 0}, {2, 0}, {0, 2}, {2, 1}, {1, 2}}, {5, 6, 6, 7, 7}}));
  EXPECT_EQ(
      read_whole("%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n3 1 6\n2 1 -7\n").list,
      (edge_list{{{2, 0}, {0, 2}, {1, 0}, {0, 1}}, {6, -6, -7, 7}}));
  EXPECT_EQ(read_whole("c\np sp 9 2\na 1 9 4\na 2 3 5\n").list, (edge_list{{{0, 8}, {1, 2}}, {4, 5}}));
  EXPECT_EQ(read_whole("%%MatrixMarket matrix coordinate pattern\n2 3 2\n2 3\n1 1\n").list,
            (edge_list{{{1, 4}, {0, 2}}, {}}));
  memory_source source("p col 9 1\ne 1 2\n");
  const auto file = read_text(source);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file.value().layout.vertices, 9u);
  EXPECT_EQ(file.value().layout.least_id, 1u);
}

TEST(text_file, says_what_is_wrong_with_other_formats_and_where) {
  const std::string mtx = "%%MatrixMarket matrix coordinate ";
  const std::string mend = "; get the whole file, or correct this number";
  const std::string either =
      "entries above the diagonal and below; expected those of one triangle, as the other is their mirror "
      "image, or 'general' in the banner";
  const std::string both_lines = "; expected every edge in the lines of both its ends";
  const struct {
    std::string text, error;
  } cases[] = {
      {"%%MatrixMarket matrix array real general\n",
       "F:1:23: 'array' is not supported; expected '%%MatrixMarket matrix coordinate', then real, integer or "
       "pattern, then general, symmetric or skew-symmetric, as the first line"},
      {mtx + "real general\n3 x 1\n", "F:2:3: no whole number; expected 'rows columns entries'"},
      {mtx + "real general\n3 3\n", "F:2:4: no whole number; expected 'rows columns entries'"},
      {mtx + "real symmetric\n3 4 1\n",
       "F:2:3: 3 rows and 4 columns of a symmetric matrix that are different vertices; expected 'general' in "
       "the banner"},
      {mtx + "real general\n3 4 1\n4 1 2\n", "F:3:1: '4' is not a row; expected one up to 3"},
      {mtx + "real general\n% text\n3 3 2\n1 2 3\n",
       "F:3:1: this announces 2 lines with edges, but the file has 1" + mend},
      {mtx + "real general\n% text\n3 3 1\n1 2\n", "F:4:4: no third column; expected 'row column value'"},
      {mtx + "pattern general\n3 3 1\n1 4\n",
       "F:3:3: '4' is not a vertex of the file; expected a decimal vertex id from 1 to 3"},
      {"c\nc\np sp 3 1\n1 2 3\n", "F:4:1: '1'; expected 'a source target weight'"},
      {"c\nx\n",
       "F:2:1: no problem line; expected 'p sp VERTICES ARCS', 'p max VERTICES ARCS' or 'p edge "
       "VERTICES EDGES'"},
      {"% METIS\n3 2\n2 3\n1\n", "F.graph:2:1: this announces 3 vertices, but the file has 2" + mend},
      {"% METIS\n3 2\n2 3\n1\n\n\n",
       "F.graph:2:1: this announces 4 neighbours (two for each edge), but the file has 3" + mend},
      {"% METIS\n3 2\n2 3\n1\n1\n\n 2\n",
       "F.graph:7:2: a line after that of the last vertex; expected one for each of 3"},
      {"% METIS\n3 2\n2 3\n1\n 4\n",
       "F.graph:5:2: '4' is not a vertex of the file; expected a decimal vertex id from 1 to 3"},
      {"% METIS\n3 2 1\n2 1 3\n",
       "F.graph:3:6: a neighbour without weight; expected 0 weights of the vertex, then neighbours, each "
       "with a weight"},
      {mtx + "integer general\n3 3 2\n1 2 5\n1 3 5.5\n",
       "F:4:5: '5.5' is not a whole number, as the header says"},
      {mtx + "real symmetric\n3 3 3\n1 1 1\n2 1 1\n1 2 1\n", "F:5:3: " + either},
      {mtx + "pattern symmetric\n3 3 2\n1 3\n3 2\n", "F:4:3: " + either},
      {mtx + "real skew-symmetric\n3 3 2\n2 1 1\n2 2 0\n",
       "F:4:3: an entry on the diagonal, which a skew-symmetric matrix does not have; expected row and "
       "column to differ"},
      {"% METIS\n3 2\n2 3\n1\n2\n",
       "F.graph:3:3: vertex 1 has the neighbour 3, which does not list it" + both_lines},
      {"% METIS\n3 2 111 2\n9 1 2  2 5  3 7\n% c\n9 1 2 1 5\n9 1 2 1 8\n",
       "F.graph:3:13: vertex 1 has the neighbour 3, which does not list it, or with another weight" +
           both_lines},
      {"1,2\n3,\n", "F:2:3: nothing after a comma; expected 'source target' or 'source target weight'"},
      {"\1\0\0\0\0\0\0\0"s,
       "F: this looks like Galois' binary .gr; write an edge list: graph-convert -gr2edgelist"},
  };
  for (const auto& [text, error] : cases) EXPECT_EQ(read_whole(text).error, error) << text;
}

TEST(text_file, reads_the_neighbours_of_each_vertex) {
  EXPECT_EQ(read_whole("% METIS\n4 3 111 2\n9 1 2  2 .5 3 7\n9 1 2 1 .5\n9 1 2 1 7 4 8\n9 1 2 3 8\n").list,
            (edge_list{{{0, 1}, {0, 2}, {1, 0}, {2, 0}, {2, 3}, {3, 2}}, {.5, 7, .5, 7, 8, 8}}));
  // A line longer than any buffer.
  std::string hub = "% METIS\n100001 100000\n", leaves;
  for (int v = 2; v <= 100001; ++v) {
    hub += std::to_string(v) + " ";
    leaves += "1\n";
  }
  const outcome whole = read_whole(hub + "\n" + leaves);
  EXPECT_EQ(whole.error, "");
  EXPECT_EQ(whole.list.edges.size(), 200000u);
  for (const std::uint64_t parts : {2, 3, 7, 20})
    EXPECT_EQ(read_parts(hub + "\n" + leaves, parts), whole) << parts;
}

// One format each: none reads weights that are not wanted.
TEST(text_file, ignores_weights_that_are_not_wanted) {
  const std::string texts[] = {
      "1 2 nan\n1 3 x\n",
      "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 inf\n1 3 1e39\n",
      "p sp 3 2\na 1 2 nan\na 1 3 -\n",
      "% METIS\n3 2 1\n2 nan 3 1\n1 x\n1 7\n",
  };
  for (const std::string& text : texts) {
    EXPECT_NE(read_whole(text).error, "");
    for (const bool seekable : {true, false}) {
      memory_source source(text, path_of(text), std::string::npos, seekable);
      const auto file = read_text(source, {.ignores_weights = true});
      ASSERT_TRUE(file.ok()) << file.status().message();
      EXPECT_TRUE(file.value().list.weights.empty());
      EXPECT_EQ(file.value().list.edges.size(),
                text.starts_with("%% METIS") ? 4u : file.value().totals.edges);
    }
  }
}

TEST(text_file, needs_no_column_of_weights_that_are_ignored) {
  for (const bool seekable : {true, false}) {
    memory_source source("source,target,weight\n1,2,nan\n1,3\n4,5,\"x\"\n", "F.csv", std::string::npos,
                         seekable);
    const auto file = read_text(source, {.ignores_weights = true});
    ASSERT_TRUE(file.ok()) << file.status().message();
    EXPECT_EQ(file.value().list.edges, (std::vector<edge>{{1, 2}, {1, 3}, {4, 5}}));
    EXPECT_TRUE(file.value().list.weights.empty());
    EXPECT_EQ(file.value().totals.columns, 3u);
  }
}

TEST(text_file, refuses_negative_weights_where_none_are_wanted) {
  memory_source list("# c\n1 2 3\n1 3 -0\n4 5 -2\n"), rows("2 1 1\n2 1\n1 -1\n", "F.graph");
  const std::string expected = "; expected a weight of at least 0";
  EXPECT_EQ(read_text(list, {.non_negative_weights = true}).status().message(),
            "F:4:5: '-2' is negative" + expected);
  EXPECT_EQ(read_text(rows, {.non_negative_weights = true}).status().message(),
            "F.graph:3:3: '-1' is negative" + expected);
  EXPECT_EQ(read_whole("1 2 -2\n").error, "");
}

TEST(text_file, finds_the_first_edge_without_its_reverse_among_many) {
  std::string text = "% METIS\n3000 2999\n2\n";
  for (int v = 2; v < 3000; ++v)
    text += std::to_string(v == 1700 ? 5 : v - 1) + " " + std::to_string(v + 1) + "\n";
  text += "2999\n";
  const std::string expected =
      "F.graph:1701:6: vertex 1699 has the neighbour 1700, which does not list it; expected every edge in "
      "the lines of both its ends";
  EXPECT_EQ(read_whole(text).error, expected);
  EXPECT_EQ(read_parts(text, 7).error, expected);
}

TEST(text_file, reads_lines_longer_than_the_reads_that_finish_them) {
  const std::string comment = "#" + std::string(20000, 'c') + "\n";
  const std::string text =
      "1 2\n" + comment + "3 4\n" + comment + comment + "5" + std::string(9000, ' ') + "6\n7 8";
  const outcome whole = read_whole(text);
  EXPECT_EQ(whole.list.edges.size(), 4u);
  for (std::uint64_t parts = 1; parts <= 50; ++parts) EXPECT_EQ(read_parts(text, parts), whole) << parts;
}

TEST(text_file, takes_no_more_memory_for_edges_than_it_may) {
  std::string text;
  for (int line = 0; line < 500'000; ++line) text += "1 2 3\n";
  constexpr std::uint64_t needed = 500'000 * 20;
  for (const std::uint64_t most : {needed, needed - 1, needed / 2, std::uint64_t{0}}) {
    const exit_status expected = most < needed ? exit_status::no_resource : exit_status::ok;
    memory_source plain(text);
    const text_layout layout = find_layout(plain).value();
    EXPECT_EQ(read_text_range(plain, layout, 0, text.size(), 0, most).status().code(), expected);
    EXPECT_EQ(read_text_range(plain, layout, 0, text.size() / 2, 0, most / 2).status().code(), expected);
  }
  // Where their number is not known, the list grows and is copied.
  for (const std::uint64_t most : {2 * needed, needed - 1, std::uint64_t{0}}) {
    memory_source stream(text, "F", std::string::npos, false);
    text_layout found;
    const auto part = read_text_stream(stream, found, {}, most);
    EXPECT_EQ(part.status().code(), most < needed ? exit_status::no_resource : exit_status::ok);
    EXPECT_TRUE(!part.ok() || part.value().list.edges.size() == 500'000);
  }
}

TEST(text_file, counts_the_memory_of_names) {
  std::string text;
  for (int line = 0; line < 200'000; ++line)
    text += "from" + std::to_string(line) + " to" + std::to_string(line) + "\n";
  constexpr std::uint64_t of_edges = 200'000 * 16;
  const text_request named{.named = true};
  for (const std::uint64_t most : {2 * of_edges, 40 * of_edges}) {
    memory_source stream(text, "F", std::string::npos, false);
    text_layout found;
    EXPECT_EQ(read_text_stream(stream, found, named, most).ok(), most > 2 * of_edges) << most;
  }
}

TEST(text_file, passes_on_the_failure_of_a_source) {
  class failing_source final : public byte_source {
   public:
    failing_source() : byte_source("F") {}
    bool seekable() const override { return true; }
    std::uint64_t size() const override { return 100; }
    result<std::size_t> read(std::span<char>) override { return status(exit_status::io_error, "broken"); }
    result<std::size_t> read_at(std::uint64_t at, std::span<char> into) override {
      if (at > 0) return status(exit_status::io_error, "broken");
      return std::string_view("1 2\n").copy(into.data(), into.size());
    }
  } source;
  for (const std::uint64_t first : {0, 50}) {
    EXPECT_EQ(read_text_range(source, {}, first, 100).status().code(), exit_status::io_error);
  }
  EXPECT_EQ(read_text(source).status().message(), "broken");
}

// Puts what is likely to hurt at random places of a valid file.
std::string mutated(std::string text, random_stream& random) {
  static const std::string pieces[] = {
      "\n",  "\r",  "\r\n",  " ",         "#",          "-",    ".",
      "x",   "\0"s, "1 2\n", "1 2 3",     "nan",        "\t",   "1e9",
      "0x1", "%",   ",",     "a 1 2 3\n", "p sp 9 9\n", "\xff", "99999999999999999999"};
  for (std::uint64_t edits = random.below(4); edits > 0; --edits) {
    const std::size_t at = random.below(text.size() + 1);
    switch (random.below(3)) {
      case 0:
        text.insert(at, pieces[random.below(std::size(pieces))]);
        break;
      case 1:
        text.erase(at, random.below(4));
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(random());
    }
  }
  return text;
}

TEST(text_file, survives_mutations_and_reads_them_the_same_in_any_parts) {
  const std::uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed();
  std::printf("seed %llu (repeat with --gtest_random_seed)\n", static_cast<unsigned long long>(seed));
  random_stream random(seed);
  for (int round = 0; round < 300 && !::testing::Test::HasFailure(); ++round) {
    expect_one_outcome(mutated(good_texts()[random.below(good_texts().size())], random));
  }
}

}  // namespace
}  // namespace orujo::internal::formats
