// Searches by edge maps: the vertices reached from a set, their parents, and searches restricted to
// some vertices.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "framework/gas/edge_map.hpp"
#include "framework/graph/property.hpp"
#include "framework/graph/vertex_map.hpp"
#include "tests/framework/job_property.hpp"
#include "tests/framework/serial_levels.hpp"

namespace orujo::internal::gas {
namespace {

using graph::property;
using test_graphs::expected_graph;

// One in-neighbour is as good as another.
struct parents {
  using value = std::uint32_t;
  static constexpr auto combine = any{};
  value show(const vertex& v) const { return static_cast<value>(v.number()); }
  bool wants(const vertex& v) const { return parent[v] == 0; }
  bool visit(const vertex& v, value from) {
    parent[v] = from + 1;
    return true;
  }
  property<std::uint32_t> parent;  // + 1
};

// The same search, restricted to the members of a set by edge_map_options.out_of.
struct parents_of_unseen {
  using value = std::uint32_t;
  static constexpr auto combine = any{};
  value show(const vertex& v) const { return static_cast<value>(v.number()); }
  bool visit(const vertex& v, value from) {
    EXPECT_EQ(parent[v], 0u);
    parent[v] = from + 1;
    return true;
  }
  property<std::uint32_t> parent;  // + 1
};

// The same search, in which members show their identity only.
struct sources_of_unseen {
  using value = source;
  static constexpr auto combine = any{};
  bool wants(const vertex& v) const { return parent[v] == 0; }
  bool visit(const vertex& v, const source& from) {
    parent[v] = static_cast<std::uint32_t>(from.number()) + 1;
    return true;
  }
  property<std::uint32_t> parent;  // + 1
};

constexpr std::uint32_t unreached = ~0u;
enum class asked { by_wants, of_sources, out_of_unseen };

void expect_levels(const steps::direction_options& direction, asked how = asked::by_wants) {
  const bool out_of_unseen = how == asked::out_of_unseen;
  for (const std::size_t g : test_graphs::places_in_turn()) {
    if (test_graphs::all()[g].name == "random_larger") continue;  // the serial search is slow
    SCOPED_TRACE(test_graphs::all()[g].name);
    graph::build_options options{};
    options.keep = forms_for_maps;
    const graph::distributed_graph graph = test_graphs::build(g, options);
    const expected_graph expected(test_graphs::all()[g], options);
    if (expected.ids.empty()) {
      graph.destroy();
      continue;
    }
    const auto right = test_graphs::serial_levels(expected, 0, unreached);
    const auto parent = property<std::uint32_t>::create(graph);
    vertex_set frontier = vertex_set::of(graph, {0});
    vertex_map(frontier, [parent](const vertex& v) { parent[v] = 1; });
    vertex_set unseen = subtract(vertex_set::all(graph), frontier);
    std::vector<std::uint32_t> level(right.size(), unreached);
    level[0] = 0;
    for (std::uint32_t now = 1; !frontier.empty(); ++now) {
      const edge_map_options options{.direction = direction, .out_of = out_of_unseen ? &unseen : nullptr};
      frontier = how == asked::by_wants     ? edge_map(frontier, parents{parent}, options)
                 : how == asked::of_sources ? edge_map(frontier, sources_of_unseen{parent}, options)
                                            : edge_map(frontier, parents_of_unseen{parent}, options);
      for (const std::uint64_t n : frontier.numbers()) {
        EXPECT_EQ(level[n], unreached);
        level[n] = now;
      }
    }
    EXPECT_EQ(level, right);
    if (out_of_unseen) {
      std::vector<std::uint64_t> left;
      for (std::uint64_t n = 0; n < right.size(); ++n) {
        if (right[n] == unreached) left.push_back(n);
      }
      EXPECT_EQ(unseen.numbers(), left);
      EXPECT_EQ(unseen.size(), left.size());
      const std::uint64_t out_edges = vertex_reduce(
          unseen, [](const vertex& v) { return std::uint64_t{v.out_degree}; },
          [](std::uint64_t a, std::uint64_t b) { return a + b; });
      EXPECT_EQ(unseen.out_edges(), out_edges);
    }
    const auto found = test_graphs::by_vertex_number(parent);
    for (std::uint64_t n = 1; n < right.size(); ++n) {
      if (right[n] == unreached) {
        EXPECT_EQ(found[n], 0u);
      } else {
        EXPECT_EQ(right[found[n] - 1] + 1, right[n]);
      }
    }
    parent.destroy();
    graph.destroy();
  }
}

TEST(edge_map, takes_any_neighbour_by_pushing) { expect_levels({steps::direction::push, 20}); }
TEST(edge_map, takes_any_neighbour_by_pulling) { expect_levels({steps::direction::pull, 20}); }
TEST(edge_map, takes_any_neighbour_in_turn) {
  expect_levels({steps::direction::automatic, 20});
  expect_levels({steps::direction::automatic, 2});
}
TEST(edge_map, tells_which_neighbour_it_is_and_no_more) {
  for (const auto wanted : {steps::direction::push, steps::direction::pull, steps::direction::automatic})
    expect_levels({wanted, 20}, asked::of_sources);
}
TEST(edge_map, visits_members_of_a_set_and_takes_them_out) {
  for (const auto wanted : {steps::direction::push, steps::direction::pull, steps::direction::automatic})
    expect_levels({wanted, 20}, asked::out_of_unseen);
}

}  // namespace
}  // namespace orujo::internal::gas
