#include "framework/algorithms/strongly_connected_components.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>

#include "framework/gas/load.hpp"
#include "framework/verify/strong_components_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;

// Without a serial part, and with one after few steps.
strong_components_options in_parallel() { return {.serial_below = 0, .serial_at_most = 0}; }
strong_components_options impatient() { return {.serial_below = 0, .patience = 3}; }

// The oracle's labels in positions instead of ids.
std::vector<std::uint64_t> expected_strong_labels(const verify::simple_graph& simple) {
  std::vector<std::uint64_t> positions;
  for (const std::uint64_t id : verify::strongly_connected_components(simple)) {
    positions.push_back(
        static_cast<std::uint64_t>(std::ranges::lower_bound(simple.ids(), id) - simple.ids().begin()));
  }
  return positions;
}

strong_components_report expect_strong_components(graph::distributed_graph handle,
                                                  const std::vector<std::uint64_t>& expected,
                                                  const strong_components_options& options) {
  const auto labels = graph::property<std::uint64_t>::create(handle);
  const strong_components_report report = strongly_connected_components(handle, labels, options);
  EXPECT_TRUE(report.ended);
  EXPECT_EQ(test_graphs::by_position(handle, labels), expected);
  labels.destroy();
  return report;
}

void expect_strong_components(const test_graph& whole, const graph::build_options& options = {}) {
  SCOPED_TRACE(whole.name);
  graph::build_options of_maps = options;
  of_maps.keep = gas::forms_for_maps;
  const graph::distributed_graph handle = test_graphs::build(whole, of_maps);
  const auto expected = expected_strong_labels(verify::simple_graph(
      whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = options.symmetrize}));
  for (const strong_components_options& way : {strong_components_options{}, in_parallel(), impatient()})
    expect_strong_components(handle, expected, way);
  handle.destroy();
}

// The figures of a parallel run.
strong_components_report strong_report_of(const test_graph& whole, const strong_components_options& options) {
  const graph::distributed_graph handle = test_graphs::build(whole, {.keep = gas::forms_for_maps});
  const strong_components_report report = expect_strong_components(
      handle,
      expected_strong_labels(verify::simple_graph(whole.list.edges, {.vertex_count = whole.vertex_count})),
      options);
  handle.destroy();
  return report;
}

TEST(strongly_connected_components, are_those_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    expect_strong_components(whole);
    expect_strong_components(whole, {.symmetrize = true});
  }
}

TEST(strongly_connected_components, are_those_of_the_oracle_where_vertices_are_scattered) {
  for (const test_graph& whole : test_graphs::in_turn())
    expect_strong_components(whole, {.partition = {.hash = true}});
}

// Between 0.5 and 2 edges per vertex, and so components of all sizes.
TEST(strongly_connected_components, are_those_of_the_oracle_on_sparse_random_graphs) {
  for (std::uint64_t seed = 1; seed <= 12; seed += sanitized ? 4 : 1) {
    const std::uint64_t vertices = 500 * seed;
    random_stream random(seed);
    test_graph whole{"sparse, seed " + std::to_string(seed), {}, vertices};
    for (std::uint64_t k = 0; k < vertices * (2 + seed % 7) / 4; ++k)
      whole.list.edges.push_back({random.below(vertices), random.below(vertices)});
    expect_strong_components(whole);
  }
}

// A giant cycle with chords, tendrils that lead to it and from it, and cycles at their ends.
//   o <-> o -> .. -> giant -> .. -> o <-> o
TEST(strongly_connected_components, are_found_around_a_giant_one) {
  const std::uint64_t giant = 800, vertices = 2000, tendril = 12;
  random_stream random(3);
  std::vector<std::uint64_t> numbers(vertices);
  std::iota(numbers.begin(), numbers.end(), 0);
  for (std::uint64_t k = vertices - 1; k > 0; --k) std::swap(numbers[k], numbers[random.below(k + 1)]);
  test_graph whole{"giant with tendrils", {}, vertices};
  const auto add = [&](std::uint64_t from, std::uint64_t to) {
    whole.list.edges.push_back({numbers[from], numbers[to]});
  };
  for (std::uint64_t k = 0; k < giant; ++k) add(k, (k + 1) % giant), add(k, random.below(giant));
  for (std::uint64_t k = giant; k < vertices; ++k) {
    const bool leads_in = k / tendril % 2 == 0, is_first = k % tendril == 0 || k == giant;
    const std::uint64_t before = is_first ? random.below(giant) : k - 1;
    leads_in ? add(k, before) : add(before, k);
    if (k % tendril == tendril - 1) add(k, k - 1), add(k - 1, k);
  }
  expect_strong_components(whole);
}

