#include "framework/results/read_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/framework/results/result_graphs.hpp"

namespace orujo::internal::results {
namespace {

using graph::vertex_pair;
using test_graphs::result_graph;
using test_graphs::scratch_file;

std::vector<vertex_pair> pairs_at_core_0(containers::global_array<vertex_pair> all) {
  std::vector<vertex_pair> here(all.size());
  all.get(0, std::span(here));
  all.destroy();
  return here;
}

// A line for each pair, between others that are none. Parts of the file are read by all cores.
std::string text_of(const result_graph& g, const std::vector<vertex_pair>& pairs) {
  std::string text = "# pairs\n";
  for (const vertex_pair& pair : pairs) text += g.label(pair.source) + ' ' + g.label(pair.target) + "\n";
  return text;
}

std::size_t vertices_of(const result_graph& g) { return g.names.empty() ? g.ids.size() : g.names.size(); }

TEST(read_pairs, reads_ids_and_names_in_the_order_of_the_file) {
  test_graphs::for_each_result_graph([](const result_graph& g) {
    const std::size_t vertices = vertices_of(g);
    if (vertices == 0) return;
    std::vector<vertex_pair> pairs;
    for (std::uint64_t k = 0; k < 300; ++k) pairs.push_back({k * 7919 % vertices, k * k % vertices});
    pairs.push_back(pairs[5]);
    const scratch_file file(text_of(g, pairs), ".txt");
    const auto read = read_pairs(g.graph, file.path);
    ASSERT_TRUE(read.ok()) << read.status().message();
    EXPECT_EQ(pairs_at_core_0(read.value()), pairs);
  });
}

TEST(read_pairs, names_a_vertex_that_the_graph_does_not_have) {
  test_graphs::for_each_result_graph([](const result_graph& g) {
    if (vertices_of(g) == 0) return;
    std::uint64_t absent = 0;
    while (std::ranges::binary_search(g.ids, absent)) ++absent;
    const std::string wrong = g.names.empty() ? std::to_string(absent) : "nobody";
    const scratch_file file(text_of(g, {{0, 0}}) + g.label(0) + " " + wrong + "\n", ".txt");
    const auto read = read_pairs(g.graph, file.path);
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.status().code(), exit_status::bad_data);
    EXPECT_NE(read.status().message().find(wrong), std::string::npos) << read.status().message();
    EXPECT_NE(read.status().message().find("pass pairs of its vertices"), std::string::npos);
  });
}

TEST(read_pairs, fails_as_reading_a_graph_does) {
  const result_graph g{test_graphs::build(test_graphs::all()[1], {}), {}, {}};
  EXPECT_EQ(read_pairs(g.graph, "/absent/pairs.txt").status().code(), exit_status::no_input);
  const scratch_file file("0 1\n0 x\n", ".txt");
  EXPECT_EQ(read_pairs(g.graph, file.path).status().code(), exit_status::bad_data);
  g.graph.destroy();
}

}  // namespace
}  // namespace orujo::internal::results
