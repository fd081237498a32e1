// Sums at vertices with very many in-edges, by every way that contributions may take, are as exact as
// promised.
#include "framework/vectors/sum_rounding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "framework/gas/edge_map.hpp"
#include "framework/gas/run.hpp"
#include "tests/framework/hub_graphs.hpp"
#include "tests/framework/job_property.hpp"
#include "tests/system/machine/all_isa.hpp"

namespace orujo::internal::vectors {
namespace {

using gas::edge_map, gas::nothing, gas::run, gas::run_report, gas::scalar_program, gas::sum;
using graph::property, graph::vertex, graph::vertex_set;
using test_graphs::test_graph;

// All alike, so that what is rounded away adds up, or all different.
float shown_by(std::uint64_t number, bool alike) {
  return alike ? 0.1f / 3 : static_cast<float>(1 + mix64(number) % 1'000'000) * 0x1.23456p-30f;
}

// One superstep in which every vertex sums what its in-neighbours show.
struct sum_at_vectors {
  using value = float;
  static constexpr auto combine = sum{};
  using aggregate = nothing;
  template <class V>
  V gather(V shown, V) const {
    return shown;
  }
  float start(const vertex& v, aggregate&) { return shown_by(v.number(), alike); }
  bool apply(const vertex& v, float total, float&, aggregate&) {
    totals.here()[v.local] = total;
    return false;
  }
  property<float> totals;
  bool alike;
};

// The same sum by a scalar program.
struct sum_at_rows : sum_at_vectors {
  using accumulator = float;
  float gather(const float& shown, float) const { return shown; }
};
static_assert(scalar_program<sum_at_rows> && vectors::pull_program<sum_at_vectors>);

// The same in a second superstep, to which the vertices show something first: changes, which may be pushed.
struct sum_of_changes : sum_at_vectors {
  static constexpr bool incremental = true, deltas = true;
  float start(const vertex&, aggregate&) { return 0; }
  bool apply(const vertex& v, float total, float& shown, aggregate&) {
    if (step == 0) shown = shown_by(v.number(), alike);
    totals.here()[v.local] = total;
    return step == 0;
  }
  bool next(int superstep, const aggregate&) {
    step = superstep;
    return true;
  }
  int step = 0;
};

struct sum_of_visits {
  using value = float;
  static constexpr auto combine = sum{};
  float show(const vertex& v) const { return shown_by(v.number(), alike); }
  bool visit(const vertex& v, float total) {
    totals[v] = total;
    return false;
  }
  property<float> totals;
  bool alike;
};

std::vector<long double> exact_sums(const test_graph& whole, const graph::build_options& build, bool alike) {
  const test_graphs::expected_graph graph(whole, build);
  std::vector<long double> sums(graph.ids.size(), 0);
  for (const auto& e : graph.edges) sums[e.target] += static_cast<long double>(shown_by(e.source, alike));
  return sums;
}

// roundings: how often a contribution may be rounded.
void expect_near(const std::vector<float>& totals, const std::vector<long double>& exact, double roundings,
                 const std::string& what) {
  ASSERT_EQ(totals.size(), exact.size());
  for (std::size_t v = 0; v < exact.size(); ++v) {
    const auto right = static_cast<double>(exact[v]);
    ASSERT_NEAR(totals[v], right, roundings * 0x1p-24 * right) << what << ", vertex " << v;
  }
}

// Calls check(graph, room for its totals, whether all show alike, what is right, the graph's name).
template <class Check>
void for_each_hub(const graph::build_options& build, Check check) {
  for (const test_graph& whole : test_graphs::hubs()) {
    const graph::distributed_graph handle = test_graphs::build(whole, build);
    for (const bool alike : {false, true}) {
      const auto totals = property<float>::create(handle);
      check(handle, totals, alike, exact_sums(whole, build, alike), whole.name);
      totals.destroy();
    }
    handle.destroy();
  }
}

constexpr double most_edges = 2 * test_graphs::hub_edges;  // of one vertex

TEST(sum_rounding, is_bounded_in_pulls_over_vectors) {
  for (const std::size_t segments : {1, 3}) {
    for (const std::size_t chunk_vectors : {0, 7}) {
      graph::build_options build;
      build.segments = segments;
      for_each_hub(build, [&](auto graph, auto totals, bool alike, const auto& exact, const auto& name) {
        sum_at_vectors program{totals, alike};
        run(program, graph,
            {.most_supersteps = 1, .edges = {vectors::edge_schedule::usersched, chunk_vectors}});
        const double roundings = vectors::pull_roundings<float>(vectors::shape_of_sums(graph), most_edges);
        EXPECT_LE(roundings, 32 + 3 * (segments + locales()) + 1);
        expect_near(test_graphs::by_vertex_number(totals), exact, roundings,
                    name + ", segments " + std::to_string(segments));
      });
    }
  }
}

TEST(sum_rounding, is_the_same_on_every_instruction_set) {
  for_each_hub({}, [&](auto graph, auto totals, bool alike, const auto&, const auto& name) {
    std::vector<float> first;
    for (const auto set : test_isa::all()) {
      sum_at_vectors program{totals, alike};
      run(program, graph, {.most_supersteps = 1, .simd = set});
      const std::vector<float> found = test_graphs::by_vertex_number(totals);
      if (first.empty()) first = found;
      EXPECT_EQ(found, first) << name << ", " << machine::name_of(set);
    }
  });
}

TEST(sum_rounding, is_bounded_in_scalar_programs) {
  graph::build_options build;
  build.keep = {.in_vectors = false, .in_rows = true};
  for_each_hub(build, [&](auto graph, auto totals, bool alike, const auto& exact, const auto& name) {
    sum_at_rows program{{totals, alike}};
    run(program, graph, {.most_supersteps = 1});
    expect_near(test_graphs::by_vertex_number(totals), exact, vectors::row_roundings(most_edges), name);
  });
}

// A push rounds once where it sends to other locales, and once at the end.
TEST(sum_rounding, is_bounded_in_pushes) {
  graph::build_options build;
  build.keep.out_rows = true;
  for_each_hub(build, [&](auto graph, auto totals, bool alike, const auto& exact, const auto& name) {
    sum_of_changes program{{totals, alike}};
    const run_report report =
        run(program, graph, {.most_supersteps = 2, .direction = {steps::direction::push}});
    EXPECT_EQ(report.pushed, 1);
    expect_near(test_graphs::by_vertex_number(totals), exact, 2.1, name);
  });
}

TEST(sum_rounding, is_bounded_in_edge_maps) {
  graph::build_options build;
  build.keep = {.in_vectors = false, .in_rows = true, .out_rows = true};
  for_each_hub(build, [&](auto graph, auto totals, bool alike, const auto& exact, const auto& name) {
    for (const steps::direction way : {steps::direction::push, steps::direction::pull}) {
      loops::on_all_cores([=] { std::ranges::fill(graph.here().my_part().of(totals.here()), 0.0f); });
      const vertex_set none =
          edge_map(vertex_set::all(graph), sum_of_visits{totals, alike}, {.direction = {way}});
      EXPECT_TRUE(none.empty());
      expect_near(test_graphs::by_vertex_number(totals), exact, 2.1, name);
    }
  });
}

// The options determine the encoding.
TEST(sum_rounding, depends_on_how_the_edges_are_encoded) {
  const test_graph whole = test_graphs::star_of_stars(50, 20);
  for (const std::uint32_t depth : {0, 7, 32}) {
    graph::build_options build;
    build.segments = 2;
    build.bundle_depth = depth;
    const graph::distributed_graph handle = test_graphs::build(whole, build);
    const vectors::sum_shape shape = vectors::shape_of_sums(handle);
    EXPECT_GE(shape.segments, 2u);
    EXPECT_LE(shape.deepest_bundle, depth);
    EXPECT_EQ(shape.deepest_bundle == 0, depth == 0);
    handle.destroy();
  }
}

}  // namespace
}  // namespace orujo::internal::vectors
