#include "framework/layout/order_vertices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "framework/verify/simple_graph.hpp"
#include "system/loops/forall.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::layout {
namespace {

using test_graphs::test_graph;

order_request request_of(order_kind kind) { return {kind, {64, 256}, 4, 7}; }

template <order_kind Kind>
result<graph::vertex_order> order_of(const graph::input_edges& input, const graph::vertex_ids& ids,
                                     const graph::build_options&) {
  return order_vertices(input, ids, request_of(Kind));
}

// The numbers by position, as the first and the last locale have them.
template <order_kind Kind>
std::array<std::vector<std::uint64_t>, 2> numbers_of(std::size_t index) {
  std::array<std::vector<std::uint64_t>, 2> numbers;
  loops::on_all_cores([index, to = at_home(numbers)] {
    graph::build_options options;
    options.order = &order_of<Kind>;
    auto built =
        graph::build(test_graphs::part_of_input(test_graphs::all()[index], my_core(), cores()), options);
    const graph::locale_graph& g = *built.value();
    std::vector<std::vector<std::uint64_t>> mine(static_cast<std::size_t>(cores()));
    const core_id first = shape().first_core_of(0), last = shape().first_core_of(locales() - 1);
    if (my_core() == first || my_core() == last) {
      for (std::uint64_t v = 0; v < g.vertices; ++v) mine[0].push_back(g.numbers.number(v));
    }
    const auto received = collectives::all_to_all(mine);
    if (my_core() == 0)
      *to = {received[static_cast<std::size_t>(first)], received[static_cast<std::size_t>(last)]};
    collectives::barrier();
  });
  return numbers;
}

// Serially, from all edges.
std::vector<std::uint64_t> expected_numbers(const test_graph& whole, order_kind kind) {
  const test_graphs::expected_graph expected(whole, {});
  const std::uint64_t vertices = expected.ids.size();
  std::vector<edge> edges;
  for (const test_graphs::plain_edge& e : expected.edges) edges.push_back({e.source, e.target});
  std::vector<std::uint32_t> degrees(vertices);
  for (const edge& e : edges) {
    if (e.source == e.target) continue;
    ++degrees[e.source];
    ++degrees[e.target];
  }
  vertex_sequence order;
  const auto append = [&](const graph::index_array& of) {
    for (std::uint64_t k = 0; k < of.size(); ++k) order.push_back(static_cast<std::uint32_t>(of[k]));
  };
  if (kind == order_kind::degree) {
    append(degree_order(degrees));
  } else if (kind == order_kind::hub_cluster) {
    append(hub_cluster_order(degrees));
  } else {
    order = sequence_of(make_undirected(static_cast<std::uint32_t>(vertices), edges), request_of(kind));
  }
  std::vector<std::uint64_t> numbers(vertices);
  for (std::uint64_t k = 0; k < vertices; ++k) numbers[order[k]] = k;
  return numbers;
}

template <order_kind Kind>
void expect_order() {
  for (std::size_t g = 0; g < test_graphs::all().size(); ++g) {
    const test_graph whole = test_graphs::all()[g];
    SCOPED_TRACE(whole.name);
    const std::vector<std::uint64_t> expected = expected_numbers(whole, Kind);
    const auto [first, last] = numbers_of<Kind>(g);
    EXPECT_EQ(first, expected);
    EXPECT_EQ(last, expected);
  }
}

TEST(order_vertices, by_degree_is_the_serial_one_at_every_locale) { expect_order<order_kind::degree>(); }
TEST(order_vertices, by_hubs_is_the_serial_one_at_every_locale) { expect_order<order_kind::hub_cluster>(); }
TEST(order_vertices, breadth_first_is_the_serial_one_at_every_locale) { expect_order<order_kind::bfs>(); }
TEST(order_vertices, depth_first_is_the_serial_one_at_every_locale) { expect_order<order_kind::dfs>(); }
TEST(order_vertices, hierarchical_is_the_serial_one_at_every_locale) {
  expect_order<order_kind::hierarchical>();
}
TEST(order_vertices, by_communities_is_the_serial_one_at_every_locale) {
  expect_order<order_kind::community>();
}

TEST(order_vertices, at_random_is_a_permutation_by_its_seed) {
  const std::vector<std::uint64_t> numbers = numbers_of<order_kind::random>(0)[0];
  const graph::numbering expected = graph::numbering::scattered(numbers.size(), 7);
  for (std::uint64_t v = 0; v < numbers.size(); ++v) EXPECT_EQ(numbers[v], expected.number(v));
}

// The graph is that of the input, whatever the order of its vertices.
TEST(order_vertices, leaves_the_graph_as_it_is) {
  for (std::size_t index = 0; index < test_graphs::all().size(); ++index) {
    SCOPED_TRACE(test_graphs::all()[index].name);
    std::vector<test_graphs::plain_edge> got;
    loops::on_all_cores([index, to = at_home(got)] {
      graph::build_options options;
      options.order = &order_of<order_kind::hierarchical>;
      auto built =
          graph::build(test_graphs::part_of_input(test_graphs::all()[index], my_core(), cores()), options);
      const graph::locale_graph& g = *built.value();
      if (leads_locale()) {
        delegates::completion_event sent;
        for_each_edge(g.in_edges(), [&](std::uint32_t target, std::uint32_t source, float weight) {
          const test_graphs::plain_edge e{g.position_of(source), g.position_of(target), weight};
          delegates::async_call(sent, 0, [=] { to->push_back(e); });
        });
        sent.wait();
      }
      collectives::barrier();
    });
    std::sort(got.begin(), got.end());
    EXPECT_TRUE(got == test_graphs::expected_graph(test_graphs::all()[index], {}).edges);
  }
}

TEST(choose_order, goes_by_size_then_by_nearness_then_by_hubs) {
  constexpr std::size_t cache = 2 << 20;
  EXPECT_EQ(choose_order({100'000, 15, 0.6}, 4, cache), order_kind::none) << "its values fit the cache";
  EXPECT_EQ(choose_order({10'000'000, 5, 0.6}, 4, cache), order_kind::none) << "its ids are near already";
  EXPECT_EQ(choose_order({10'000'000, 21, 0.6}, 4, cache), order_kind::degree);
  EXPECT_EQ(choose_order({10'000'000, 21, 0.13}, 4, cache), order_kind::degree);
  EXPECT_EQ(choose_order({10'000'000, 21, 0.05}, 4, cache), order_kind::hierarchical);
  EXPECT_EQ(choose_order({10'000'000, 21, 0}, 4, cache), order_kind::hierarchical);
}

}  // namespace
}  // namespace orujo::layout
