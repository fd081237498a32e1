// The cost between locales of a step of an edge map, and of a superstep of a program: messages of a core, and
// their receivers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "framework/gas/edge_map.hpp"
#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "framework/graph/property.hpp"
#include "system/report/merged_metrics.hpp"
#include "tests/framework/counted_steps.hpp"
#include "tests/framework/length_program.hpp"

namespace orujo::internal::gas {
namespace {

struct first_heard {
  using value = source;
  static constexpr auto combine = any{};
  bool visit(const vertex& v, const source& from) const {
    parent[v] = from.number();
    return true;
  }
  property<std::uint64_t> parent;
};

// From vertex 0.
struct search_taken {
  std::uint64_t steps = 0, messages = 0;  // messages: by the busiest core
  std::uint64_t told = 0;                 // members, by all cores
};
search_taken search_by_edge_maps(steps::direction way) {
  search_taken taken;
  test_graphs::on_two_locales(
      forms_for_maps, test_graphs::back_and_forth(), [&](graph::distributed_graph graph) {
        const auto parent = property<std::uint64_t>::create(graph);
        vertex_set frontier = vertex_set::of(graph, {0});
        vertex_set unseen = subtract(vertex_set::all(graph), frontier);
        const auto told_so_far = [] { return report::merged_metrics().count_of("exchange.bit_bytes_raw"); };
        const std::uint64_t told_before = told_so_far();
        std::array<std::uint64_t, 2> before, after;
        for (core_id c = 0; c < 2; ++c)
          before[c] = delegates::call(c, [] { return test_graphs::messages_so_far(); });
        for (; !frontier.empty(); ++taken.steps)
          frontier = edge_map(frontier, first_heard{parent}, {.direction = {way}, .out_of = &unseen});
        for (core_id c = 0; c < 2; ++c)
          after[c] = delegates::call(c, [] { return test_graphs::messages_so_far(); });
        taken.messages = std::max(after[0] - before[0], after[1] - before[1]);
        taken.told = (told_so_far() - told_before) / sizeof(std::uint64_t);
        parent.destroy();
      });
  return taken;
}

TEST(edge_map_latencies, of_a_step_are_a_reduction_and_a_call) {
  for (const auto way : {steps::direction::push, steps::direction::pull}) {
    const search_taken search = search_by_edge_maps(way);
    EXPECT_EQ(search.steps, test_graphs::vertices_back_and_forth);
    // A reduction, the call or its answer, and of every other step a member.
    EXPECT_LE(search.messages, 2 * search.steps + search.steps / 2 + 10);
  }
}

TEST(edge_map_latencies, bring_each_member_to_a_locale_once) {
  for (const auto way : {steps::direction::push, steps::direction::pull, steps::direction::automatic})
    EXPECT_EQ(search_by_edge_maps(way).told, test_graphs::vertices_back_and_forth);  // each has a mirror
}

struct cascade : first_heard {
  static constexpr bool asynchronous = true;
};

//   0 -- 1 -- ... -- 399      of two locales: a path of which the one owns the first half
TEST(edge_map_latencies, of_a_cascade_are_those_of_the_locales_it_goes_through) {
  constexpr std::uint64_t vertices = 400;
  test_graphs::test_graph path{"path", {}, vertices};
  for (std::uint64_t v = 0; v + 1 < vertices; ++v) path.list.edges.push_back({v, v + 1});
  std::uint64_t messages = 0, found = 0;
  test_graphs::on_two_locales(forms_for_maps, path, [&](graph::distributed_graph graph) {
    const auto parent = property<std::uint64_t>::create(graph);
    vertex_set rest = vertex_set::all(graph);
    const std::uint64_t before = test_graphs::messages_so_far();
    found = edge_map(vertex_set::of(graph, {0}), cascade{{parent}}, {.out_of = &rest}).size();
    messages = test_graphs::messages_so_far() - before;
    parent.destroy();
  });
  EXPECT_EQ(found, vertices - 1);
  EXPECT_LE(messages, 20u);
}

// Edges from vertex 0.
struct hops {
  static constexpr bool incremental = true;
  using value = std::uint32_t;
  static constexpr auto combine = minimum{};
  using aggregate = nothing;
  static constexpr value far = 1'000'000;
  template <class V>
  V gather(V shown, V) const {
    return shown + V(1);
  }
  bool starts(const vertex& v) const { return v.number() == 0; }
  value start(const vertex& v, aggregate&) const { return starts(v) ? 0 : far; }
  bool apply(const vertex&, value total, value& shown, aggregate&) const {
    if (total >= shown) return false;
    shown = total;
    return true;
  }
};
struct scalar_hops : hops {
  using accumulator = value;
  value gather(const value& shown, float) const { return shown + 1; }
};
struct changes : hops {  // what a vertex shows is sent once
  static constexpr bool deltas = true;
  static constexpr auto combine = sum{};
  template <class V>
  V gather(V shown, V) const {
    return shown;
  }
  value start(const vertex& v, aggregate&) const { return starts(v) ? 1 : 0; }
  bool apply(const vertex& v, value total, value& shown, aggregate&) const {
    shown = v.number() > 0 && heard[v] == 0 && total > 0 ? 1 : 0;
    heard[v] += total;
    return shown > 0;
  }
  property<std::uint32_t> heard;
};

// made(property of numbers): the program.
template <class Program, class Made>
void expect_latencies(std::uint64_t messages_of_superstep, const graph::edge_forms& forms, Made made) {
  test_graphs::on_two_locales(forms, test_graphs::back_and_forth(), [&](graph::distributed_graph graph) {
    const auto heard = property<std::uint32_t>::create(graph);
    Program program = made(heard);
    std::array<std::uint64_t, 2> before, after;
    for (core_id c = 0; c < 2; ++c)
      before[c] = delegates::call(c, [] { return test_graphs::messages_so_far(); });
    const run_report report = run(program, graph);
    for (core_id c = 0; c < 2; ++c)
      after[c] = delegates::call(c, [] { return test_graphs::messages_so_far(); });
    EXPECT_GE(report.supersteps, static_cast<int>(test_graphs::vertices_back_and_forth));
    EXPECT_GE(report.pushed + 2, report.supersteps);
    const auto supersteps = static_cast<std::uint64_t>(report.supersteps);
    EXPECT_LE(std::max(after[0] - before[0], after[1] - before[1]),
              messages_of_superstep * supersteps + supersteps / 2 + 25);
    heard.destroy();
  });
}

// A reduction, and of every other superstep an active vertex.
TEST(program_latencies, of_a_push_are_a_reduction) {
  expect_latencies<hops>(1, forms_for<hops>(), [](auto) { return hops{}; });
  expect_latencies<changes>(1, forms_for<changes>(), [](auto heard) { return changes{{}, heard}; });
}

TEST(program_latencies, of_a_round_by_priority_are_a_reduction) {
  using lengths = test_graphs::lengths_in_order<0>;
  constexpr graph::edge_forms rows{.in_vectors = false, .in_rows = true, .out_rows = true};
  expect_latencies<lengths>(1, rows, [](auto) { return lengths{}; });
}

// Also the values of mirrors.
TEST(program_latencies, of_vertices_that_touch_others_are_a_reduction) {
  expect_latencies<scalar_hops>(2, forms_for<scalar_hops>(), [](auto) { return scalar_hops{}; });
}

}  // namespace
}  // namespace orujo::internal::gas
