#include "framework/results/write_values.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "tests/framework/results/result_graphs.hpp"

namespace orujo::results {
namespace {

using test_graphs::result_graph;
using test_graphs::scratch_file;

TEST(ordered_values, are_visited_in_ascending_order_of_the_ids) {
  test_graphs::for_each_result_graph([](const result_graph& g) {
    const auto doubled = test_graphs::property_of<std::uint64_t>(
        g.graph, [](const graph::locale_graph& here, std::uint32_t v) { return 2 * here.external_id(v); });
    std::vector<std::uint64_t> ids;
    std::vector<std::string> names;
    visit_vertices(g.graph, doubled, [&](const vertex_values<std::uint64_t>& some) {
      ids.insert(ids.end(), some.ids.begin(), some.ids.end());
      for (std::size_t i = 0; i < some.ids.size(); ++i) EXPECT_EQ(some.values[i], 2 * some.ids[i]);
      for (std::size_t i = 0; i < some.names.size(); ++i) names.emplace_back(some.names[i]);
    });
    EXPECT_EQ(ids, g.ids);
    EXPECT_EQ(names, g.names);
    doubled.destroy();
  });
}

// What a test expects of a vertex's line.
template <class T>
T value_of(std::uint64_t id) {
  if constexpr (std::is_floating_point_v<T>) {
    if (id % 50 == 1) return std::numeric_limits<T>::infinity();
    return static_cast<T>(
        std::ldexp(static_cast<double>(id % 1009) / 7 - 50, static_cast<int>(id % 61) - 30));
  }
  return static_cast<T>(id * 0x9E3779B97F4A7C15u);
}

template <class T>
void expect_lines_of(const result_graph& g) {
  const auto property = test_graphs::property_of<T>(
      g.graph,
      [](const graph::locale_graph& here, std::uint32_t v) { return value_of<T>(here.external_id(v)); });
  const scratch_file file;
  const status written = write_values(g.graph, property, file.path);
  EXPECT_TRUE(written.ok()) << written.message();
  std::string expected;
  for (std::size_t k = 0; k < g.ids.size(); ++k)
    expected += g.label(k) + ' ' + fmt::format("{}", value_of<T>(g.ids[k])) + '\n';
  EXPECT_TRUE(file.content() == expected) << file.content().substr(0, 200);
  property.destroy();
}

TEST(write_values, has_a_line_for_each_vertex) {
  test_graphs::for_each_result_graph([](const result_graph& g) {
    expect_lines_of<float>(g);
    if (!sanitized) expect_lines_of<double>(g);
    expect_lines_of<std::uint64_t>(g);
    if (!sanitized) expect_lines_of<std::int32_t>(g);
  });
}

TEST(write_values, asks_how_a_struct_is_written) {
  struct range {
    std::uint32_t first, last;
  };
  test_graphs::for_each_result_graph([](const result_graph& g) {
    const auto ranges =
        test_graphs::property_of<range>(g.graph, [](const graph::locale_graph& here, std::uint32_t v) {
          const auto id = static_cast<std::uint32_t>(here.external_id(v) % 1000);
          return range{id, 2 * id};
        });
    const scratch_file file;
    const status written =
        write_values(g.graph, ranges, file.path, [extra = 3](std::string& line, const range& r) {
          line += std::to_string(r.first) + ".." + std::to_string(r.last + extra);
        });
    EXPECT_TRUE(written.ok()) << written.message();
    std::istringstream lines(file.content());
    std::size_t k = 0;
    for (std::string line; std::getline(lines, line); ++k) {
      const std::uint64_t id = g.ids.at(k) % 1000;
      EXPECT_EQ(line, g.label(k) + ' ' + std::to_string(id) + ".." + std::to_string(2 * id + 3));
    }
    EXPECT_EQ(k, g.ids.size());
    ranges.destroy();
  });
}

TEST(write_values, says_where_it_cannot_write) {
  const graph::distributed_graph graph = test_graphs::build(std::size_t{4}, {});
  const auto values = gas::property<float>::create(graph);
  const status nowhere = write_values(graph, values, "/no/such/folder/values");
  EXPECT_EQ(nowhere.code(), exit_status::io_error);
  EXPECT_NE(nowhere.message().find("/no/such/folder/values"), std::string::npos) << nowhere.message();
  const status full = write_values(graph, values, "/dev/full");
  EXPECT_EQ(full.code(), exit_status::io_error);
  values.destroy();
  graph.destroy();
}

}  // namespace
}  // namespace orujo::results
