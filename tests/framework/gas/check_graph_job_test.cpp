// Vertex programs of every kind, edge maps and vertex sets, on graphs that keep their edges in every
// combination of forms.
#include "framework/gas/check_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "framework/gas/edge_map.hpp"
#include "framework/gas/run.hpp"
#include "framework/verify/breadth_first_search_oracle.hpp"
#include "framework/verify/shortest_paths_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"
#include "tests/framework/length_program.hpp"

namespace orujo::internal::gas {
namespace {

using steps::direction;
using test_graphs::expected_graph;
using test_graphs::kept_graph;

// Runs on vectors; with rows it also pushes and, on one locale, sweeps.
struct lengths_on_vectors : test_graphs::length_program<100> {
  static constexpr bool improves = false, asynchronous = true;
  bool apply(const vertex&, value total, value& shown, aggregate&) {
    if (total >= shown) return false;
    shown = total;
    return true;
  }
};

// Runs on rows of out-edges, and pushes.
using lengths_in_order = test_graphs::lengths_in_order<100>;

// Runs on rows, and reports their order.
struct row_hashes {
  using value = std::uint64_t;  // the vertex number
  using aggregate = nothing;
  static value add(value hash, std::uint64_t number, float weight) {
    return hash * 1'000'003 + number * 31 + static_cast<std::uint64_t>(weight);
  }
  value start(const vertex& v, aggregate&) { return v.number(); }
  value collect(const vertex&, value, const neighbours<value>& all) {
    value hash = 0;
    for (const auto& [number, weight] : all) hash = add(hash, number, weight);
    return hash;
  }
  bool apply(const vertex&, value total, value& shown, aggregate&) {
    shown = total;
    return false;
  }
};

// Runs on the rows of both directions.
struct two_way_row_hashes : row_hashes {
  value collect(const vertex&, value, const neighbours<value>& in, const neighbours<value>& out) {
    value hash = 0;
    for (const auto& [number, weight] : in) hash = add(hash, number, weight);
    for (const auto& [number, weight] : out) hash = add(hash, number, weight);
    return hash;
  }
};

// A search: how far away vertex 100 is.
struct hops {
  using value = std::uint32_t;
  static constexpr auto combine = any{};
  using aggregate = nothing;
  template <class V>
  V gather(V shown, V) const {
    return shown + V{1};
  }
  bool starts(const vertex& v) const { return v.number() == 100; }
  value start(const vertex&, aggregate&) { return 0; }
  bool apply(const vertex&, value total, value& shown, aggregate&) {
    shown = total;
    return true;
  }
};

// The same search by sources; a property has the hops.
struct hops_by_sources {
  using value = source;
  static constexpr auto combine = any{};
  using aggregate = nothing;
  bool starts(const vertex& v) const { return v.number() == 100; }
  void start(const vertex& v, aggregate&) { found[v] = starts(v) ? 0 : any::identity<std::uint32_t>(); }
  bool next(int superstep, const aggregate&) {
    level = static_cast<std::uint32_t>(superstep) + 1;
    return true;
  }
  bool apply(const vertex& v, const source&, aggregate&) {
    found[v] = level;
    return true;
  }
  property<std::uint32_t> found;
  std::uint32_t level = 0;
};

// Returns what vertices show after a run.
template <class Program>
std::vector<typename Program::value> shown_after_run(const kept_graph& kept,
                                                     const run_options& options = {}) {
  const auto shown = property<typename Program::value>::create(kept.handle);
  Program program;
  run(program, kept.handle, shown, options);
  const auto all = test_graphs::by_vertex_number(shown);
  shown.destroy();
  return all;
}

// By vertex: of its in-edges, or out-edges, ascending by number and then weight.
std::vector<std::uint64_t> hashes_of(const kept_graph& kept, bool both_ways) {
  const std::vector<test_graphs::plain_edge> edges =
      expected_graph(*kept.whole, {.symmetrize = kept.symmetrized}).edges;
  struct end {
    std::uint64_t number;
    float weight;
    auto operator<=>(const end&) const = default;
  };
  std::vector<std::vector<end>> in(kept.simple->vertex_count()), out(in.size());
  for (const test_graphs::plain_edge& e : edges) {
    in[e.target].push_back({e.source, e.weight});
    out[e.source].push_back({e.target, e.weight});
  }
  std::vector<std::uint64_t> hashes(in.size());
  for (std::size_t v = 0; v < hashes.size(); ++v) {
    for (auto* row : {&in[v], &out[v]}) {
      if (row == &out[v] && !both_ways) continue;
      std::ranges::sort(*row);
      for (const end& e : *row) hashes[v] = row_hashes::add(hashes[v], e.number, e.weight);
    }
  }
  return hashes;
}

TEST(check_graph, lets_programs_on_vectors_find_the_same_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_program_in_all_forms<lengths_on_vectors>(symmetrized, [](const kept_graph& kept) {
      const std::vector<float> right = verify::shortest_paths<float>(*kept.simple, 100);
      for (const direction way : {direction::automatic, direction::pull, direction::push}) {
        if (way == direction::push && !kept.keeps({.out_rows = true})) continue;
        EXPECT_EQ(shown_after_run<lengths_on_vectors>(kept, {.direction = {way}}), right);
      }
    });
  }
}

TEST(check_graph, lets_programs_by_priority_find_the_same_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_program_in_all_forms<lengths_in_order>(symmetrized, [](const kept_graph& kept) {
      EXPECT_EQ(shown_after_run<lengths_in_order>(kept), verify::shortest_paths<float>(*kept.simple, 100));
    });
  }
}

