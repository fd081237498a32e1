#include "framework/algorithms/random_walks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "framework/verify/random_walks_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"
#include "tests/framework/results/result_graphs.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;

// Walks along edges of any kind, with types by position.
struct edge_choice {
  bool weighted = false;
  std::vector<std::uint32_t> metapath = {};
  bool timed = false;
};
std::uint32_t type_at(std::uint64_t position) { return static_cast<std::uint32_t>(position * 7 / 2 % 3); }

verify::walk_plan plan_of(const walk_options& options, const edge_choice& edges, std::size_t vertices) {
  verify::walk_plan plan{options.walks, options.per_vertex, options.length, options.seed,
                         options.p,     options.q,          edges.weighted};
  plan.metapath = edges.metapath;
  plan.timed = edges.timed;
  for (std::size_t v = 0; v < vertices && !edges.metapath.empty(); ++v) plan.types.push_back(type_at(v));
  return plan;
}

// [task; suspends] All of a run's walks, which it destroys.
std::vector<std::int64_t> take_walks(const walks_report& report) {
  std::vector<std::int64_t> all(report.vertices->size());
  report.vertices->get(0, std::span(all));
  report.vertices->destroy();
  return all;
}

void expect_walks(graph::distributed_graph handle, const verify::simple_graph& simple, walk_options options,
                  const edge_choice& edges = {}) {
  const verify::walk_plan plan = plan_of(options, edges, simple.vertex_count());
  const std::vector<std::uint64_t> expected = verify::count_visits(simple, plan);
  const auto visits = graph::property<std::uint64_t>::create(handle);
  const auto types = test_graphs::property_of<std::uint32_t>(
      handle, [](const graph::locale_graph& g, std::uint32_t v) { return type_at(g.position_of(v)); });
  {
    walk_edges taken{.weighted = edges.weighted, .metapath = edges.metapath, .timed = edges.timed};
    if (!edges.metapath.empty()) taken.types = types;
    random_walks walks(handle, visits, taken);
    for (const bool keeps : {true, false}) {
      options.keep_walks = keeps;
      const walks_report report = walks.run(options);
      EXPECT_TRUE(test_graphs::by_position(handle, visits) == expected);
      EXPECT_EQ(report.walks + report.steps,
                std::accumulate(expected.begin(), expected.end(), std::uint64_t{0}));
      ASSERT_EQ(report.vertices.has_value(), keeps);
      if (!keeps) continue;
      const std::vector<std::int64_t> kept = take_walks(report);
      const std::size_t width = std::size_t{options.length} + 1;
      verify::walk_comparison check(simple, plan);
      for (std::size_t first = 0; first < kept.size(); first += width)
        check.add(std::span(kept).subspan(first, width));
      EXPECT_TRUE(check.agrees()) << check.describe();
    }
  }
  types.destroy();
  visits.destroy();
}
void expect_walks(const test_graph& whole, bool symmetrize, const walk_options& options,
                  const graph::partition_options& cut = {}, const edge_choice& edges = {}) {
  SCOPED_TRACE(whole.name);
  const graph::distributed_graph handle = test_graphs::build(
      whole, {.symmetrize = symmetrize, .partition = cut, .keep = {.in_vectors = false, .out_rows = true}});
  expect_walks(
      handle,
      verify::simple_graph(whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = symmetrize},
                           whole.list.weights),
      options, edges);
  handle.destroy();
}

TEST(random_walks, are_those_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    for (const bool symmetrize : {true, false}) {
      expect_walks(whole, symmetrize, {.per_vertex = 2, .length = 9, .seed = 3});
      expect_walks(whole, symmetrize, {.walks = 1000, .length = 20});
    }
  }
}

TEST(random_walks, are_the_same_where_vertices_are_scattered) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    expect_walks(whole, true, {.length = 5}, {.hash = true});
    expect_walks(whole, false, {.walks = 300, .length = 5}, {.hash = true});
  }
}

