#include "framework/algorithms/label_propagation.hpp"

#include <gtest/gtest.h>

#include "framework/verify/label_propagation_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/hub_graphs.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;

constexpr graph::edge_forms rows_only{.in_vectors = false, .in_rows = true, .out_rows = true};

// As external ids, of which `ids` are all, ascending.
template <class Label>
std::vector<std::uint64_t> labels_in(graph::distributed_graph handle, const std::vector<std::uint64_t>& ids,
                                     int iterations, vectors::edge_loop_options edges = {},
                                     steps::direction way = steps::direction::automatic) {
  const auto labels = graph::property<Label>::create(handle);
  loops::on_all_cores([=] {
    label_propagation<Label> program(handle.here(), labels.here(), iterations);
    gas::run(program, handle.here(), {.edges = edges, .direction = {.wanted = way}});
  });
  std::vector<std::uint64_t> found;
  for (const Label label : test_graphs::by_position(handle, labels)) found.push_back(ids.at(label));
  labels.destroy();
  return found;
}
template <class Label>
std::vector<std::uint64_t> labels_of(const test_graph& whole, bool symmetrize, int iterations,
                                     vectors::edge_loop_options edges, const graph::partition_options& cut,
                                     steps::direction way = steps::direction::automatic) {
  const graph::distributed_graph handle =
      test_graphs::build(whole, {.symmetrize = symmetrize, .partition = cut, .keep = rows_only});
  const std::vector<std::uint64_t> found =
      labels_in<Label>(handle, test_graphs::expected_graph(whole, {}).ids, iterations, edges, way);
  handle.destroy();
  return found;
}

template <class Label = std::uint32_t>
void expect_labels(const test_graph& whole, bool symmetrize, int iterations,
                   vectors::edge_loop_options edges = {}, const graph::partition_options& cut = {}) {
  const verify::simple_graph simple(whole.list.edges,
                                    {.vertex_count = whole.vertex_count, .symmetrize = symmetrize});
  EXPECT_EQ(labels_of<Label>(whole, symmetrize, iterations, edges, cut),
            verify::label_propagation(simple, iterations))
      << whole.name << (symmetrize ? ", symmetrized, " : ", directed, ") << iterations << " iterations";
}

TEST(label_propagation, is_that_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    expect_labels(whole, true, 3);
    expect_labels<std::uint64_t>(whole, false, 2);
  }
}

// By weights from 0 to 3 in steps of a half, or in thirds, whose sums are rounded.
void expect_weighted_labels(test_graph whole, bool symmetrize, float unit,
                            const graph::partition_options& cut = {}) {
  constexpr int iterations = 3;
  whole.list.weights.clear();
  for (std::size_t k = 0; k < whole.list.edges.size(); ++k)
    whole.list.weights.push_back(static_cast<float>(k * 7 % 16 % 7) * unit);
  const graph::distributed_graph handle =
      test_graphs::build(whole, {.symmetrize = symmetrize,
                                 .partition = cut,
                                 .keep = {.in_vectors = false, .in_rows = true, .out_rows = true}});
  const auto labels = graph::property<std::uint32_t>::create(handle);
  loops::on_all_cores([=] {
    label_propagation<std::uint32_t, true> program(handle.here(), labels.here(), iterations);
    gas::run(program, handle.here());
  });
  const verify::simple_graph simple(
      whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = symmetrize}, whole.list.weights);
  std::vector<std::uint64_t> found;
  for (const std::uint32_t label : test_graphs::by_position(handle, labels))
    found.push_back(simple.ids().at(label));
  EXPECT_EQ(found, verify::label_propagation(simple, iterations, true))
      << whole.name << (symmetrize ? ", symmetrized" : ", directed");
  labels.destroy();
  handle.destroy();
}

TEST(label_propagation, by_weights_is_that_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    expect_weighted_labels(whole, true, 0.5f);
    expect_weighted_labels(whole, false, 0.5f, {.hash = true});
    expect_weighted_labels(whole, true, 1.0f / 3, {.hash = true});
    expect_weighted_labels(whole, false, 1.0f / 3);
  }
  for (const test_graph& whole : test_graphs::hubs()) expect_weighted_labels(whole, true, 0.1f);
}

TEST(label_propagation, is_that_of_the_oracle_at_hubs) {
  for (const test_graph& whole : test_graphs::hubs()) expect_labels(whole, true, 3);
}

// The smallest id wins, not the smallest vertex number.
TEST(label_propagation, is_the_same_where_vertices_are_scattered) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    expect_labels(whole, true, 3, {}, {.hash = true});
    expect_labels(whole, false, 2, {}, {.hash = true});
  }
}

// It also ends without convergence:   0 - 1   exchange their labels endlessly.
TEST(label_propagation, ends_when_it_has_converged_or_after_all_iterations) {
  const test_graph pair{"pair", {{{0, 1}}, {}}, 3};
  for (const int iterations : {0, 1, 2, 7}) expect_labels(pair, true, iterations);
  //   0 - 1 - 2 - 0
  expect_labels({"triangle", {{{0, 1}, {1, 2}, {2, 0}}, {}}, {}}, true, 1000);
}

// Both ends of an edge count each other, whether all vertices examine theirs, or only neighbours of changed
// ones.
TEST(label_propagation, of_directed_graphs_is_the_same_in_both_directions) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    const verify::simple_graph simple(whole.list.edges, {.vertex_count = whole.vertex_count});
    const auto expected = verify::label_propagation(simple, 6);
    for (const auto way : {steps::direction::pull, steps::direction::push})
      EXPECT_EQ(labels_of<std::uint32_t>(whole, false, 6, {}, {}, way), expected) << whole.name;
  }
}

TEST(label_propagation, counts_repeated_edges) {
  //   9 -> 2 <= 8 (twice)
  expect_labels({"majority", {{{9, 2}, {8, 2}, {8, 2}, {2, 5}}, {}}, {}}, false, 1);
}

// Rows are longer than chunks, and chunks are without any row's start.
TEST(label_propagation, is_the_same_for_every_chunk_size_and_schedule) {
  using vectors::edge_schedule;
  for (const edge_schedule schedule : {edge_schedule::fixed, edge_schedule::dynamic, edge_schedule::guided,
                                       edge_schedule::usersched, edge_schedule::usersched_profiled}) {
    for (const std::size_t chunk : {1u, 50u, 1'000'000u}) {
      for (const std::size_t g : {6u, 12u}) expect_labels(test_graphs::all()[g], true, 4, {schedule, chunk});
    }
  }
}

TEST(label_propagation, is_that_of_the_oracle_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_program_in_all_forms<label_propagation<std::uint32_t>>(
        symmetrized, [](const test_graphs::kept_graph& kept) {
          EXPECT_EQ(labels_in<std::uint32_t>(kept.handle, kept.simple->ids(), 4),
                    verify::label_propagation(*kept.simple, 4));
        });
  }
}

}  // namespace
}  // namespace orujo::internal::algorithms
