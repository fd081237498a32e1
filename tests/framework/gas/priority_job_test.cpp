// Programs whose vertices have priorities.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "framework/verify/shortest_paths_oracle.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::gas {
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

// Returns how often vertices were made active.
std::uint64_t expect_lengths(const test_graphs::test_graph& whole, float width,
                             const engine::direction_options& direction) {
  graph::build_options options{.symmetrize = true};
  options.keep = forms_for<path_lengths>();
  const graph::distributed_graph graph = test_graphs::build(whole, options);
  const auto lengths = property<float>::create(graph);
  path_lengths program{width};
  run(program, graph, lengths, {.direction = direction});
  const verify::simple_graph simple(
      whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = true}, whole.list.weights);
  if (simple.vertex_count() > 0) {
    EXPECT_EQ(test_graphs::by_vertex_number(lengths), verify::shortest_paths(simple, 0))
        << whole.name << ", width " << width;
  }
  lengths.destroy();
  graph.destroy();
  return program.made_active;
}

TEST(priorities, do_not_change_results) {
  for (const test_graphs::test_graph& whole : test_graphs::all()) {
    for (const engine::direction way :
         {engine::direction::automatic, engine::direction::push, engine::direction::pull}) {
      for (const float width : {3.0f, 1e9f}) expect_lengths(whole, width, {way, 20});
    }
  }
}

// A hub with 100 leaves is 9 light edges away, and one heavy edge. Who goes by length reaches the leaves
// once, by the light ones; who does not reaches them by the heavy one first, and then again.
TEST(priorities, are_gone_by) {
  test_graphs::test_graph whole{"hub behind a chain", {}, 110};
  const auto add = [&](std::uint64_t source, std::uint64_t target, float weight) {
    whole.list.edges.push_back({source, target});
    whole.list.weights.push_back(weight);
  };
  for (std::uint64_t v = 1; v <= 9; ++v) add(v - 1, v, 1);
  add(0, 9, 1000);
  for (std::uint64_t leaf = 10; leaf < 110; ++leaf) add(9, leaf, 1);
  const engine::direction_options push{engine::direction::push, 20};
  EXPECT_GE(expect_lengths(whole, 1e9f, push), 200u);
  EXPECT_EQ(expect_lengths(whole, 1, push), 8u + 2 + 100);  // the hub hears of both ways
}

}  // namespace
}  // namespace orujo::gas