TEST(random_walks, are_those_of_the_oracle_by_weight_and_by_the_vertex_before) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    for (const bool symmetrize : {true, false}) {
      expect_walks(whole, symmetrize, {.walks = 100, .length = 9, .seed = 3}, {}, {.weighted = true});
      expect_walks(whole, symmetrize, {.walks = 100, .length = 9, .p = 0.25, .q = 4});
      expect_walks(whole, symmetrize, {.walks = 100, .length = 12, .p = 1000, .q = 0.5}, {},
                   {.weighted = true});
    }
    expect_walks(whole, true, {.length = 3, .p = 2, .q = 0.5}, {.hash = true}, {.weighted = true});
  }
}

// Types are 0, 0, 1, 1, 2, 2, ... so that some walks go on and many end; type 5 has no vertex.
TEST(random_walks, are_those_of_the_oracle_along_metapaths) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    for (const bool symmetrize : {true, false}) {
      expect_walks(whole, symmetrize, {.per_vertex = 3, .length = 7}, {}, {.metapath = {0, 1, 0}});
      expect_walks(whole, symmetrize, {.walks = 300, .length = 9, .seed = 3}, {},
                   {.metapath = {1, 2, 2, 0, 1}});
      expect_walks(whole, symmetrize, {.walks = 300, .length = 9}, {},
                   {.weighted = true, .metapath = {2, 2}});
    }
    expect_walks(whole, true, {.per_vertex = 2, .length = 9}, {.hash = true},
                 {.weighted = true, .metapath = {0, 1, 2, 0}});
    expect_walks(whole, true, {.walks = 300, .length = 2}, {}, {.metapath = {5, 0, 5}});
    expect_walks(whole, true, {.length = 2}, {.hash = true}, {.metapath = {0, 5, 0}});
  }
}

TEST(random_walks, are_those_of_the_oracle_by_time) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    for (const bool symmetrize : {true, false}) {
      expect_walks(whole, symmetrize, {.walks = 40, .length = 7}, {}, {.timed = true});
      expect_walks(whole, symmetrize, {.walks = 40, .length = 9, .seed = 3}, {},
                   {.metapath = {0, 1, 0}, .timed = true});
    }
    expect_walks(whole, true, {.walks = 40, .length = 9}, {.hash = true}, {.timed = true});
  }
}

// A loop, parallel edges, one that weighs nothing, a vertex with the edge back only, another without any:
//
//   0 - 1 - 2     0 = 0, 3 => 4 twice, 4 -> 3, 5 - 2, 6
//   |  /   /
//   3 ----'
test_graph crossing() {
  test_graph whole{"crossing", {}, 7};
  whole.list.edges = {{0, 0}, {0, 1}, {1, 0}, {1, 2}, {2, 1}, {1, 3}, {3, 1}, {0, 3}, {3, 0}, {2, 3},
                      {3, 2}, {3, 4}, {3, 4}, {4, 3}, {2, 5}, {5, 2}, {1, 6}, {2, 0}, {0, 2}};
  for (std::size_t k = 0; k < whole.list.edges.size(); ++k)
    whole.list.weights.push_back(static_cast<float>(k == 18 ? 0 : 1 + k * 5 % 7));
  return whole;
}

