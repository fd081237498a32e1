// Sets of vertices, and maps over their members.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

#include "framework/gas/edge_map.hpp"
#include "framework/graph/property.hpp"
#include "framework/graph/vertex_map.hpp"
#include "system/base/random.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::graph {
namespace {

using gas::edge_map, gas::forms_for_maps, gas::sum;

using numbers = std::vector<std::uint64_t>;

struct nobody {
  using value = std::uint32_t;
  static constexpr auto combine = sum{};
  value show(const vertex&) const { return 1; }
  bool visit(const vertex&, value) { return true; }
};

template <class Test>
void on_graphs(Test test) {
  for (const std::size_t g : test_graphs::places_in_turn()) {
    SCOPED_TRACE(test_graphs::all()[g].name);
    graph::build_options options{.symmetrize = true};
    options.keep = forms_for_maps;
    const graph::distributed_graph graph = test_graphs::build(g, options);
    test(graph, graph.here().vertices);
    graph.destroy();
  }
}

numbers some_of(std::uint64_t vertices, std::uint64_t one_in, std::uint64_t seed) {
  numbers some;
  for (std::uint64_t n = 0; n < vertices; ++n) {
    if (mix64(n ^ seed << 32) % one_in == 0) some.push_back(n);
  }
  return some;
}

TEST(vertex_set, has_the_members_that_it_is_made_of) {
  on_graphs([](graph::distributed_graph graph, std::uint64_t vertices) {
    numbers every(vertices);
    std::iota(every.begin(), every.end(), 0);
    EXPECT_EQ(vertex_set::all(graph).numbers(), every);
    EXPECT_EQ(vertex_set::all(graph).out_edges(), graph.here().edges);
    EXPECT_TRUE(vertex_set::none(graph).empty());
    EXPECT_EQ(vertex_set::none(graph).numbers(), numbers());
    numbers some = some_of(vertices, 3, 5);
    const numbers sorted = some;
    std::reverse(some.begin(), some.end());
    some.insert(some.end(), sorted.begin(), sorted.end());
    EXPECT_EQ(vertex_set::of(graph, some).numbers(), sorted);
    EXPECT_EQ(vertex_set::of(graph, some).size(), sorted.size());
  });
}

// As lists, and as masks: as a pull leaves them.
TEST(vertex_set, is_united_intersected_and_subtracted_as_sorted_lists_are) {
  on_graphs([](graph::distributed_graph graph, std::uint64_t vertices) {
    const numbers a = some_of(vertices, 2, 1), b = some_of(vertices, 3, 2);
    const vertex_set set_a = vertex_set::of(graph, a), set_b = vertex_set::of(graph, b);
    const vertex_set heard = edge_map(set_a, nobody{}, {.direction = {steps::direction::pull}});
    const numbers c = heard.numbers();
    const auto expect = [](const vertex_set& set, const numbers& x, const numbers& y, auto combine) {
      numbers right;
      combine(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(right));
      EXPECT_EQ(set.numbers(), right);
      EXPECT_EQ(set.size(), right.size());
    };
    const auto either = [](auto... all) { std::set_union(all...); };
    const auto both = [](auto... all) { std::set_intersection(all...); };
    const auto first_only = [](auto... all) { std::set_difference(all...); };
    expect(unite(set_a, set_b), a, b, either);
    expect(intersect(set_a, set_b), a, b, both);
    expect(subtract(set_a, set_b), a, b, first_only);
    expect(subtract(set_b, heard), b, c, first_only);
    expect(unite(heard, vertex_set::none(graph)), c, {}, either);
    expect(subtract(heard, heard), c, c, first_only);
    EXPECT_EQ(unite(set_a, subtract(vertex_set::all(graph), set_a)).out_edges(), graph.here().edges);
  });
}

// As a list, as a mask, as both and as neither.
TEST(vertex_set, is_copied_and_changes_apart_from_its_copy) {
  on_graphs([](graph::distributed_graph graph, std::uint64_t vertices) {
    const vertex_set list = vertex_set::of(graph, some_of(vertices, 2, 1));
    const vertex_set both = vertex_set::of(graph, some_of(vertices, 3, 2));
    (void)intersect(both, both);
    const auto expect_copied = [&](const vertex_set& set) {
      const numbers members = set.numbers();
      vertex_set copied = set.copy();
      EXPECT_EQ(copied.numbers(), members);
      EXPECT_EQ(copied.size(), members.size());
      EXPECT_EQ(copied.out_edges(), set.out_edges());
      edge_map(vertex_set::all(graph), nobody{}, {.out_of = &copied});
      EXPECT_EQ(set.numbers(), members);
      EXPECT_LE(copied.size(), members.size());
    };
    expect_copied(list);
    expect_copied(both);
    expect_copied(vertex_set::all(graph));
    expect_copied(vertex_set::none(graph));
  });
}

TEST(vertex_map, is_called_once_for_every_member) {
  on_graphs([](graph::distributed_graph graph, std::uint64_t vertices) {
    const auto calls = property<std::uint32_t>::create(graph);
    const numbers some = some_of(vertices, 4, 9);
    vertex_map(vertex_set::of(graph, some), [calls](const vertex& v) { calls[v] += 1; });
    vertex_map(vertex_set::all(graph), [calls](const vertex& v) { calls[v] += 2; });
    vertex_map(vertex_set::none(graph), [calls](const vertex& v) { calls[v] += 100; });
    const auto found = test_graphs::by_vertex_number(calls);
    for (std::uint64_t n = 0; n < vertices; ++n)
      ASSERT_EQ(found[n], std::binary_search(some.begin(), some.end(), n) ? 3u : 2u) << n;
    calls.destroy();
  });
}

TEST(vertex_map, filters_and_reduces) {
  on_graphs([](graph::distributed_graph graph, std::uint64_t vertices) {
    for (const std::uint64_t one_in : {1, 50}) {
      const numbers some = some_of(vertices, one_in, 3);
      const vertex_set set = vertex_set::of(graph, some);
      numbers even;
      std::copy_if(some.begin(), some.end(), std::back_inserter(even), [](auto n) { return n % 2 == 0; });
      const vertex_set kept = vertex_filter(set, [](const vertex& v) { return v.number() % 2 == 0; });
      EXPECT_EQ(kept.numbers(), even);
      EXPECT_EQ(kept.size(), even.size());
      EXPECT_EQ(vertex_reduce(set, [](const vertex& v) { return v.number(); }),
                std::accumulate(some.begin(), some.end(), std::uint64_t{0}));
      const auto larger = [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); };
      EXPECT_EQ(vertex_reduce(
                    set, [](const vertex& v) { return v.number(); }, larger),
                some.empty() ? 0 : some.back());
      EXPECT_EQ(vertex_reduce(kept, [](const vertex& v) { return v.out_degree; }), kept.out_edges());
    }
  });
}

TEST(vertex_set, uses_the_memory_of_those_that_are_gone) {
  on_graphs([](graph::distributed_graph graph, std::uint64_t) {
    std::uint32_t first;
    {
      const vertex_set set = vertex_set::all(graph);
      first = set.name().number;
      const vertex_set other = vertex_set::all(graph);
      EXPECT_NE(other.name().number, first);
    }
    vertex_set a = vertex_set::none(graph);
    vertex_set b = std::move(a);
    EXPECT_LE(b.name().number, first + 1);
    b = vertex_set::all(graph);
    EXPECT_EQ(b.out_edges(), graph.here().edges);
  });
}

}  // namespace
}  // namespace orujo::internal::graph
