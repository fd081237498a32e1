// Edge maps of asynchronous visitors, which go on from the vertices that they find, against a serial queue.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "framework/gas/edge_map.hpp"
#include "framework/graph/property.hpp"
#include "framework/graph/transposed.hpp"
#include "framework/graph/vertex_map.hpp"
#include "tests/framework/counted_steps.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::gas {
namespace {

using graph::property;
using test_graphs::expected_graph;

struct losses {
  std::uint32_t lost, times_removed;
};

// A vertex is removed with its last but k in-edges, and takes its out-edges along.
struct removals {
  static constexpr bool asynchronous = true;
  using value = std::uint32_t;
  static constexpr auto combine = sum{};
  value show(const vertex&) const { return 1; }
  bool visit(const vertex& v, value gone) {
    all[v].lost += gone;
    if (v.in_degree() - all[v].lost >= k) return false;
    ++all[v].times_removed;
    return true;
  }
  property<losses> all;
  std::uint32_t k;
};
// The same for values that need a lock, and show where they come from.
struct removals_of_pairs : removals {
  struct value {
    std::uint64_t gone, of_numbers;
    bool operator==(const value&) const = default;
  };
  struct add {
    value operator()(const value& a, const value& b) const {
      return {a.gone + b.gone, a.of_numbers + b.of_numbers};
    }
    template <class T>
    static constexpr T identity() {
      return T{};
    }
  };
  static constexpr add combine{};
  value show(const vertex& v) const { return {1, v.number() + 1}; }
  bool visit(const vertex& v, const value& total) {
    numbers[v] += total.of_numbers;
    return removals::visit(v, static_cast<std::uint32_t>(total.gone));
  }
  property<std::uint64_t> numbers;
};

// A serial queue removes these, beginning with `first`.
struct removed {
  std::vector<bool> gone;
  std::vector<std::uint64_t> lost, of_numbers;  // of each vertex: edges, and numbers of their sources plus 1
};
removed remove_serially(const expected_graph& whole, const std::vector<std::uint64_t>& first, std::uint32_t k,
                        bool reversed) {
  const std::size_t vertices = whole.ids.size();
  std::vector<std::vector<std::uint64_t>> targets(vertices);
  std::vector<std::uint64_t> left(vertices), queue = first;
  for (const auto& e : whole.edges) {
    targets[reversed ? e.target : e.source].push_back(reversed ? e.source : e.target);
    ++left[reversed ? e.source : e.target];
  }
  removed all{std::vector<bool>(vertices), std::vector<std::uint64_t>(vertices),
              std::vector<std::uint64_t>(vertices)};
  for (const std::uint64_t v : first) all.gone[v] = true;
  for (std::size_t at = 0; at < queue.size(); ++at) {
    for (const std::uint64_t target : targets[queue[at]]) {
      ++all.lost[target];
      all.of_numbers[target] += queue[at] + 1;
      if (all.gone[target] || left[target] - all.lost[target] >= k) continue;
      all.gone[target] = true;
      queue.push_back(target);
    }
  }
  return all;
}

template <class Visitor>
void expect_as_serially(graph::distributed_graph along, graph::distributed_graph of_sets,
                        const expected_graph& whole, bool reversed, const Visitor& visitor,
                        const std::vector<std::uint64_t>& first) {
  vertex_map(vertex_set::all(of_sets), [=](const vertex& v) { visitor.all[v] = {}; });
  const vertex_set from = vertex_set::of(of_sets, first);
  vertex_set rest = vertex_set::all(of_sets);
  const vertex_set found = edge_map(along, from, visitor, {.out_of = &rest});

  const removed right = remove_serially(whole, first, visitor.k, reversed);
  std::vector<std::uint64_t> right_found, right_rest;
  std::uint64_t out_edges = 0;
  for (std::uint64_t n = 0; n < whole.ids.size(); ++n) {
    if (!right.gone[n])
      right_rest.push_back(n);
    else if (!std::ranges::binary_search(first, n))
      right_found.push_back(n);
  }
  for (const auto& e : whole.edges) out_edges += std::ranges::binary_search(right_found, e.source) ? 1 : 0;
  EXPECT_EQ(found.numbers(), right_found);
  EXPECT_EQ(found.size(), right_found.size());
  EXPECT_EQ(found.out_edges(), out_edges);
  EXPECT_EQ(rest.numbers(), right_rest);
  EXPECT_EQ(rest.size(), right_rest.size());
  const auto all = test_graphs::by_vertex_number(visitor.all);
  for (const std::uint64_t n : right_found) ASSERT_EQ(all[n].times_removed, 1u) << n;
  for (const std::uint64_t n : right_rest) {
    ASSERT_EQ(all[n].lost, right.lost[n]) << n;
    ASSERT_EQ(all[n].times_removed, 0u) << n;
  }
  if constexpr (requires { visitor.numbers; }) {
    const auto numbers = test_graphs::by_vertex_number(visitor.numbers);
    for (const std::uint64_t n : right_rest) ASSERT_EQ(numbers[n], right.of_numbers[n]) << n;
  }
}

TEST(asynchronous_edge_map, removes_what_a_serial_queue_does) {
  for (const std::size_t g : test_graphs::places_in_turn()) {
    for (const bool symmetrize : {false, true}) {
      SCOPED_TRACE(test_graphs::all()[g].name + (symmetrize ? ", symmetrized" : ""));
      graph::build_options options{.symmetrize = symmetrize};
      options.keep = forms_for_maps;
      const graph::distributed_graph graph = test_graphs::build(g, options);
      const graph::distributed_graph reversed = graph::transposed(graph);
      const expected_graph whole(test_graphs::all()[g], options);
      const auto all = property<losses>::create(graph);
      for (const std::uint32_t k : {1, 3}) {
        for (const std::uint64_t one_in : {5, 300}) {
          std::vector<std::uint64_t> first;
          for (std::uint64_t n = 0; n < whole.ids.size(); ++n) {
            if (mix64(n + k) % one_in == 0) first.push_back(n);
          }
          expect_as_serially(graph, graph, whole, false, removals{all, k}, first);
          expect_as_serially(reversed, graph, whole, true, removals{all, k}, first);
          const auto numbers = property<std::uint64_t>::create(graph);
          expect_as_serially(graph, graph, whole, false, removals_of_pairs{{all, k}, numbers}, first);
          numbers.destroy();
        }
      }
      all.destroy();
      reversed.destroy();
      graph.destroy();
    }
  }
}

// Vertices that one of the first reaches, each with some parent that was reached.
struct reach {
  static constexpr bool asynchronous = true;
  using value = source;
  static constexpr auto combine = any{};
  bool visit(const vertex& v, const source& from) {
    parent[v] = from.number();
    return true;
  }
  property<std::uint64_t> parent;
};
TEST(asynchronous_edge_map, reaches_what_a_path_leads_to) {
  graph::build_options options{.symmetrize = false};
  options.keep = forms_for_maps;
  const std::size_t random_larger = test_graphs::all().size() - 1;
  const graph::distributed_graph graph = test_graphs::build(random_larger, options);
  const expected_graph whole(test_graphs::all()[random_larger], options);
  const auto parent = property<std::uint64_t>::create(graph);
  vertex_set rest = vertex_set::all(graph);
  const vertex_set found = edge_map(vertex_set::of(graph, {1}), reach{parent}, {.out_of = &rest});
  std::vector<bool> reached(whole.ids.size());
  reached[1] = true;
  for (bool more = true; std::exchange(more, false);) {
    for (const auto& e : whole.edges) {
      if (!reached[e.source] || reached[e.target]) continue;
      reached[e.target] = more = true;
    }
  }
  EXPECT_GT(found.size(), whole.ids.size() / 4);
  EXPECT_EQ(found.size() + 1, static_cast<std::size_t>(std::ranges::count(reached, true)));
  const auto parents = test_graphs::by_vertex_number(parent);
  for (const std::uint64_t n : found.numbers()) {
    ASSERT_TRUE(reached[n]) << n;
    const bool is_edge = std::ranges::any_of(
        whole.edges, [&](const auto& e) { return e.source == parents[n] && e.target == n; });
    ASSERT_TRUE(is_edge && reached[parents[n]]) << n;
  }
  parent.destroy();
  graph.destroy();
}

}  // namespace
}  // namespace orujo::internal::gas
