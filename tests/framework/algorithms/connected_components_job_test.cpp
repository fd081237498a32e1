#include "framework/algorithms/connected_components.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "framework/verify/connected_components_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;

template <class Label>
std::vector<Label> labels_in(graph::distributed_graph handle, int trials = 1) {
  const auto labels = graph::property<Label>::create(handle);
  loops::on_all_cores([=] {
    connected_components<Label> finder(handle.here(), labels.here());
    for (int trial = 0; trial < trials; ++trial) {
      const components_report report = finder.run();
      CHECK_EQ(report.exchanges > 0, locales() > 1);
    }
  });
  const std::vector<Label> all = test_graphs::by_position(handle, labels);
  labels.destroy();
  return all;
}
template <class Label>
std::vector<Label> labels_of(const test_graph& whole, const graph::build_options& options, int trials = 1) {
  const graph::distributed_graph handle = test_graphs::build(whole, options);
  const std::vector<Label> all = labels_in<Label>(handle, trials);
  handle.destroy();
  return all;
}

// The oracle's answer in vertex numbers instead of ids.
template <class Label>
std::vector<Label> expected_labels(const verify::simple_graph& simple) {
  std::vector<Label> numbers;
  for (const std::uint64_t id : verify::connected_components(simple)) {
    const auto at = std::lower_bound(simple.ids().begin(), simple.ids().end(), id);
    numbers.push_back(static_cast<Label>(at - simple.ids().begin()));
  }
  return numbers;
}
template <class Label>
std::vector<Label> expected_labels(const test_graph& whole, const graph::build_options& options) {
  return expected_labels<Label>(
      verify::simple_graph(whole.list.edges, {.vertex_count = whole.vertex_count,
                                              .remove_self_loops = options.remove_self_loops,
                                              .symmetrize = options.symmetrize}));
}

template <class Label = std::uint32_t>
void expect_components(const test_graph& whole, bool symmetrize, bool remove_self_loops = false) {
  graph::build_options options;
  options.symmetrize = symmetrize;
  options.remove_self_loops = remove_self_loops;
  options.keep = connected_components_forms;
  EXPECT_EQ(labels_of<Label>(whole, options), expected_labels<Label>(whole, options))
      << whole.name << (symmetrize ? ", symmetrized" : ", directed");
}

TEST(connected_components, are_those_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    expect_components(whole, true);
    expect_components(whole, false);
    expect_components(whole, false, true);
    expect_components<std::uint64_t>(whole, false);
  }
}

// About as many edges as vertices, so that there are components of all sizes, and none holds nearly all
// vertices. Labels are the smallest vertex numbers here, not those of the smallest ids. The test compares
// which vertices share a label.
TEST(connected_components, are_those_of_the_oracle_where_vertices_are_scattered) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    graph::build_options options;
    options.partition.hash = true;
    options.keep = connected_components_forms;
    std::vector<std::uint32_t> labels = labels_of<std::uint32_t>(whole, options);
    std::map<std::uint32_t, std::uint32_t> first;
    for (std::uint32_t v = 0; v < labels.size(); ++v)
      labels[v] = first.try_emplace(labels[v], v).first->second;
    EXPECT_EQ(labels, expected_labels<std::uint32_t>(whole, options)) << whole.name;
  }
}

TEST(connected_components, are_those_of_the_oracle_on_sparse_random_graphs) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const std::uint64_t vertices = 1000 * seed;
    random_stream random(seed);
    test_graph whole{"sparse, seed " + std::to_string(seed), {}, vertices};
    for (std::uint64_t k = 0; k < vertices * (2 + seed % 8) / 8; ++k)
      whole.list.edges.push_back({random.below(vertices), random.below(vertices)});
    expect_components(whole, seed % 2 == 0);
  }
}

// Paths whose vertices lie scattered over all cores and locales: labels travel far, and trees grow deep.
//   0 - s - 2s - 3s - ...     modulo the number of vertices
TEST(connected_components, follow_paths_across_cores_and_locales) {
  for (const std::uint64_t step : {1u, 3u, 500u, 999u, 2501u}) {
    const std::uint64_t vertices = 5000;
    test_graph whole{"path in steps of " + std::to_string(step), {}, vertices};
    for (std::uint64_t k = 0, v = 0; k < vertices - 2; ++k) {
      const std::uint64_t next = (v + step) % vertices;
      whole.list.edges.push_back(k % 2 == 0 ? edge{v, next} : edge{next, v});
      v = next;
    }
    expect_components(whole, false);
    expect_components(whole, true);
  }
}

