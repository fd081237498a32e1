// Programs whose vertices have priorities, gone by in step and ahead of others.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "framework/verify/shortest_paths_oracle.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::gas {
namespace {

struct path_lengths {
  static constexpr bool incremental = true;
  using value = float;
  static constexpr auto combine = minimum{};
  // By the last superstep: apply() said so.
  struct aggregate {
    std::uint64_t made_active = 0;
    void operator+=(const aggregate& other) { made_active += other.made_active; }
  };
  template <class V>
  V gather(V length, V weight) const {
    return length + weight;
  }
  bool starts(const vertex& v) const { return v.number() == 0; }
  value start(const vertex& v, aggregate&) { return starts(v) ? 0 : std::numeric_limits<float>::infinity(); }
  bool next(int, const aggregate& last) {
    made_active += last.made_active;
    return true;
  }
  bool apply(const vertex&, value total, value& shown, aggregate& sums) {
    if (total >= shown) return false;
    shown = total;
    ++sums.made_active;
    return true;
  }
  std::uint64_t priority(const vertex&, const value& length) const {
    return static_cast<std::uint64_t>(std::min(length / width, 1e18f));
  }
  float width;
  std::uint64_t made_active = 0;
};

// The same program, in which several locales go ahead of one another.
struct path_lengths_ahead : path_lengths {
  static constexpr bool asynchronous = true, improves = true;
};
static_assert(detail::going_ahead_program<path_lengths_ahead> && !detail::going_ahead_program<path_lengths>);

struct made_lengths {
  std::uint64_t made_active;  // how often vertices were
  int supersteps;
};

// Returns the right lengths.
std::vector<float> lengths_in(const test_graphs::test_graph& whole) {
  const verify::simple_graph simple(
      whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = true}, whole.list.weights);
  return simple.vertex_count() > 0 ? verify::shortest_paths<float>(simple, 0) : std::vector<float>();
}
graph::distributed_graph build_for_lengths(const test_graphs::test_graph& whole) {
  return test_graphs::build(whole,
                            {.symmetrize = true, .keep = forms_for<path_lengths, path_lengths_ahead>()});
}

template <class Program = path_lengths>
made_lengths expect_lengths(graph::distributed_graph graph, const std::vector<float>& right, float width,
                            const steps::direction_options& direction,
                            going_ahead ahead = going_ahead::automatic) {
  const auto lengths = property<float>::create(graph);
  Program program;
  program.width = width;
  const run_report report = run(program, graph, lengths, {.direction = direction, .ahead = ahead});
  EXPECT_TRUE(report.ended);
  EXPECT_EQ(test_graphs::by_vertex_number(lengths), right) << "width " << width;
  lengths.destroy();
  return {program.made_active, report.supersteps};
}
template <class Program = path_lengths>
made_lengths expect_lengths(const test_graphs::test_graph& whole, float width,
                            const steps::direction_options& direction,
                            going_ahead ahead = going_ahead::automatic) {
  SCOPED_TRACE(whole.name);
  const graph::distributed_graph graph = build_for_lengths(whole);
  const made_lengths made = expect_lengths<Program>(graph, lengths_in(whole), width, direction, ahead);
  graph.destroy();
  return made;
}

TEST(priorities, do_not_change_results) {
  for (const test_graphs::test_graph& whole : test_graphs::all()) {
    SCOPED_TRACE(whole.name);
    const graph::distributed_graph graph = build_for_lengths(whole);
    const std::vector<float> right = lengths_in(whole);
    for (const steps::direction way :
         {steps::direction::automatic, steps::direction::push, steps::direction::pull}) {
      for (const float width : {3.0f, 1e9f, 0.001f}) {
        expect_lengths(graph, right, width, {way, 20});
        for (const going_ahead ahead : {going_ahead::automatic, going_ahead::always})
          expect_lengths<path_lengths_ahead>(graph, right, width, {way, 20}, ahead);
      }
    }
    graph.destroy();
  }
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
  const steps::direction_options push{steps::direction::push, 20};
  EXPECT_GE(expect_lengths(whole, 1e9f, push).made_active, 200u);
  EXPECT_EQ(expect_lengths(whole, 1, push).made_active, 8u + 2 + 100);  // the hub receives both paths
}

test_graphs::test_graph path_of(std::uint64_t edges, float weight) {
  test_graphs::test_graph path{"long path", {}, edges + 1};
  for (std::uint64_t v = 0; v < edges; ++v) {
    path.list.edges.push_back({v, v + 1});
    path.list.weights.push_back(weight);
  }
  return path;
}

// A locale goes on by itself along its part of a path, in small steps or large ones.
TEST(priorities, are_gone_by_ahead_of_others) {
  constexpr std::uint64_t edges = 2000;
  const steps::direction_options push{steps::direction::push, 20};
  for (const float weight : {1.0f, 1000.0f}) {
    const test_graphs::test_graph path = path_of(edges, weight);
    const int in_step = expect_lengths<path_lengths_ahead>(path, 1, push, going_ahead::never).supersteps;
    EXPECT_EQ(in_step, expect_lengths<path_lengths>(path, 1, push).supersteps);
    EXPECT_GE(in_step, static_cast<int>(edges));
    const made_lengths ahead = expect_lengths<path_lengths_ahead>(path, 1, push, going_ahead::always);
    EXPECT_LE(ahead.made_active, edges);
    if (locales() == 1) {
      EXPECT_EQ(ahead.supersteps, in_step);
    } else {
      EXPECT_LT(ahead.supersteps, static_cast<int>(edges) / 10);
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
  for (const steps::direction way : {steps::direction::automatic, steps::direction::push})
    expect_lengths<path_lengths_ahead>(ladder, 2, {way, 20}, going_ahead::always);
}

}  // namespace
}  // namespace orujo::internal::gas
