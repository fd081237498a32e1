#include "framework/results/read_values.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "framework/results/write_values.hpp"
#include "tests/framework/job_property.hpp"
#include "tests/framework/results/result_graphs.hpp"

namespace orujo::internal::results {
namespace {

using test_graphs::result_graph;
using test_graphs::scratch_file;

template <class T>
std::vector<T> values_of(const result_graph& g, graph::property<T> property) {
  return test_graphs::by_position(g.graph, property);
}

template <class T>
T value_at(std::uint64_t k) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(k * 0x9E3779B97F4A7C15u);
  } else {
    const T special[] = {std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::max(),
                         std::numeric_limits<T>::denorm_min(), T{-0.0}};
    return k < 4 ? special[k] : static_cast<T>(std::sin(static_cast<double>(k)) * std::pow(10.0, k % 30));
  }
}

// Expects that a file of write_values() gives another property the same values.
template <class T>
void expect_round_trip(const result_graph& g) {
  const auto written = test_graphs::property_of<T>(
      g.graph,
      [](const graph::locale_graph& here, std::uint32_t v) { return value_at<T>(here.position_of(v)); });
  for (const char* const suffix : {"", ".csv"}) {
    const scratch_file file({}, suffix);
    EXPECT_TRUE(write_values(g.graph, written, file.path).ok());
    const auto read = graph::property<T>::create(g.graph);
    const status done = read_values(g.graph, read, file.path);
    EXPECT_TRUE(done.ok()) << done.message();
    EXPECT_TRUE(values_of(g, read) == values_of(g, written));
    read.destroy();
  }
  written.destroy();
}

TEST(read_values, reads_what_is_written) {
  test_graphs::for_each_result_graph([](const result_graph& g) {
    expect_round_trip<float>(g);
    if (!sanitized) expect_round_trip<double>(g);
    expect_round_trip<std::uint64_t>(g);
    if (!sanitized) expect_round_trip<std::int8_t>(g);
  });
}

graph::property<std::int32_t> sevens(graph::distributed_graph graph) {
  return test_graphs::property_of<std::int32_t>(graph,
                                                [](const graph::locale_graph&, std::uint32_t) { return 7; });
}

TEST(read_values, leaves_vertices_alone_that_have_no_line) {
  test_graphs::for_each_result_graph([](const result_graph& g) {
    // Every third vertex, backwards, in all the ways in which lines may be written.
    std::string text = "\xef\xbb\xbf# values\r\n\n  % of vertices\n";
    std::vector<std::int32_t> expected(g.ids.size(), 7);
    const char* const between[] = {" ", "\t", ",", " , "};
    const char* const ends[] = {"\n", "\r\n", " \r", "\n# more\r \n"};
    for (std::size_t k = g.ids.size(); k-- > 0;) {
      if (k % 3 != 0) continue;
      expected[k] = -static_cast<std::int32_t>(k);
      text += (k % 2 == 0 ? "" : " ") + g.label(k) + between[k % 4] + std::to_string(expected[k]) +
              ends[k / 4 % 4];
    }
    if (text.ends_with('\n') && g.ids.size() > 3) text.pop_back();
    const auto property = sevens(g.graph);
    const scratch_file file(text);
    const status done = read_values(g.graph, property, file.path);
    EXPECT_TRUE(done.ok()) << done.message();
    EXPECT_TRUE(values_of(g, property) == expected);
    const scratch_file packed;
    if (std::system(("gzip -c " + file.path + " >" + packed.path).c_str()) == 0) {
      const auto again = sevens(g.graph);
      EXPECT_TRUE(read_values(g.graph, again, packed.path).ok());
      EXPECT_TRUE(values_of(g, again) == expected);
      again.destroy();
    }
    property.destroy();
  });
}