// The sum of (seen - expected)^2 / expected over all vertices that may follow others, and the number of its
// degrees of freedom. Every step has to be possible.
struct chi_square {
  double sum = 0;
  std::size_t freedom = 0;
  // The sum has this mean and twice the variance.
  double deviations() const {
    return (sum - static_cast<double>(freedom)) / std::sqrt(2 * static_cast<double>(freedom));
  }
};
// How often which vertex, or the end, followed the last two vertices.
using seen_steps = std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::uint64_t>>;
seen_steps count_steps(const std::vector<std::int64_t>& kept, std::size_t width, std::size_t vertices) {
  seen_steps seen;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    if (k % width == 0 || kept[k - 1] < 0) continue;
    auto& counts = seen[{k % width == 1 ? -1 : kept[k - 2], kept[k - 1]}];
    counts.resize(vertices + 1);
    ++counts[kept[k] < 0 ? vertices : static_cast<std::size_t>(kept[k])];
  }
  return seen;
}
chi_square compare_steps(const seen_steps& seen, const verify::simple_graph& simple,
                         const verify::walk_plan& plan) {
  chi_square all;
  for (const auto& [last, counts] : seen) {
    std::optional<std::size_t> before;
    if (last.first >= 0) before = static_cast<std::size_t>(last.first);
    std::vector<double> shares =
        verify::step_probabilities(simple, plan, static_cast<std::size_t>(last.second), before);
    shares.resize(simple.vertex_count(), 0);
    shares.push_back(std::accumulate(shares.begin(), shares.end(), 0.0) == 0 ? 1 : 0);  // the end
    const double steps = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
    std::size_t possible = 0;
    for (std::size_t v = 0; v < counts.size(); ++v) {
      if (shares[v] == 0) {
        EXPECT_EQ(counts[v], 0u) << last.first << ' ' << last.second << ' ' << v;
        continue;
      }
      const double difference = static_cast<double>(counts[v]) - steps * shares[v];
      all.sum += difference * difference / (steps * shares[v]);
      ++possible;
    }
    all.freedom += possible - 1;
  }
  return all;
}

// Against the exact probabilities, which are found without random numbers. Other parameters do not fit.
TEST(random_walks, have_the_probabilities_of_node2vec) {
  const test_graph whole = crossing();
  const verify::simple_graph simple(whole.list.edges, {.vertex_count = whole.vertex_count},
                                    whole.list.weights);
  const graph::distributed_graph handle =
      test_graphs::build(whole, {.keep = {.in_vectors = false, .out_rows = true}});
  const auto visits = graph::property<std::uint64_t>::create(handle);
  std::size_t turn = 0;
  for (const bool weighted : {false, true}) {
    random_walks walks(handle, visits, {.weighted = weighted});
    for (const auto& [p, q] : {std::pair{1.0, 1.0}, {0.25, 4.0}, {4.0, 0.25}, {3.0, 1.0}, {0.01, 0.5}}) {
      if (!test_graphs::is_in_turn(turn++)) continue;
      const walk_options options{
          .per_vertex = 4000, .length = 10, .seed = 7, .p = p, .q = q, .keep_walks = true};
      const seen_steps seen = count_steps(take_walks(walks.run(options)), 11, simple.vertex_count());
      verify::walk_plan plan = plan_of(options, {.weighted = weighted}, 0);
      const auto deviations = [&] { return compare_steps(seen, simple, plan).deviations(); };
      EXPECT_LT(deviations(), 4) << p << ' ' << q << ' ' << weighted;
      plan.p *= 1.25;
      EXPECT_GT(deviations(), 4) << p << ' ' << q << ' ' << weighted;
      plan.p = p;
      plan.q *= 1.25;
      EXPECT_GT(deviations(), 4) << p << ' ' << q << ' ' << weighted;
    }
  }
  visits.destroy();
  handle.destroy();
}

// Longer than a walk may be without a pause, on one core and back and forth:   0 - 1
TEST(random_walks, may_be_long) {
  for (const std::uint32_t length : {0u, 255u, 256u, 257u, 5000u})
    expect_walks({"pair", {{{0, 1}}, {}}, {}}, true, {.length = length});
}

TEST(random_walks, are_those_of_the_oracle_whatever_else_the_graph_keeps) {
  const auto any = graph::property<std::uint64_t>::create(test_graphs::in_all_forms().front().handle);
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_in_all_forms(
        {.out_rows = true}, symmetrized, "random_walks",
        [](const test_graphs::kept_graph& kept) { expect_walks(kept.handle, *kept.simple, {.length = 5}); },
        [any](const test_graphs::kept_graph& kept) { random_walks(kept.handle, any); });
  }
  any.destroy();
}

}  // namespace
}  // namespace orujo::internal::algorithms
