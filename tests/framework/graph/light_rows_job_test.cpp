#include "framework/graph/light_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "framework/graph/mirror_rows.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::internal::graph {
namespace {

constexpr edge_forms kept{.in_vectors = false, .in_rows = true, .out_rows = true, .arcs = true};

// A graph whose vertices have `degree` out-edges in the mean; draw() returns a weight.
distributed_graph random_graph(std::uint64_t vertices, std::uint64_t degree, auto draw) {
  test_graphs::test_graph whole{"random", {}, vertices};
  random_stream random(5);
  for (std::uint64_t k = 0; k < vertices * degree; ++k) {
    whole.list.edges.push_back({random.below(vertices), random.below(vertices)});
    whole.list.weights.push_back(draw(random));
  }
  return test_graphs::build(whole, {.keep = kept});
}

using weighted = std::pair<std::uint32_t, float>;

std::vector<weighted> edges_of(const light_row& row, const machine::huge_array<arc>& edges) {
  std::vector<weighted> all;
  for (const arc& a : edges.part(row.first, row.first + row.count)) all.emplace_back(a.neighbour, a.weight);
  std::ranges::sort(all);
  return all;
}

TEST(light_rows, have_the_light_edges_to_own_vertices) {
  const distributed_graph graph =
      random_graph(3000, 30, [](random_stream& random) { return static_cast<float>(random.below(1000)); });
  loops::on_all_cores([=] {
    const locale_graph& g = graph.here();
    const auto light = find_light_rows(g);
    ASSERT_NE(light, nullptr);
    EXPECT_EQ(find_light_rows(g), light);
    EXPECT_GT(light->heaviest, 100);  // a fifth of all edges is light
    EXPECT_LT(light->heaviest, 300);
    for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
      std::vector<weighted> expected;
      float outer = std::numeric_limits<float>::infinity();
      for (std::uint64_t k = g.out_rows->offsets[v]; k < g.out_rows->offsets[v + 1]; ++k) {
        const arc a = g.out_rows->edge_at(k);
        if (a.neighbour >= g.own) outer = std::min(outer, a.weight);
        if (a.neighbour < g.own && a.weight <= light->heaviest) expected.emplace_back(a.neighbour, a.weight);
      }
      std::ranges::sort(expected);
      EXPECT_EQ(edges_of(light->of_own[v], light->own_edges), expected);
      EXPECT_EQ(light->of_own[v].degree, g.out_rows->degree(v));
      EXPECT_EQ(light->of_own[v].lightest_outer, outer);
    }
    if (locales() == 1) return;
    const auto whole = turn_mirror_rows<arc>(g);
    for (std::uint32_t m = 0; m < g.mirrors; ++m) {
      std::vector<weighted> expected;
      for (const arc& a : whole->of(m)) {
        if (a.weight <= light->heaviest) expected.emplace_back(a.neighbour, a.weight);
      }
      std::ranges::sort(expected);
      EXPECT_EQ(edges_of(light->of_mirrors[m], light->mirrors_edges), expected);
    }
  });
  graph.destroy();
}

TEST(light_rows, are_not_made_where_they_are_of_no_use) {
  const auto is_null = [](const distributed_graph& graph) {
    loops::on_all_cores([=] { EXPECT_EQ(find_light_rows(graph.here()), nullptr); });
    graph.destroy();
  };
  const auto any = [](random_stream& random) { return static_cast<float>(random.below(1000)); };
  is_null(random_graph(2000, 5, any));  // too few edges
  is_null(random_graph(2000, 30, [](random_stream&) { return 0.1f; }));
  is_null(random_graph(2000, 30, [](random_stream& random) { return random.below(50) == 0 ? 9.0f : 1.0f; }));
  is_null(random_graph(10, 0, any));
}

}  // namespace
}  // namespace orujo::internal::graph
