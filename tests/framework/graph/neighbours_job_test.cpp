#include "framework/graph/neighbours.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "system/base/random.hpp"
#include "system/containers/symmetric.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::internal::graph {
namespace {

std::uint64_t hash_of(std::uint64_t source, std::uint64_t target, float weight) {
  return mix64(mix64(mix64(source) + target) + static_cast<std::uint64_t>(weight * 1000));
}

build_options with_rows(bool arcs) {
  build_options options;
  options.keep = {.in_vectors = false, .in_rows = true, .out_rows = true};
  options.keep.arcs = arcs;
  return options;
}

// Both directions of every row, with weights.
void expect_all_edges(std::size_t index, const build_options& options) {
  const distributed_graph graph = test_graphs::build(index, options);
  const test_graphs::expected_graph expected(test_graphs::all()[index], options);
  std::uint64_t hash = 0;
  for (const test_graphs::plain_edge& e : expected.edges)
    hash += hash_of(graph.here().numbers.number(e.source), graph.here().numbers.number(e.target), e.weight);
  struct hashes {
    std::uint64_t out = 0, in = 0, vertices = 0, unordered = 0;
  };
  const auto found = containers::symmetric<hashes>::create();
  loops::forall(graph, [=](const vertex& v) {
    hashes& mine = found.here();
    ++mine.vertices;
    const adjacent_vertex* before = nullptr;
    adjacent_vertex last{};
    for (const adjacent_vertex& to : out_neighbours(v)) {
      mine.out += hash_of(v.number(), to.number, to.weight);
      mine.unordered += before != nullptr && to < last;
      last = to;
      before = &last;
    }
    for (const auto [number, weight] : in_neighbours(v)) mine.in += hash_of(number, v.number(), weight);
    mine.unordered += out_neighbours(v).size() != v.out_degree || in_neighbours(v).size() != v.in_degree();
  });
  EXPECT_EQ(delegates::sum_of_all([=] { return found.here().vertices; }), expected.ids.size());
  EXPECT_EQ(delegates::sum_of_all([=] { return found.here().out; }), hash);
  EXPECT_EQ(delegates::sum_of_all([=] { return found.here().in; }), hash);
  EXPECT_EQ(delegates::sum_of_all([=] { return found.here().unordered; }), 0u);
  found.destroy();
  graph.destroy();
}

TEST(neighbours, are_those_of_the_edges) {
  for (const std::size_t g : test_graphs::places_in_turn()) {
    SCOPED_TRACE(test_graphs::all()[g].name);
    for (const bool arcs : {false, true}) expect_all_edges(g, with_rows(arcs));
  }
}

TEST(neighbours, values_come_from_wherever_vertices_live) {
  for (const std::size_t g : test_graphs::places_in_turn()) {
    SCOPED_TRACE(test_graphs::all()[g].name);
    const distributed_graph graph = test_graphs::build(g, with_rows(false));
    const auto values = property<std::uint64_t>::create(graph);
    loops::forall(graph, [=](const vertex& v) { values[v] = mix64(v.number()); });
    const std::uint64_t n = graph.here().vertices;
    loops::on_all_cores([=] {
      random_stream random(3, static_cast<std::uint64_t>(my_core()));
      std::vector<std::uint64_t> numbers(n ? 1000 : 0), found(numbers.size());
      for (auto& number : numbers) number = random.below(n);
      gather_values(graph, values, numbers, std::span(found));
      std::size_t wrong = 0;
      for (std::size_t k = 0; k < numbers.size(); ++k) wrong += found[k] != mix64(numbers[k]);
      EXPECT_EQ(wrong, 0u);
    });
    values.destroy();
    graph.destroy();
  }
}

}  // namespace
}  // namespace orujo::internal::graph
