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
  // What the last superstep has made active, and the least priority of it.
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

// A chain of light edges, and heavy ones that lead to each of its vertices at once: who goes by length alone
// is made active once, who does not as often as there are shorter ways.
TEST(priorities, are_gone_by) {
  test_graphs::test_graph whole{"chain with short cuts", {}, 200};
  for (std::uint64_t v = 1; v < 200; ++v) {
    whole.list.edges.push_back({v - 1, v});
    whole.list.weights.push_back(1);
    if (v == 1) continue;
    whole.list.edges.push_back({0, v});
    whole.list.weights.push_back(1000);
  }
  const engine::direction_options push{engine::direction::push, 20};
  EXPECT_GT(expect_lengths(whole, 1e9f, push), 390u);
  const std::uint64_t in_order = expect_lengths(whole, 1, push);
  EXPECT_GE(in_order, 199u);
  EXPECT_LE(in_order, 2 * 199u);
}

}  // namespace
}  // namespace orujo::gas