// Two halves without an edge between them, each larger than a chunk and the giant's equal.
TEST(connected_components, keep_two_large_ones_apart) {
  const std::uint64_t vertices = 60'000;
  random_stream random(7);
  test_graph whole{"two halves", {}, vertices};
  for (std::uint64_t k = 0; k < 3 * vertices; ++k) {
    const std::uint64_t half = k % 2;
    const auto draw = [&] { return 2 * random.below(vertices / 2) + half; };
    whole.list.edges.push_back({draw(), draw()});
  }
  expect_components(whole, false);
  expect_components(whole, true);
}

// All edges lead from the lower half to the upper one. With two locales none is within a locale, and the
// sampled edges are stars.
//   0 1 2 .. h-1        h: half of the vertices
//    \/ \ /
//   h h+1 .. 2h-1
TEST(connected_components, are_found_where_no_edge_is_within_a_half) {
  const std::uint64_t half = 3000;
  for (const std::uint64_t edges : {half / 2, half, 3 * half}) {
    random_stream random(edges);
    test_graph whole{"halves that face each other", {}, 2 * half};
    for (std::uint64_t k = 0; k < edges; ++k) {
      const edge e{random.below(half), half + random.below(half)};
      whole.list.edges.push_back(k % 2 == 0 ? e : edge{e.target, e.source});
    }
    expect_components(whole, false);
    expect_components(whole, true);
  }
}

// The giant component is a star, or random, and `before` other vertices come before it. Some of these have
// edges to it, some to each other, and some none. Its smallest vertex therefore differs from the one that
// most vertices see first.
TEST(connected_components, are_found_where_the_giant_is_anywhere) {
  const std::uint64_t vertices = 6000;
  for (const std::uint64_t before : {std::uint64_t{10}, vertices / 3, vertices / 2, vertices * 9 / 10}) {
    for (const bool star : {true, false}) {
      random_stream random(before + (star ? 1 : 0));
      test_graph whole{"giant behind " + std::to_string(before), {}, vertices};
      const auto inside = [&] { return before + random.below(vertices - before); };
      for (std::uint64_t v = before; v < vertices; ++v)
        whole.list.edges.push_back({v, star ? vertices - 1 : inside()});
      for (std::uint64_t v = 5; v < before; v += 3)
        whole.list.edges.push_back({v, v % 2 == 0 ? inside() : random.below(before)});
      expect_components(whole, false);
      expect_components(whole, true);
      expect_components<std::uint64_t>(whole, true);
    }
  }
}

// The giant's vertices, with tails that lead from half to half, each vertex of one to the next.
TEST(connected_components, have_tails_across_locales) {
  const std::uint64_t vertices = 8000, giant = 5000, tail = 60;
  random_stream random(5);
  test_graph whole{"tails", {}, vertices};
  std::vector<std::uint64_t> numbers(vertices);
  std::iota(numbers.begin(), numbers.end(), 0);
  for (std::uint64_t k = vertices - 1; k > 0; --k) std::swap(numbers[k], numbers[random.below(k + 1)]);
  for (std::uint64_t k = 1; k < giant; ++k)
    whole.list.edges.push_back({numbers[k], numbers[random.below(k)]});
  for (std::uint64_t k = giant; k < vertices; ++k) {
    if (k % (2 * tail) == 0) continue;  // half of the tails are by themselves
    const std::uint64_t before = k % tail == 0 ? random.below(giant) : k - 1;
    whole.list.edges.push_back({numbers[k], numbers[before]});
  }
  expect_components(whole, false);
  expect_components(whole, true);
}

TEST(connected_components, are_the_same_in_every_trial) {
  const test_graph whole = test_graphs::all().back();
  graph::build_options options;
  options.keep = connected_components_forms;
  EXPECT_EQ(labels_of<std::uint32_t>(whole, options, 5), expected_labels<std::uint32_t>(whole, options));
}

TEST(connected_components, are_those_of_the_oracle_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_in_all_forms(
        {.in_rows = true, .out_rows = true}, symmetrized, "connected_components",
        [](const test_graphs::kept_graph& kept) {
          EXPECT_EQ(labels_in<std::uint32_t>(kept.handle), expected_labels<std::uint32_t>(*kept.simple));
        },
        [](const test_graphs::kept_graph& kept) {
          connected_components<std::uint32_t>(kept.handle.here(), {});
        });
  }
}

}  // namespace
}  // namespace orujo::internal::algorithms
