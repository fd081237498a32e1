// Programs whose vertices have priorities, gone by in step and ahead of others.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "framework/verify/shortest_paths_oracle.hpp"
#include "tests/framework/job_property.hpp"
#include "tests/framework/length_program.hpp"

namespace orujo::internal::gas {
namespace {

struct path_lengths : test_graphs::length_program<0> {
  std::uint64_t priority(const vertex&, const value& length) const {
    return static_cast<std::uint64_t>(std::min(length / width, 1e18f));
  }
  float width;
};
static_assert(forms_for<path_lengths>(true).in_rows && !forms_for<path_lengths>(false).in_rows);

// The same program, in which what is near goes last.
struct path_lengths_backwards : path_lengths {
  std::uint64_t priority(const vertex& v, const value& length) const {
    return std::numeric_limits<std::uint64_t>::max() -
           path_lengths::priority(v, std::min(length, 1000 * width));
  }
};

// The same programs, in which heavy edges may wait.
template <class Program>
struct waiting : Program {
  static constexpr bool monotone = true;
};
// Vertex 1 has a length at first, but does not start.
struct waiting_beside_a_silent_vertex : waiting<path_lengths> {
  value start(const vertex& v, aggregate& sums) {
    return v.number() == 1 ? 1e6f : path_lengths::start(v, sums);
  }
};

// Returns the right lengths.
std::vector<float> lengths_in(const test_graphs::test_graph& whole) {
  const verify::simple_graph simple(
      whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = true}, whole.list.weights);
  return simple.vertex_count() > 0 ? verify::shortest_paths<float>(simple, 0) : std::vector<float>();
}
graph::distributed_graph build_for_lengths(const test_graphs::test_graph& whole) {
  return test_graphs::build(whole, {.symmetrize = true, .keep = forms_for<path_lengths>()});
}

template <class Program = path_lengths>
run_report expect_lengths(graph::distributed_graph graph, const std::vector<float>& right, float width,
                          const run_options& options) {
  const auto lengths = property<float>::create(graph);
  Program program;
  program.width = width;
  const run_report report = run(program, graph, lengths, options);
  EXPECT_TRUE(report.ended);
  EXPECT_EQ(test_graphs::by_vertex_number(lengths), right) << "width " << width;
  lengths.destroy();
  return report;
}
run_report expect_lengths(const test_graphs::test_graph& whole, float width, going_ahead ahead) {
  SCOPED_TRACE(whole.name);
  const graph::distributed_graph graph = build_for_lengths(whole);
  const run_report report = expect_lengths(graph, lengths_in(whole), width, {.ahead = ahead});
  graph.destroy();
  return report;
}

TEST(priorities, do_not_change_results) {
  for (const test_graphs::test_graph& whole : test_graphs::in_turn()) {
    SCOPED_TRACE(whole.name);
    const graph::distributed_graph graph = build_for_lengths(whole);
    const std::vector<float> right = lengths_in(whole);
    for (const float width : {3.0f, 1e9f, 0.001f}) {
      for (const going_ahead ahead : {going_ahead::automatic, going_ahead::never}) {
        expect_lengths(graph, right, width, {.ahead = ahead});
        expect_lengths<path_lengths_backwards>(graph, right, width, {.ahead = ahead});
        expect_lengths<waiting<path_lengths>>(graph, right, width, {.ahead = ahead});
      }
    }
    graph.destroy();
  }
}

test_graphs::test_graph with_many_edges(std::uint64_t vertices, std::size_t edges) {
  test_graphs::test_graph whole{"many edges", {}, vertices};
  random_stream random(3);
  for (std::size_t k = 0; k < edges; ++k) {
    whole.list.edges.push_back({random.below(vertices), random.below(vertices)});
    whole.list.weights.push_back(static_cast<float>(1 + random.below(1000)));
  }
  return whole;
}

// Where vertices have many edges, most heavy ones are never looked at.
TEST(priorities, let_heavy_edges_wait) {
  constexpr std::uint64_t vertices = 4000 / test_graphs::share;
  const test_graphs::test_graph whole = with_many_edges(vertices, 20 * vertices);
  const graph::distributed_graph graph = build_for_lengths(whole);
  const std::vector<float> right = lengths_in(whole);
  const run_options in_step{.ahead = going_ahead::never};
  const std::uint64_t edges = graph.here().edges;
  EXPECT_GE(expect_lengths(graph, right, 10, in_step).edges, edges);
  EXPECT_LE(expect_lengths<waiting<path_lengths>>(graph, right, 10, in_step).edges, edges * 3 / 4);
  for (const float width : {20.0f, 1e6f}) {
    for (const going_ahead ahead : {going_ahead::automatic, going_ahead::never})
      expect_lengths<waiting<path_lengths>>(graph, right, width, {.ahead = ahead});
  }
  // Bins are far apart, also those that the cores of a locale go on to by themselves.
  expect_lengths<waiting<path_lengths>>(graph, right, 0.01f, {.ahead = going_ahead::always});
  // What is near goes last here, so nothing waits.
  EXPECT_GE(expect_lengths<waiting<path_lengths_backwards>>(graph, right, 10, in_step).edges, edges);
  graph.destroy();
}

// Nobody may go along the edges of a vertex that shows a value, but has neither started nor improved.
TEST(priorities, leave_out_vertices_that_do_not_start) {
  constexpr std::uint64_t vertices = 2000 / test_graphs::share;
  test_graphs::test_graph whole = with_many_edges(vertices, 15 * vertices);
  // 1 is out of reach, and leads to 10 others that are, too.
  for (std::size_t k = 0; k < whole.list.edges.size(); ++k) {
    edge& e = whole.list.edges[k];
    const bool apart = e.source <= 11 && e.source > 0;
    if (apart || (e.target <= 11 && e.target > 0)) e = {1, 2 + k % 10};
  }
  const graph::distributed_graph graph = build_for_lengths(whole);
  std::vector<float> right = lengths_in(whole);
  right[1] = 1e6f;
  expect_lengths<waiting_beside_a_silent_vertex>(graph, right, 10, {.ahead = going_ahead::never});
  graph.destroy();
}

// A hub with 100 leaves is 9 light edges away, and one heavy edge. A search by length reaches the leaves
// once, by the light edges. Any other reaches them by the heavy edge first, and then again.
TEST(priorities, are_gone_by) {
  test_graphs::test_graph whole{"hub behind a chain", {}, 110};
  const auto add = [&](std::uint64_t source, std::uint64_t target, float weight) {
    whole.list.edges.push_back({source, target});
    whole.list.weights.push_back(weight);
  };
  for (std::uint64_t v = 1; v <= 9; ++v) add(v - 1, v, 1);
  add(0, 9, 1000);
  for (std::uint64_t leaf = 10; leaf < 110; ++leaf) add(9, leaf, 1);
  constexpr std::uint64_t edges = 2 * 110;
  EXPECT_EQ(expect_lengths(whole, 1, going_ahead::never).edges, edges);
  if (locales() == 1) {
    EXPECT_GE(expect_lengths(whole, 1e9f, going_ahead::never).edges, edges + 100);
  }
}

test_graphs::test_graph path_of(std::uint64_t edges, float weight) {
  test_graphs::test_graph path{"long path", {}, edges + 1};
  for (std::uint64_t v = 0; v < edges; ++v) {
    path.list.edges.push_back({v, v + 1});
    path.list.weights.push_back(weight);
  }
  return path;
}

// A core goes on by itself along a path, and a locale along its part of one, in small steps or large ones.
TEST(priorities, are_gone_by_ahead_of_others) {
  constexpr std::uint64_t edges = 2000;
  for (const float weight : {1.0f, 1000.0f}) {
    const test_graphs::test_graph path = path_of(edges, weight);
    const int in_step = expect_lengths(path, 1, going_ahead::never).supersteps;
    const int ahead = expect_lengths(path, 1, going_ahead::always).supersteps;
    EXPECT_LT(ahead, static_cast<int>(edges) / 5);
    if (locales() > 1) {
      EXPECT_GE(in_step, static_cast<int>(edges));
    }
  }
}

// Which of two ways is the shorter one a locale learns when it has gone ahead along the other.
TEST(priorities, are_mended_where_a_locale_went_too_far) {
  constexpr std::uint64_t edges = 400;
  test_graphs::test_graph ladder{"ladder", {}, 2 * edges};
  const auto add = [&](std::uint64_t source, std::uint64_t target, float weight) {
    ladder.list.edges.push_back({source, target});
    ladder.list.weights.push_back(weight);
  };
  for (std::uint64_t v = 0; v + 1 < edges; ++v) {
    add(v, v + 1, 5);
    add(2 * edges - 1 - v, 2 * edges - 2 - v, 1);  // on the other half of the locales, the other way round
    if (v % 20 == 0) add(v, 2 * edges - 1 - v, 1);
  }
  expect_lengths(ladder, 2, going_ahead::always);
}

}  // namespace
}  // namespace orujo::internal::gas
