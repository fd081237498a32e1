#include "framework/results/write_values.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "tests/framework/results/result_graphs.hpp"

namespace orujo::internal::results {
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

// The expected value of a vertex's line.
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

TEST(write_values, has_the_format_of_the_files_name) {
  test_graphs::for_each_result_graph([](const result_graph& g) {
    const auto property = test_graphs::property_of<float>(
        g.graph, [](const graph::locale_graph&, std::uint32_t) { return 0.5f; });
    const scratch_file csv({}, ".csv"), npy({}, ".npy");
    EXPECT_TRUE(write_values(g.graph, property, csv.path).ok());
    std::string expected = "id,value\n", as_text = "id,value\n";
    for (std::size_t k = 0; k < g.ids.size(); ++k) {
      std::string label;
      if (g.names.empty()) {
        label = g.label(k);
      } else {
        append_csv(label, g.names[k]);
      }
      expected += label + ",0.5\n";
      as_text += label + ",\"a, b\"\n";
    }
    EXPECT_EQ(csv.content(), expected);
    const status texts =
        write_values(g.graph, property, csv.path, [](std::string& to, float) { to += "a, b"; });
    EXPECT_TRUE(texts.ok()) << texts.message();
    EXPECT_EQ(csv.content(), as_text);
    const status array = write_values(g.graph, property, npy.path);
    EXPECT_EQ(array.code(), g.names.empty() ? exit_status::ok : exit_status::usage);
    if (array.ok()) {
      const std::string content = npy.content();
      EXPECT_TRUE(content.starts_with("\x93NUMPY"));
      EXPECT_NE(content.find("('id', '<u8'), ('value', '<f4')"), std::string::npos);
    }
    EXPECT_EQ(write_values(g.graph, property, npy.path, [](std::string& to, float) { to += "x"; }).code(),
              exit_status::usage);
    property.destroy();
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
  const auto values = graph::property<float>::create(graph);
  const status nowhere = write_values(graph, values, "/no/such/folder/values");
  EXPECT_EQ(nowhere.code(), exit_status::io_error);
  EXPECT_NE(nowhere.message().find("/no/such/folder/values"), std::string::npos) << nowhere.message();
  const status full = write_values(graph, values, "/dev/full");
  EXPECT_EQ(full.code(), exit_status::io_error);
  values.destroy();
  graph.destroy();
}

// Two other vertices around a number.
struct linked {
  vertex_at<std::int64_t> before;  // the one two places before, or none
  float number;
  vertex_at<std::uint64_t> hub;  // what few are for many
};

}  // namespace

template <>
struct numbers_of<linked> {
  template <class Visit>
  static void visit(const linked& value, const Visit& visit) {
    visit(value.before);
    visit(value.number);
    visit(value.hub);
  }
};

namespace {

linked linked_at(std::uint64_t position) {
  return {{static_cast<std::int64_t>(position) - 2},
          static_cast<float>(position) / 4,
          {position % 9 == 0 ? position : position / 50}};
}

std::string lines_of_linked(const result_graph& g, row_format format) {
  const char between = format == row_format::csv ? ',' : ' ';
  std::string text = format == row_format::csv ? "id,before,number,hub\n" : "";
  for (std::size_t k = 0; k < g.ids.size(); ++k) {
    const linked value = linked_at(k);
    text += g.label(k) + between + (k < 2 ? "-1" : g.label(k - 2)) + between +
            fmt::format("{}", value.number) + between + g.label(value.hub.position) + '\n';
  }
  return text;
}

// The records after the head.
std::string records_of_linked(const result_graph& g) {
  std::string text;
  for (std::size_t k = 0; k < g.ids.size(); ++k) {
    const linked value = linked_at(k);
    append_number(text, row_format::npy, g.ids[k]);
    append_number(text, row_format::npy, k < 2 ? ~std::uint64_t{0} : g.ids[k - 2]);
    append_number(text, row_format::npy, value.number);
    append_number(text, row_format::npy, g.ids[value.hub.position]);
  }
  return text;
}

TEST(write_table, calls_other_vertices_as_they_are_called) {
  test_graphs::for_each_result_graph([](const result_graph& g) {
    const auto ordered = ordered_values<linked>::create(
        g.graph,
        [](const graph::locale_graph& here, std::uint32_t v) { return linked_at(here.position_of(v)); });
    for (const row_format format : {row_format::text, row_format::csv, row_format::npy}) {
      if (format == row_format::npy && !g.names.empty()) continue;
      const scratch_file file;
      auto output = files::output_file::open(file.path).value();
      ordered.write_table(output, format, {"before", "number", "hub"});
      EXPECT_TRUE(output.finish().ok());
      if (format != row_format::npy) {
        EXPECT_TRUE(file.content() == lines_of_linked(g, format)) << file.content().substr(0, 200);
        continue;
      }
      const std::string content = file.content();
      EXPECT_NE(content.find("('before', '<i8'), ('number', '<f4'), ('hub', '<u8')"), std::string::npos);
      EXPECT_TRUE(content.substr(content.find('\n') + 1) == records_of_linked(g));
    }
    ordered.destroy();
  });
}

}  // namespace
}  // namespace orujo::internal::results