//   0 <-> 1 -> 2 <-> 3 -> 4 <-> 5 -> ..     or the arrows between pairs reversed, or none
TEST(strongly_connected_components, of_many_small_ones_take_few_rounds) {
  const std::uint64_t pairs = sanitized ? 150 : 500;
  for (const int way : {-1, 0, 1}) {
    test_graph whole{"pairs", {}, 2 * pairs};
    for (std::uint64_t v = 0; v < 2 * pairs; v += 2) {
      whole.list.edges.push_back({v, v + 1});
      whole.list.edges.push_back({v + 1, v});
      if (way == 0 || v == 0) continue;
      whole.list.edges.push_back(way > 0 ? edge{v - 1, v} : edge{v, v - 1});
    }
    const strong_components_report report = strong_report_of(whole, in_parallel());
    EXPECT_LE(report.colorings, way == 0 ? 1 : 20);
    EXPECT_EQ(report.trimmed, 0u);
    EXPECT_EQ(report.serial, 0u);
  }
}

//   0 -> 1 -> 2 -> ..     with loops and parallel edges, too
TEST(strongly_connected_components, of_a_chain_are_found_by_core_0) {
  test_graph chain{"chain", {}, {}};
  for (std::uint64_t v = 1; v < 2000; ++v) {
    chain.list.edges.push_back({v - 1, v});
    if (v % 3 == 0) chain.list.edges.push_back({v, v});
    if (v % 5 == 0) chain.list.edges.push_back({v - 1, v});
  }
  const strong_components_report told = strong_report_of(chain, {.serial_below = 0});
  EXPECT_LT(told.steps, 500);
  EXPECT_GT(told.serial, 1700u);
  const strong_components_report trimmed = strong_report_of(chain, in_parallel());
  EXPECT_EQ(trimmed.trimmed, 2000u);
  EXPECT_EQ(trimmed.colorings, 0);
}

// Loops keep no vertex from being trimmed.
//   0 -> 1 -> 2 -> ..     each with loops
TEST(strongly_connected_components, of_vertices_with_loops_alone_are_trimmed) {
  test_graph loops{"loops", {}, {}};
  for (std::uint64_t v = 0; v < 40; ++v) {
    for (std::uint64_t k = 0; k <= v % 3; ++k) loops.list.edges.push_back({v, v});
    if (v % 4 != 0) loops.list.edges.push_back({v - 1, v});
  }
  const strong_components_report told = strong_report_of(loops, in_parallel());
  EXPECT_EQ(told.trimmed, 40u);
}

// A cycle is found by searches of as many steps, or by core 0.
TEST(strongly_connected_components, of_a_cycle_are_one) {
  test_graph cycle{"cycle", {}, {}};
  for (std::uint64_t v = 0; v < 300; ++v) cycle.list.edges.push_back({v * 7 % 300, (v + 1) * 7 % 300});
  expect_strong_components(cycle);
  EXPECT_EQ(strong_report_of(cycle, impatient()).serial, 300u);
  EXPECT_GT(strong_report_of(cycle, in_parallel()).steps, 300);
  // However large, core 0 computes sparse graphs at once where the cores are few.
  EXPECT_EQ(strong_report_of(cycle, {.serial_below = 1}).steps == 0, locales() == 1 && cores() < 4);
}

TEST(strongly_connected_components, are_the_same_pushed_and_pulled) {
  for (const steps::direction way : {steps::direction::push, steps::direction::pull}) {
    for (const test_graph& whole : test_graphs::in_turn()) {
      strong_components_options options = in_parallel();
      options.maps.direction.wanted = way;
      strong_report_of(whole, options);
    }
  }
}

TEST(strongly_connected_components, stop_before_the_next_edge_map) {
  const graph::distributed_graph handle =
      test_graphs::build(test_graphs::all().back(), {.keep = gas::forms_for_maps});
  const auto labels = graph::property<std::uint64_t>::create(handle);
  const std::atomic<bool> stop{true};
  const strong_components_report told = strongly_connected_components(handle, labels, {.stop = &stop});
  EXPECT_FALSE(told.ended);
  EXPECT_EQ(told.steps, 0);
  labels.destroy();
  handle.destroy();
}

TEST(strongly_connected_components, are_those_of_the_oracle_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_in_all_forms(
        {.in_rows = true, .out_rows = true}, symmetrized, "strongly_connected_components",
        [](const test_graphs::kept_graph& kept) {
          expect_strong_components(kept.handle, expected_strong_labels(*kept.simple), in_parallel());
        },
        [](const test_graphs::kept_graph& kept) {
          const auto labels = graph::property<std::uint64_t>::create(kept.handle);
          strongly_connected_components(kept.handle, labels);
        });
  }
}

}  // namespace
}  // namespace orujo::internal::algorithms
