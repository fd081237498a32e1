#include "framework/algorithms/shortest_paths.hpp"

#include <glog/logging.h>
#include <gtest/gtest.h>

#include <cmath>
#include <span>

#include "framework/verify/shortest_paths_oracle.hpp"
#include "framework/verify/value_comparison.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;

std::vector<double> distances_in(graph::distributed_graph handle, const std::vector<std::uint64_t>& sources,
                                 float delta) {
  const auto distances = graph::property<double>::create(handle);
  loops::on_all_cores([=, from = at_home(sources)] {
    shortest_paths paths(handle.here(), delta);
    const std::size_t trials = collectives::broadcast(my_core() == 0 ? from->size() : 0, 0);
    for (std::size_t k = 0; k < trials; ++k)
      paths.run(collectives::broadcast(my_core() == 0 ? (*from)[k] : 0, 0));
    paths.write(distances.here());
  });
  const std::vector<double> all = test_graphs::by_vertex_number(distances);
  distances.destroy();
  return all;
}

// Expects the distances from the last of the sources, over the whole graph. They equal those in double
// precision to the bit, for any order of relaxations, and those in long double within their error bound.
void expect_distances(const test_graph& whole, bool symmetrize, const std::vector<float>& deltas,
                      const std::vector<std::uint64_t>& sources = {0}) {
  graph::build_options options;
  options.symmetrize = symmetrize;
  options.keep = shortest_paths_forms();
  const verify::simple_graph simple(
      whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = symmetrize}, whole.list.weights);
  const std::vector<double> expected = verify::shortest_paths<double>(simple, sources.back());
  const verify::expected_distances precise = verify::precise_distances(simple, sources.back());
  verify::value_comparison<double> check("distances", simple.ids(), precise.distances,
                                         precise.relative_error);
  for (std::size_t v = 0; v < expected.size(); ++v) check.add(simple.ids()[v], expected[v]);
  EXPECT_TRUE(check.agrees()) << whole.name << ": " << check.describe();
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
  for (const test_graph& whole : test_graphs::in_turn()) {
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

TEST(shortest_paths, are_those_of_the_oracle_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_in_all_forms(
        {.in_rows = locales() > 1, .out_rows = true, .in_arrays = false}, symmetrized, "shortest_paths",
        [](const test_graphs::kept_graph& kept) {
          EXPECT_EQ(distances_in(kept.handle, {0}, 0), verify::shortest_paths<double>(*kept.simple, 0));
        },
        [](const test_graphs::kept_graph& kept) { const shortest_paths refused(kept.handle.here()); });
  }
}

// The weights span far more bins than are kept apart, up to the bins that count as one. Sums of them
// overflow.
TEST(shortest_paths, may_have_weights_of_any_size) {
  const auto wild = [](random_stream& random) {
    const float sizes[] = {1e-6f, 1, 1e4f, 1e9f, 1e25f, 3e38f};
    return sizes[random.below(6)] * static_cast<float>(1 + random.below(9)) / 10;
  };
  for (std::uint64_t seed = 1; seed <= (sanitized ? 2 : 4); ++seed)
    expect_distances(random_graph(seed, 3000, 5000, wild), seed % 2 == 0, {0, 0.01f, 10});
}

float whole_up_to(random_stream& random, float largest) {
  return std::trunc(static_cast<float>(random.below(1u << 24)) / 0x1p24f * largest);
}

// With these largest weights some distances, many or all exceed what a precision holds.
TEST(shortest_paths, may_cross_the_ends_of_single_and_double_precision) {
  std::size_t turn = 0;
  for (const float largest :
       {0x1p18f, 0x1p21f, 0x1p23f, 0x1p26f, 0x1p44f, 0x1p50f, 0x1p53f, 0x1p100f, 3e38f}) {
    const auto weights = [&](random_stream& random) { return whole_up_to(random, largest); };
    for (const bool symmetrize : {false, true}) {
      if (!test_graphs::is_in_turn(turn++)) continue;
      SCOPED_TRACE(testing::Message() << "weights up to " << largest);
      expect_distances(random_graph(11, 3000 / test_graphs::share, 4500 / test_graphs::share, weights),
                       symmetrize, {0, largest / 100, largest * 2});
    }
  }
}

TEST(shortest_paths, are_exact_where_weights_are_whole) {
  //   0 -2^24-> 1 -1-> 2 -1-> 3 -1-> ... -1-> 999
  test_graph whole{"whole", {}, {}};
  for (std::uint64_t v = 0; v < 999; ++v) {
    whole.list.edges.push_back({v, v + 1});
    whole.list.weights.push_back(v == 0 ? 0x1p24f : 1);
  }
  graph::build_options options;
  options.keep = shortest_paths_forms();
  const graph::distributed_graph handle = test_graphs::build(whole, options);
  // The searches are one that stays within single precision, one that leaves it, and one after that.
  for (const std::vector<std::uint64_t>& sources :
       {std::vector<std::uint64_t>{0}, std::vector<std::uint64_t>{1, 0}, std::vector<std::uint64_t>{0, 1}}) {
    for (const float delta : {0.0f, 1.0f, 1e30f}) {
      const std::vector<double> found = distances_in(handle, sources, delta);
      ASSERT_EQ(found.size(), 1000u);
      for (std::size_t v = 1; v < 1000; ++v)
        ASSERT_EQ(found[v], static_cast<double>(v - 1) + (sources.back() == 0 ? 0x1p24 : 0)) << v;
    }
  }
  handle.destroy();
}

