#include "framework/layout/order_vertices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "framework/graph/build/degree_order.hpp"
#include "framework/verify/simple_graph.hpp"
#include "system/loops/forall.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::internal::layout {
namespace {

using test_graphs::test_graph;

order_request request_of(order_kind kind) { return {kind, {64, 256}, 4, 7}; }

template <order_kind Kind>
result<graph::vertex_order> order_of(const graph::input_edges& input, std::uint64_t vertices,
                                     const graph::build_options&) {
  return order_vertices(input, vertices, request_of(Kind));
}

// The numbers by position, as the first and the last locale have them.
template <order_kind Kind>
std::array<std::vector<std::uint64_t>, 2> numbers_of(std::size_t index) {
  std::array<std::vector<std::uint64_t>, 2> numbers;
  loops::on_all_cores([index, to = at_home(numbers)] {
    graph::build_options options;
    if constexpr (Kind == order_kind::degree) {
      options.keep.order = graph::requested_order::by_degree;
    } else {
      options.order = &order_of<Kind>;
    }
    auto built =
        graph::build(test_graphs::part_of_input(test_graphs::all()[index], my_core(), cores()), options);
    const graph::locale_graph& g = *built.value();
    by_core<std::vector<std::uint64_t>> mine(cores());
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
    if (e.source == e.target && kind != order_kind::degree) continue;  // a build counts loops
    ++degrees[e.source];
    ++degrees[e.target];
  }
  vertex_sequence order;
  if (kind == order_kind::degree) {
    const auto table = graph::degree_order(degrees);
    for (std::uint64_t k = 0; k < vertices; ++k)
      order.push_back(static_cast<std::uint32_t>(table->positions[k]));
  } else if (kind == order_kind::hub_cluster) {
    const graph::index_array hubs_first = hub_cluster_order(degrees);
    for (std::uint64_t k = 0; k < vertices; ++k) order.push_back(static_cast<std::uint32_t>(hubs_first[k]));
  } else {
    order = sequence_of(make_undirected(static_cast<std::uint32_t>(vertices), edges), request_of(kind));
  }
  std::vector<std::uint64_t> numbers(vertices);
  for (std::uint64_t k = 0; k < vertices; ++k) numbers[order[k]] = k;
  return numbers;
}

template <order_kind Kind>
void expect_order() {
  for (const std::size_t g : test_graphs::places_in_turn()) {
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

// The edges of the graph of an input, by position, from rows of both directions: they are equal. The order is
// the hierarchical one if any may be.
std::vector<test_graphs::plain_edge> edges_of(std::size_t index, const graph::build_options& asked) {
  std::array<std::vector<test_graphs::plain_edge>, 2> got;
  loops::on_all_cores([index, asked, to = at_home(got)] {
    graph::build_options options = asked;
    if (options.keep.order == graph::requested_order::any)
      options.order = &order_of<order_kind::hierarchical>;
    auto built =
        graph::build(test_graphs::part_of_input(test_graphs::all()[index], my_core(), cores()), options);
    const graph::locale_graph& g = *built.value();
    delegates::completion_event sent;
    const auto send = [&](std::size_t direction, std::uint32_t source, std::uint32_t target, float weight) {
      const test_graphs::plain_edge e{g.position_of(source), g.position_of(target), weight};
      delegates::async_call(sent, 0, [=] { (*to)[direction].push_back(e); });
    };
    if (leads_locale()) {
      for_each_edge(g.in_edges(), [&](std::uint32_t target, std::uint32_t source, float weight) {
        send(0, source, target, weight);
      });
    }
    const graph::adjacency& rows = *g.out_rows;
    const graph::edge_reader reader = rows.any_form();
    for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
      for (std::uint64_t k = rows.offsets[v]; k < rows.offsets[v + 1]; ++k)
        send(1, v, reader[k].neighbour, reader[k].weight);
    }
    sent.wait();
    collectives::barrier();
  });
  for (auto& edges : got) std::ranges::sort(edges);
  EXPECT_TRUE(got[0] == got[1]);
  return got[0];
}

// The graph is that of the input, whatever the order of its vertices.
TEST(order_vertices, leaves_the_graph_as_it_is) {
  for (const std::size_t index : test_graphs::places_in_turn()) {
    SCOPED_TRACE(test_graphs::all()[index].name);
    for (const unsigned changes : {0u, 1u, 2u, 3u}) {
      graph::build_options options;
      options.symmetrize = (changes & 1) != 0;
      options.remove_self_loops = (changes & 2) != 0;
      options.keep.out_rows = true;
      const auto expected = test_graphs::expected_graph(test_graphs::all()[index], options).edges;
      options.keep.order = graph::requested_order::by_degree;
      EXPECT_TRUE(edges_of(index, options) == expected) << changes;
      options.keep.order = graph::requested_order::any;
      EXPECT_TRUE(edges_of(index, options) == expected) << changes;
    }
  }
}

}  // namespace
}  // namespace orujo::internal::layout
