#include "framework/algorithms/closeness.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "framework/algorithms/sample_positions.hpp"
#include "framework/gas/load.hpp"
#include "framework/verify/closeness_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

using steps::direction;
using test_graphs::test_graph;

std::vector<double> scores_of(graph::distributed_graph handle, const std::vector<std::uint64_t>& sources,
                              const closeness_options& options) {
  const auto scores = graph::property<double>::create(handle);
  const closeness_report report = find_closeness(handle, scores, sources, options);
  EXPECT_EQ(report.sources, sources.empty() ? handle.here().vertices : sources.size());
  EXPECT_TRUE(report.ended);
  std::vector<double> found = test_graphs::by_position(handle, scores);
  scores.destroy();
  return found;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double error) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t v = 0; v < found.size(); ++v)
    ASSERT_NEAR(found[v], expected[v], error * expected[v]) << "vertex " << v;
}

// No sources: all vertices.
void expect_closeness(graph::distributed_graph handle, const verify::simple_graph& simple,
                      const std::vector<std::uint64_t>& sources, direction way = direction::automatic) {
  std::vector<std::size_t> from(sources.begin(), sources.end());
  if (from.empty()) {
    from.resize(simple.vertex_count());
    std::iota(from.begin(), from.end(), std::size_t{0});
  }
  const verify::expected_closeness expected = verify::find_closeness(simple, from);
  const gas::run_options run{.direction = {way}};
  constexpr double few_roundings = 1e-15;
  expect_near(scores_of(handle, sources, {.wf_improved = false, .run = run}), expected.closeness,
              few_roundings);
  expect_near(scores_of(handle, sources, {.run = run}), expected.improved, few_roundings);
  expect_near(scores_of(handle, sources, {.measure = nearness::harmonic, .run = run}), expected.harmonic,
              expected.relative_error);
}
void expect_closeness(const test_graph& whole, bool symmetrize, std::uint64_t samples = 0,
                      direction way = direction::automatic, const graph::partition_options& cut = {}) {
  SCOPED_TRACE(whole.name + (symmetrize ? ", symmetrized" : ", directed"));
  const graph::distributed_graph handle = test_graphs::build(
      whole, {.symmetrize = symmetrize, .partition = cut, .keep = gas::forms_for<distance_search>()});
  const verify::simple_graph simple(whole.list.edges,
                                    {.vertex_count = whole.vertex_count, .symmetrize = symmetrize});
  std::vector<std::uint64_t> sources;
  if (samples > 0) sources = sample_positions(simple.vertex_count(), samples, 7);
  expect_closeness(handle, simple, sources, way);
  handle.destroy();
}

bool is_small(const test_graph& whole) { return whole.list.edges.size() <= 5000; }

TEST(closeness, is_that_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    if (!is_small(whole)) continue;
    for (const bool symmetrize : {true, false}) expect_closeness(whole, symmetrize);
  }
}

TEST(closeness, is_estimated_from_any_number_of_sources) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    for (const bool symmetrize : {true, false}) expect_closeness(whole, symmetrize, 100);
  }
  for (const std::uint64_t samples : {1, 63, 64, 65, 128})
    expect_closeness(test_graphs::all()[11], false, samples);
}

TEST(closeness, is_the_same_in_every_direction) {
  for (const direction way : {direction::push, direction::pull}) {
    for (const test_graph& whole : test_graphs::in_turn()) expect_closeness(whole, false, 70, way);
  }
}

// The sources of a search are chosen by position, so scattered numbers change no rounding either.
TEST(closeness, is_the_same_where_vertices_are_scattered) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    if (!is_small(whole)) continue;
    const closeness_options harmonic{.measure = nearness::harmonic};
    std::vector<std::vector<double>> found;
    for (const bool scattered : {false, true}) {
      const graph::distributed_graph handle = test_graphs::build(
          whole, {.partition = {.hash = scattered}, .keep = gas::forms_for<distance_search>()});
      found.push_back(scores_of(handle, {}, harmonic));
      handle.destroy();
    }
    EXPECT_TRUE(found[0] == found[1]) << whole.name;
  }
}

TEST(closeness, is_that_of_the_oracle_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_program_in_all_forms<distance_search>(
        symmetrized,
        [](const test_graphs::kept_graph& kept) { expect_closeness(kept.handle, *kept.simple, {0}); });
  }
}

TEST(closeness, is_not_computed_once_it_is_stopped) {
  const graph::distributed_graph handle =
      test_graphs::build(test_graphs::all()[11], {.keep = gas::forms_for<distance_search>()});
  const auto scores = graph::property<double>::create(handle);
  const std::atomic<bool> stop = true;
  EXPECT_FALSE(find_closeness(handle, scores, {}, {.run = {.stop = &stop}}).ended);
  scores.destroy();
  handle.destroy();
}

TEST(sample_positions, are_different_and_ascending) {
  for (const auto& [vertices, count, expected] :
       {std::tuple{0u, 5u, 0u}, {1u, 1u, 1u}, {9u, 9u, 9u}, {9u, 20u, 9u}, {1000u, 10u, 10u}}) {
    const std::vector<std::uint64_t> chosen = sample_positions(vertices, count, 1);
    EXPECT_EQ(chosen.size(), expected);
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      EXPECT_LT(chosen[k], vertices);
      EXPECT_TRUE(k == 0 || chosen[k - 1] < chosen[k]);
    }
  }
}

// 3 of 10, 10,000 times: each position 3,000 times, with a standard deviation of 46.
TEST(sample_positions, are_equally_frequent) {
  std::array<int, 10> seen{};
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    for (const std::uint64_t position : sample_positions(10, 3, seed)) ++seen[position];
  }
  for (const int times : seen) EXPECT_NEAR(times, 3000, 250);
}

}  // namespace
}  // namespace orujo::internal::algorithms
