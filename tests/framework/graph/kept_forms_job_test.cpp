#include "framework/graph/kept_forms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "framework/graph/edge_property.hpp"
#include "framework/graph/graph_facts.hpp"
#include "framework/graph/look_up.hpp"
#include "framework/graph/transposed.hpp"
#include "system/delegates/call_on_all.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"

namespace orujo::internal::graph {
namespace {

using test_graphs::kept_graph;

TEST(kept_forms, say_what_a_graph_lacks_and_all_that_it_needs) {
  const distributed_graph graph = test_graphs::build(
      {"edge", {{{0, 1}}, {2}}, {}}, {.keep = {.in_vectors = false, .out_rows = true, .arcs = true}});
  const auto said = [&](const needed_forms& needed, std::string_view load_by = {}) {
    return test_graphs::refusal_of([&] { require_forms(graph.here(), needed, "it:", load_by); });
  };
  EXPECT_EQ(said({.out_rows = true, .in_arrays = false}), "nothing");
  EXPECT_EQ(
      said({.out_rows = true}),
      "it: the graph keeps no rows of out-edges in arrays: load it with edge_forms.out_rows, without arcs");
  EXPECT_EQ(said({.in_rows = true, .out_rows = true, .in_arrays = false}),
            "it: the graph keeps no rows of in-edges: load it with edge_forms.in_rows and out_rows");
  EXPECT_EQ(said({.in_vectors = true}, "by name, or "),
            "it: the graph keeps no vectors of in-edges: load it by name, or with edge_forms.in_vectors");
  EXPECT_EQ(said({}), "nothing");
  graph.destroy();
}

// Counts the rows of the calling core's vertices that do not ascend by number.
std::uint64_t disordered(const locale_graph& g) {
  std::uint64_t found = 0;
  for (const auto& rows : {g.in_rows, g.out_rows}) {
    for (std::uint32_t v = g.my_part().first; rows && v < g.my_part().last; ++v) {
      bool ascends = true;
      for (std::uint64_t k = rows->offsets[v] + 1; k < rows->offsets[v + 1]; ++k) {
        const arc before = rows->edge_at(k - 1), here = rows->edge_at(k);
        const std::pair a(g.number_of(before.neighbour), before.weight);
        ascends = ascends && a <= std::pair(g.number_of(here.neighbour), here.weight);
      }
      found += ascends ? 0 : 1;
    }
    found += !rows || rows_ascend(g, *rows, g.my_part()) ? 0 : 1;
  }
  return found;
}

TEST(kept_forms, have_rows_in_one_order) {
  for (const kept_graph& kept : test_graphs::in_all_forms()) {
    EXPECT_EQ(delegates::sum_of_all([graph = kept.handle] { return disordered(graph.here()); }), 0u)
        << kept.name();
    const bool has_rows = kept.forms.in_rows || kept.forms.out_rows;
    EXPECT_EQ(kept.symmetrized && has_rows,
              kept.handle.here().in_rows && kept.handle.here().in_rows == kept.handle.here().out_rows);
  }
}

TEST(kept_forms, do_not_show_in_the_facts_of_a_graph) {
  std::map<std::pair<const void*, bool>, std::vector<checkpoint::fact>> known;
  for (const kept_graph& kept : test_graphs::in_all_forms()) {
    if (!kept.forms.in_vectors && !kept.forms.in_rows && !kept.forms.out_rows) continue;
    const std::vector<checkpoint::fact> facts =
        loops::on_all_cores([graph = kept.handle] { return graph::graph_facts(graph.here()); });
    const auto [first, is_new] = known.try_emplace({kept.whole, kept.symmetrized}, facts);
    for (std::size_t k = 0; k < facts.size(); ++k) EXPECT_EQ(facts[k], first->second[k]) << kept.name();
  }
}

TEST(kept_forms, do_not_matter_where_vertices_are_looked_up) {
  for (const kept_graph& kept : test_graphs::in_all_forms()) {
    SCOPED_TRACE(kept.name());
    std::vector<adjacent_vertex> out, in;
    const test_graphs::expected_graph expected(*kept.whole, {.symmetrize = kept.symmetrized});
    for (const test_graphs::plain_edge& e : expected.edges) {
      if (e.source == 100) out.push_back({e.target, e.weight});
      if (e.target == 100) in.push_back({e.source, e.weight});
    }
    std::ranges::sort(out);
    std::ranges::sort(in);
    const bool has_out = kept.keeps({.out_rows = true, .in_arrays = false}),
               has_in = kept.keeps({.in_rows = true, .in_arrays = false});
    if (has_out) {
      EXPECT_EQ(out_neighbours(kept.handle, 100), out);
    } else {
      EXPECT_TRUE(test_graphs::is_refused("out_neighbours", [&] { out_neighbours(kept.handle, 100); }));
    }
    if (has_in) {
      EXPECT_EQ(in_neighbours(kept.handle, 100), in);
    } else {
      EXPECT_TRUE(test_graphs::is_refused("in_neighbours", [&] { in_neighbours(kept.handle, 100); }));
      EXPECT_TRUE(test_graphs::is_refused("edge_property",
                                          [&] { graph::edge_property<std::uint32_t>::create(kept.handle); }));
    }
    if (has_out || has_in) {
      for (std::uint64_t other = 0; other < expected.ids.size(); other += 9)
        EXPECT_EQ(has_edge(kept.handle, 100, other),
                  std::ranges::find(out, other, &adjacent_vertex::number) != out.end());
    } else {
      EXPECT_TRUE(test_graphs::is_refused("has_edge", [&] { has_edge(kept.handle, 100, 0); }));
    }
  }
}

}  // namespace
}  // namespace orujo::internal::graph