// Any core at any locale may find the first distance that single precision does not hold.
TEST(shortest_paths, leave_single_precision_wherever_that_is_seen) {
  random_stream random(14);
  for (int trial = 0; trial < 60; ++trial) {
    constexpr std::uint64_t vertices = 40;
    std::vector<std::uint64_t> order;
    for (std::uint64_t v = 0; v < vertices; ++v)
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(random.below(v + 1)), v);
    test_graph path{"path in some order", {}, vertices};
    for (std::size_t k = 0; k < 3; ++k) {
      path.list.edges.push_back({order[k], order[k + 1]});
      path.list.weights.push_back(k == 0 ? 8388606.5f : 8388607);
    }
    expect_distances(path, false, {0}, {order[0]});
  }
}

// Sums of multiples of 1/16 are exact, too: no bits get lost where they have more than 24.
TEST(shortest_paths, are_exact_where_weights_are_multiples_of_a_fraction) {
  const auto sixteenths = [](random_stream& random) {
    return static_cast<float>(random.below(1u << 22)) / 16;
  };
  for (const bool symmetrize : {false, true})
    expect_distances(random_graph(12, 3000, 4500, sixteenths), symmetrize, {0, 1000});
}

// Distances are rounded after every edge, as Graph500's are.
TEST(shortest_paths, may_be_single_if_asked) {
  const auto fractions = [](random_stream& random) { return static_cast<float>(random.below(1000)) / 7; };
  const test_graph whole = random_graph(13, 2000, 6000, fractions);
  const verify::simple_graph simple(whole.list.edges, {.vertex_count = whole.vertex_count},
                                    whole.list.weights);
  graph::build_options options;
  options.keep = shortest_paths_forms();
  const graph::distributed_graph handle = test_graphs::build(whole, options);
  const auto distances = graph::property<float>::create(handle);
  loops::on_all_cores([=] {
    shortest_paths paths(handle.here(), 0, path_precision::single);
    paths.run(0);
    paths.write(distances.here());
  });
  EXPECT_EQ(test_graphs::by_vertex_number(distances), verify::shortest_paths<float>(simple, 0));
  distances.destroy();
  handle.destroy();
}

//   0 -9-> 1 -9-> 2 -9-> ... -9-> 3000, and 1000 -0-> 2900
// A bin of a small delta has one vertex. The shortcut of length 0 is far from the source.
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

// One bin has enough vertices for cores to share them.
TEST(shortest_paths, share_large_bins) {
  const auto weights = [](random_stream& random) { return static_cast<float>(1 + random.below(255)); };
  expect_distances(random_graph(5, 30'000, 240'000, weights), true, {0, 50, 1e4f}, {17});
}

// Where vertices have many edges, heavy ones wait for the end of an epoch of bins. Then they are pushed or
// pulled, whichever is less, and on the ends of epochs distances are rounded in single precision.
TEST(shortest_paths, let_heavy_edges_wait) {
  constexpr std::uint64_t vertices = 3000 / test_graphs::share;
  const auto whole = [](random_stream& random) { return static_cast<float>(1 + random.below(1000)); };
  const auto fractions = [](random_stream& random) { return static_cast<float>(random.below(1000)) / 7; };
  const auto some_zeros = [](random_stream& random) {
    return static_cast<float>(random.below(4) == 0 ? 0 : random.below(1u << 20)) / 16;
  };
  const auto squared = [](random_stream& random) {
    const auto root = static_cast<float>(random.below(1000));
    return root * root;
  };
  for (const bool symmetrize : {false, true}) {
    expect_distances(random_graph(21, vertices, 30 * vertices, whole), symmetrize, {0, 1, 100, 1e6f}, {7, 3});
    expect_distances(random_graph(22, vertices, 30 * vertices, fractions), symmetrize, {0, 0.5f});
    expect_distances(random_graph(23, vertices, 30 * vertices, some_zeros), symmetrize, {0, 64});
    expect_distances(random_graph(24, vertices, 30 * vertices, squared), symmetrize, {0, 100});
  }
}

// Only heavy edges lead from one part to the next, and to a tail that is behind all parts.
TEST(shortest_paths, go_on_along_heavy_edges_alone) {
  constexpr std::uint64_t parts = 6, of_part = 40;
  test_graph whole{"cliques in a row", {}, {}};
  const auto add = [&](std::uint64_t source, std::uint64_t target, float weight) {
    whole.list.edges.push_back({source, target});
    whole.list.weights.push_back(weight);
  };
  random_stream random(8);
  for (std::uint64_t p = 0; p < parts; ++p) {
    for (std::uint64_t v = 0; v < of_part; ++v) {
      for (std::uint64_t w = 0; w < v; ++w)
        add(p * of_part + v, p * of_part + w, static_cast<float>(1 + random.below(100)));
    }
    add(p * of_part, (p + 1) * of_part, 1e5f);
  }
  for (std::uint64_t v = parts * of_part; v < parts * of_part + 20; ++v) add(v, v + 1, 1e7f);
  expect_distances(whole, true, {0, 5}, {3});
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
    const int refused = collectives::all_reduce(outcome.ok() ? 0 : 1);
    CHECK_EQ(refused, cores());
    if (my_core() == 0) *to = outcome;
  });
  EXPECT_EQ(at_core_0.code(), exit_status::bad_data);
  EXPECT_NE(at_core_0.message().find("from 20 to 30 has the weight -0.5"), std::string::npos)
      << at_core_0.message();
}

}  // namespace
}  // namespace orujo::internal::algorithms
