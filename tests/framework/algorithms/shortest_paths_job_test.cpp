#include "framework/algorithms/shortest_paths.hpp"

#include <glog/logging.h>
#include <gtest/gtest.h>

#include <span>

#include "framework/verify/shortest_paths_oracle.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::algorithms {
namespace {

using test_graphs::test_graph;

std::vector<float> distances_in(graph::distributed_graph handle, const std::vector<std::uint64_t>& sources,
                                float delta) {
  const auto distances = gas::property<float>::create(handle);
  loops::on_all_cores([=, from = at_home(sources)] {
    shortest_paths paths(handle.here(), distances.here(), delta);
    const std::size_t trials = loops::broadcast(my_core() == 0 ? from->size() : 0, 0);
    for (std::size_t k = 0; k < trials; ++k) paths.run(loops::broadcast(my_core() == 0 ? (*from)[k] : 0, 0));
  });
  const std::vector<float> all = test_graphs::by_vertex_number(distances);
  distances.destroy();
  return all;
}

// On the whole graph; the last of the sources counts.
void expect_distances(const test_graph& whole, bool symmetrize, const std::vector<float>& deltas,
                      const std::vector<std::uint64_t>& sources = {0}) {
  graph::build_options options;
  options.symmetrize = symmetrize;
  options.keep = shortest_paths_forms();
  const verify::simple_graph simple(
      whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = symmetrize}, whole.list.weights);
  const std::vector<float> expected = verify::shortest_paths(simple, sources.back());
  const graph::distributed_graph handle = test_graphs::build(whole, options);
  for (const float delta : deltas)
    EXPECT_EQ(distances_in(handle, sources, delta), expected) << whole.name << ", delta " << delta;
  handle.destroy();
}

test_graph random_graph(std::uint64_t seed, std::uint64_t vertices, std::size_t edges, auto draw_weight) {
  test_graph whole{"random, seed " + std::to_string(seed), {}, vertices};
  random_stream random(seed);
  for (std::size_t k = 0; k < edges; ++k) {
    whole.list.edges.push_back({random.below(vertices), random.below(vertices)});
    whole.list.weights.push_back(draw_weight(random));
  }
  return whole;
}

TEST(shortest_paths, are_those_of_the_oracle) {
  for (const test_graph& whole : test_graphs::all()) {
    expect_distances(whole, true, {0, 1, 7.5f});
    expect_distances(whole, false, {0, 1e-3f, 1e6f});
  }
}

TEST(shortest_paths, may_have_zero_and_fractional_weights) {
  const auto zeros = [](random_stream& random) { return static_cast<float>(random.below(3)); };
  const auto fractions = [](random_stream& random) { return static_cast<float>(random.below(1000)) / 7; };
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    expect_distances(random_graph(seed, 2000, 6000, zeros), seed % 2 == 0, {0, 0.3f, 100});
    expect_distances(random_graph(seed, 2000, 6000, fractions), seed % 2 == 0, {0, 0.3f, 100});
  }
  expect_distances(random_graph(9, 500, 3000, [](random_stream&) { return 0.0f; }), false, {0, 5});
}

TEST(shortest_paths, need_no_arcs) {
  for (const test_graph& whole : test_graphs::all()) {
    const verify::simple_graph simple(whole.list.edges, {.vertex_count = whole.vertex_count},
                                      whole.list.weights);
    graph::build_options options;
    options.keep = {.in_vectors = true, .in_rows = true, .out_rows = true};
    const graph::distributed_graph handle = test_graphs::build(whole, options);
    EXPECT_EQ(distances_in(handle, {0}, 0), verify::shortest_paths(simple, 0)) << whole.name;
    handle.destroy();
  }
}

// Far more bins than are kept apart, up to those that count as one, and sums that overflow.
TEST(shortest_paths, may_have_weights_of_any_size) {
  const auto wild = [](random_stream& random) {
    const float sizes[] = {1e-6f, 1, 1e4f, 1e9f, 1e25f, 3e38f};
    return sizes[random.below(6)] * static_cast<float>(1 + random.below(9)) / 10;
  };
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    expect_distances(random_graph(seed, 3000, 5000, wild), seed % 2 == 0, {0, 0.01f, 10});
}

//   0 -9-> 1 -9-> 2 ...: a bin at a time; with a shortcut of 0 far behind
TEST(shortest_paths, follow_long_paths) {
  test_graph path{"path with a shortcut", {}, {}};
  for (std::uint64_t v = 0; v < 3000; ++v) {
    path.list.edges.push_back({v, v + 1});
    path.list.weights.push_back(9);
  }
  path.list.edges.push_back({1000, 2900});
  path.list.weights.push_back(0);
  expect_distances(path, false, {0, 0.5f, 9, 1e5f});
  expect_distances(path, true, {0, 4}, {3000});
}

// Enough vertices in one bin for cores to share them.
TEST(shortest_paths, share_large_bins) {
  const auto weights = [](random_stream& random) { return static_cast<float>(1 + random.below(255)); };
  expect_distances(random_graph(5, 30'000, 240'000, weights), true, {0, 50, 1e4f}, {17});
}

TEST(shortest_paths, forget_the_search_before) {
  const auto weights = [](random_stream& random) { return static_cast<float>(random.below(50)); };
  expect_distances(random_graph(6, 1000, 3000, weights), false, {0, 3}, {5, 999, 5, 400});
}

TEST(shortest_paths, refuse_negative_weights_and_name_the_edge) {
  test_graph whole{"negative", {{{10, 20}, {20, 30}, {30, 10}}, {1, -0.5f, 2}}, {}};
  status at_core_0;
  loops::on_all_cores([from = at_home(whole), to = at_home(at_core_0)] {
    graph::input_edges input;
    if (my_core() == 0) input.mine = from->list;
    input.weighted = true;
    graph::build_options options;
    options.keep = shortest_paths_forms();
    const status outcome = graph::build(std::move(input), options).status();
    const int refused = loops::all_reduce(outcome.ok() ? 0 : 1);
    CHECK_EQ(refused, cores());
    if (my_core() == 0) *to = outcome;
  });
  EXPECT_EQ(at_core_0.code(), exit_status::bad_data);
  EXPECT_NE(at_core_0.message().find("from 20 to 30 has the weight -0.5"), std::string::npos)
      << at_core_0.message();
}

}  // namespace
}  // namespace orujo::algorithms