TEST(check_graph, lets_programs_on_rows_see_them_in_one_order_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_program_in_all_forms<row_hashes>(symmetrized, [](const kept_graph& kept) {
      EXPECT_EQ(shown_after_run<row_hashes>(kept, {.most_supersteps = 1}), hashes_of(kept, false));
    });
    test_graphs::expect_program_in_all_forms<two_way_row_hashes>(symmetrized, [](const kept_graph& kept) {
      EXPECT_EQ(shown_after_run<two_way_row_hashes>(kept, {.most_supersteps = 1}), hashes_of(kept, true));
    });
  }
}

std::vector<std::uint32_t> right_hops(const kept_graph& kept) {
  std::vector<std::uint32_t> right;
  for (const std::int64_t level : verify::search_levels(*kept.simple, 100))
    right.push_back(level == verify::unreached ? any::identity<std::uint32_t>()
                                               : static_cast<std::uint32_t>(level));
  return right;
}

TEST(check_graph, lets_searches_find_the_same_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_program_in_all_forms<hops>(symmetrized, [](const kept_graph& kept) {
      const std::vector<std::uint32_t> right = right_hops(kept);
      for (const direction way : {direction::pull, direction::push})
        EXPECT_EQ(shown_after_run<hops>(kept, {.direction = {way}}), right);
    });
    test_graphs::expect_program_in_all_forms<hops_by_sources>(symmetrized, [](const kept_graph& kept) {
      const std::vector<std::uint32_t> right = right_hops(kept);
      const auto found = property<std::uint32_t>::create(kept.handle);
      hops_by_sources program{found};
      run(program, kept.handle);
      EXPECT_EQ(test_graphs::by_vertex_number(found), right);
      found.destroy();
    });
  }
}

// The lightest edge from a member.
struct lightest_edge {
  using value = float;
  static constexpr auto combine = minimum{};
  value show(const vertex&) const { return 0; }
  value gather(value, float weight) const { return weight; }
  bool visit(const vertex& v, value total) {
    found[v] = total;
    return true;
  }
  property<float> found;
};

// From every third vertex.
void expect_lightest_edges(const kept_graph& kept, direction way) {
  std::vector<std::uint64_t> members;
  for (std::uint64_t n = 0; n < kept.simple->vertex_count(); n += 3) members.push_back(n);
  std::vector<float> right(kept.simple->vertex_count(), -1);
  for (const auto& e : expected_graph(*kept.whole, {.symmetrize = kept.symmetrized}).edges) {
    if (e.source % 3 == 0)
      right[e.target] = right[e.target] < 0 ? e.weight : std::min(right[e.target], e.weight);
  }
  const auto found = property<float>::create(kept.handle);
  loops::on_all_cores(
      [=, graph = kept.handle] { std::ranges::fill(graph.here().my_part().of(found.here()), -1.0f); });
  const vertex_set from = vertex_set::of(kept.handle, members);
  const vertex_set to = edge_map(from, lightest_edge{found}, {.direction = {way}});
  EXPECT_EQ(test_graphs::by_vertex_number(found), right);
  EXPECT_EQ(to.size(), right.size() - static_cast<std::size_t>(std::ranges::count(right, -1.0f)));
  found.destroy();
}

TEST(check_graph, lets_edge_maps_find_the_same_whatever_else_the_graph_keeps) {
  for (const kept_graph& kept : test_graphs::in_all_forms()) {
    SCOPED_TRACE(kept.name());
    EXPECT_EQ(vertex_set::all(kept.handle).out_edges(),
              expected_graph(*kept.whole, {.symmetrize = kept.symmetrized}).edges.size());
    const bool pushes = kept.keeps({.out_rows = true}) && (locales() == 1 || kept.handle.here().in_rows),
               pulls = kept.keeps({.in_rows = true});
    for (const direction way : {direction::push, direction::pull, direction::automatic}) {
      if ((pushes && way != direction::pull) || (pulls && way != direction::push)) {
        expect_lightest_edges(kept, way);
      } else {
        const std::string said =
            test_graphs::refusal_of([&] { detail::check_rows(kept.handle.here(), way); });
        EXPECT_NE(said.find("the graph does not keep them in arrays: load it with gas::forms_for_maps"),
                  said.npos)
            << said;
      }
    }
  }
}

}  // namespace
}  // namespace orujo::internal::gas