TEST(read_values, finds_words_in_a_list) {
  test_graphs::for_each_result_graph([](const result_graph& g) {
    const char* const words[] = {"paper", "author", "x", "Paper"};
    std::string text;
    std::vector<std::uint32_t> expected(g.ids.size(), 0);
    for (std::size_t k = 0; k < g.ids.size(); ++k) {
      if (k % 5 == 4) continue;
      text += g.label(k) + " " + words[k % 5] + "\n";
      expected[k] = k % 5 == 0 ? 2 : k % 5 == 1 ? 1 : 0;
    }
    const scratch_file file(text);
    const auto places = graph::property<std::uint32_t>::create(g.graph);
    const status done = read_words(g.graph, places, file.path, {"author", "paper", "author"});
    EXPECT_TRUE(done.ok()) << done.message();
    EXPECT_TRUE(values_of(g, places) == expected);
    places.destroy();
  });
}

struct refused {
  std::string text, message;  // after the file's name
};

void expect_refused(const result_graph& g, const refused& wrong) {
  const scratch_file file(wrong.text);
  const auto property = sevens(g.graph);
  const status done = read_values(g.graph, property, file.path);
  EXPECT_EQ(done.code(), exit_status::bad_data) << wrong.text;
  EXPECT_EQ(done.message(), file.path + wrong.message);
  EXPECT_TRUE(values_of(g, property) == std::vector<std::int32_t>(g.ids.size(), 7)) << wrong.text;
  property.destroy();
}

//   0 -> 1 -> 2 -> ... -> last
constexpr std::size_t path_graph = 8;
constexpr int last = test_graphs::path_edges;

TEST(read_values, says_which_line_is_wrong) {
  ASSERT_EQ(test_graphs::all().at(path_graph).name, "path");
  const result_graph g{test_graphs::build(path_graph, {}), std::vector<std::uint64_t>(last + 1), {}};
  std::string all;  // right, last + 1 lines
  for (int v = last; v >= 0; --v) all += std::to_string(v) + " 1\n";
  const std::string again = fmt::format("{} 1\n", last - 1),
                    twice = fmt::format(":{}:1: {} has a value already, of line 2; expected each vertex once",
                                        last + 2, last - 1);
  const refused cases[] = {
      {"5 1\n17\n", ":2:3: no value; expected 'vertex value'"},
      {",5\n", ":1:1: no vertex; expected 'vertex value'"},
      {"5 1 2\n", ":1:5: more than 2 columns; expected 'vertex value'"},
      {"\n5 x\n", ":2:3: 'x' is not a valid number; expected a whole number from -2147483648 to 2147483647"},
      {"5 1.5\n",
       ":1:3: '1.5' is not a valid number; expected a whole number from -2147483648 to 2147483647"},
      {"5 2147483648\n",
       ":1:3: '2147483648' does not fit the values; expected a whole number from -2147483648 to 2147483647"},
      {"5 1\n  -1 5\n",
       ":2:3: '-1' is negative; expected a decimal vertex id from 0 to 18446744073709551615, or a name with "
       "--names"},
      {fmt::format("# all\n{} {} 1\n", all, last + 1),
       fmt::format(":{}:2: {} is not in the graph; expected one of its vertices", last + 3, last + 1)},
      {all + again, twice},
      {all + again + again + "9999 1\n", twice},
      {all + again + "1 x\n",
       fmt::format(":{}:3: 'x' is not a valid number; expected a whole number from -2147483648 to 2147483647",
                   last + 3)},
      {std::string(70000, '1') + " 1\n", ":1:1: a line longer than 65536 bytes; expected 'vertex value'"},
      {"5 1\n#" + std::string(70000, '1') + "\n6\n", ":3:2: no value; expected 'vertex value'"}};
  for (const refused& wrong : cases) expect_refused(g, wrong);
  const auto property = sevens(g.graph);
  EXPECT_EQ(read_values(g.graph, property, "/no/such/file").code(), exit_status::no_input);
  property.destroy();
  g.graph.destroy();
  const result_graph named{
      test_graphs::build_named(path_graph, {}), std::vector<std::uint64_t>(last + 1), {}};
  expect_refused(named, {"5 1\n", ":1:1: '5' is not in the graph; expected one of its vertices"});
  const std::string name = test_graphs::name_of_id(5);
  expect_refused(named, {name + " 1\n" + name + " 1\n",
                         ":2:1: 'n5\\xc3\\xab-5' has a value already, of line 1; expected each vertex once"});
  named.graph.destroy();
}

}  // namespace
}  // namespace orujo::internal::results
