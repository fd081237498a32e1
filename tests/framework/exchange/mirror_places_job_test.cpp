#include "framework/exchange/mirror_places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "framework/graph/inner_rows.hpp"
#include "framework/graph/mirror_rows.hpp"
#include "system/delegates/delegate.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/collected_graph.hpp"

namespace orujo::internal::exchange {
namespace {

// Links collected at core 0. Vertices are given by position.
struct told_links {
  using mirrors =
      std::map<std::pair<locale_id, std::uint32_t>, std::uint64_t>;  // by locale and local index there

  mirrors by_owners, by_locales;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> edges;  // from, to
};

void tell_places(const graph::locale_graph& g, const mirror_places& places, told_links* to) {
  delegates::completion_event told;
  for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
    EXPECT_EQ(places.has(v), !places.of(v).empty());
    for (const auto& [core, index] : places.of(v)) {
      const locale_id there = shape().locale_of(core);
      const std::uint64_t position = g.position_of(v);
      delegates::async_call(told, 0, [=, index = index] {
        EXPECT_TRUE(to->by_owners.insert({{there, index}, position}).second);
      });
    }
  }
  told.wait();
}

void tell_edges(const graph::locale_graph& g, const graph::mirror_rows& rows, told_links* to) {
  delegates::completion_event told;
  const auto tell = [&](std::uint64_t from, std::uint64_t target) {
    delegates::async_call(told, 0, [=] { to->edges.emplace_back(from, target); });
  };
  for (std::uint32_t v = 0; v < g.own; ++v) {
    for (const std::uint32_t source : g.in_rows->of(v)) {
      if (source < g.own) tell(g.position_of(source), g.position_of(v));
    }
  }
  for (std::uint32_t m = 0; m < g.mirrors; ++m) {
    const std::uint64_t from = g.position_of(g.own + m);
    delegates::async_call(told, 0, [=, here = my_locale(), index = g.own + m] {
      to->by_locales[{here, index}] = from;
    });
    for (const std::uint32_t target : rows.of(m)) tell(from, g.position_of(target));
  }
  told.wait();
}

TEST(mirror_places, are_all_mirrors_of_whom_rows_have_every_edge) {
  for (const std::size_t k : test_graphs::places_in_turn()) {
    for (const bool symmetrize : {false, true}) {
      SCOPED_TRACE(testing::Message() << test_graphs::all()[k].name << ", symmetrized " << symmetrize);
      const graph::distributed_graph handle = test_graphs::build(
          k, {.symmetrize = symmetrize, .keep = {.in_vectors = false, .in_rows = true, .out_rows = true}});
      told_links told;
      loops::on_all_cores([=, to = at_home(told)] {
        if (locales() == 1) return;
        const auto places = find_mirror_places(handle.here());
        EXPECT_EQ(find_mirror_places(handle.here()), places) << "they stay with the graph";
        const auto rows = graph::turn_mirror_rows(handle.here());
        EXPECT_EQ(graph::turn_mirror_rows(handle.here()), rows) << "likewise";
        tell_places(handle.here(), *places, to);
        if (leads_locale()) tell_edges(handle.here(), *rows, to);
      });
      EXPECT_EQ(told.by_owners, told.by_locales);
      std::vector<std::pair<std::uint64_t, std::uint64_t>> expected;
      for (const auto& e : test_graphs::collect_rows(handle).in) expected.emplace_back(e.source, e.target);
      std::sort(expected.begin(), expected.end());
      std::sort(told.edges.begin(), told.edges.end());
      EXPECT_TRUE(locales() == 1 || told.edges == expected);
      handle.destroy();
    }
  }
}

graph::arc arc_at(const graph::adjacency& rows, std::uint64_t k) {
  if (rows.arcs.size() > 0) return rows.arcs[k];
  return {rows.neighbours[k], rows.weights.size() > 0 ? rows.weights[k] : 1};
}

// Calls test(graph) on all cores, for graphs whose rows have arcs and for graphs whose rows have none.
template <class Test>
void with_rows_both_ways(Test test) {
  for (const std::size_t k : test_graphs::places_in_turn()) {
    for (const bool arcs : {false, true}) {
      SCOPED_TRACE(testing::Message() << test_graphs::all()[k].name << ", arcs " << arcs);
      const graph::distributed_graph handle = test_graphs::build(
          k, {.symmetrize = arcs,
              .keep = {.in_vectors = false, .in_rows = true, .out_rows = true, .arcs = arcs}});
      loops::on_all_cores([=] { test(handle.here()); });
      handle.destroy();
    }
  }
}

TEST(mirror_rows, have_weights_where_they_are_wanted) {
  with_rows_both_ways([](const graph::locale_graph& g) {
    if (!g.weighted) return;
    const auto rows = graph::turn_mirror_rows<graph::arc>(g);
    EXPECT_EQ(graph::turn_mirror_rows<graph::arc>(g), rows) << "they stay with the graph";
    if (!leads_locale()) return;
    std::vector<std::tuple<std::uint32_t, std::uint32_t, float>> found, expected;  // mirror, vertex, weight
    for (std::uint32_t m = 0; m < g.mirrors; ++m)
      for (const auto& [target, weight] : rows->of(m)) found.emplace_back(g.own + m, target, weight);
    for (std::uint32_t v = 0; v < g.own; ++v) {
      for (std::uint64_t k = g.in_rows->offsets[v]; k < g.in_rows->offsets[v + 1]; ++k) {
        const graph::arc in = arc_at(*g.in_rows, k);
        if (in.neighbour >= g.own) expected.emplace_back(in.neighbour, v, in.weight);
      }
    }
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(found, expected);
  });
}

using edge_at_mirror = std::tuple<std::uint32_t, std::uint32_t, float>;  // mirror, vertex, weight

// Edges of this locale, at its first core.
std::vector<edge_at_mirror> edges_from_mirrors(const graph::locale_graph& g) {
  std::vector<edge_at_mirror> found;
  const auto rows = graph::turn_mirror_rows<graph::arc>(g);
  for (std::uint32_t m = 0; m < g.mirrors && leads_locale(); ++m)
    for (const auto& [target, weight] : rows->of(m)) found.emplace_back(m, target, weight);
  std::sort(found.begin(), found.end());
  return found;
}

TEST(mirror_rows, are_the_same_of_vectors_and_of_rows) {
  for (const std::size_t k : test_graphs::places_in_turn()) {
    SCOPED_TRACE(test_graphs::all()[k].name);
    const graph::distributed_graph by_rows = test_graphs::build(
                                       k, {.keep = {.in_vectors = false, .in_rows = true}}),
                                   by_vectors = test_graphs::build(k, {.keep = {.in_vectors = true}});
    loops::on_all_cores(
        [=] { EXPECT_EQ(edges_from_mirrors(by_vectors.here()), edges_from_mirrors(by_rows.here())); });
    by_rows.destroy();
    by_vectors.destroy();
  }
}

TEST(mirror_rows, are_turned_the_other_way_round_too) {
  with_rows_both_ways([](const graph::locale_graph& g) {
    const auto rows = graph::turn_rows_to_mirrors(g);
    EXPECT_EQ(graph::turn_rows_to_mirrors(g), rows) << "they stay with the graph";
    if (!leads_locale()) return;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found, expected;  // mirror, vertex
    for (std::uint32_t m = 0; m < g.mirrors; ++m)
      for (const std::uint32_t from : rows->of(m)) found.emplace_back(g.own + m, from);
    for (std::uint32_t v = 0; v < g.own; ++v) {
      for (std::uint64_t k = g.out_rows->offsets[v]; k < g.out_rows->offsets[v + 1]; ++k) {
        const std::uint32_t to = arc_at(*g.out_rows, k).neighbour;
        if (to >= g.own) expected.emplace_back(to, v);
      }
    }
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(found, expected);
  });
}

TEST(inner_rows, are_the_own_vertices_of_rows_and_the_lightest_of_the_others) {
  with_rows_both_ways([](const graph::locale_graph& g) {
    const auto inner = graph::find_inner_rows(g);
    EXPECT_EQ(graph::find_inner_rows(g), inner) << "they stay with the graph";
    ASSERT_EQ(inner->size(), g.own);
    for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
      const graph::inner_row& row = (*inner)[v];
      float lightest = std::numeric_limits<float>::infinity();
      for (std::uint64_t k = g.out_rows->offsets[v]; k < g.out_rows->offsets[v + 1]; ++k) {
        const graph::arc out = arc_at(*g.out_rows, k);
        EXPECT_EQ(out.neighbour < g.own, k >= row.first && k < row.first + row.count);
        if (out.neighbour >= g.own) lightest = std::min(lightest, out.weight);
      }
      EXPECT_EQ(row.lightest_outer, lightest);
    }
  });
}

}  // namespace
}  // namespace orujo::internal::exchange
