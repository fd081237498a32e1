// The cost of a search's step between locales, in messages of a core, counted on the loopback transport. Each
// step is one reduction, whatever its size, so one latency; a step of betweenness's way back is none.
#include <gtest/gtest.h>

#include <array>
#include <span>
#include <vector>

#include "framework/algorithms/betweenness.hpp"
#include "framework/algorithms/breadth_first_search.hpp"
#include "framework/algorithms/core_numbers.hpp"
#include "framework/algorithms/pagerank.hpp"
#include "framework/algorithms/shortest_paths.hpp"
#include "tests/framework/counted_steps.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::back_and_forth, test_graphs::messages_so_far, test_graphs::steps_of,
    test_graphs::steps_taken;
constexpr std::uint64_t vertices = test_graphs::vertices_back_and_forth;

//   1 -- 0, 2, 3, ... 389      and 2 -- 390, 3 -- 391, ... 11 -- 399
test_graphs::test_graph star_with_tails() {
  test_graphs::test_graph star{"star with tails", {}, vertices};
  for (std::uint64_t v = 0; v < vertices; ++v) {
    if (v == 1) continue;
    star.list.edges.push_back({v, v < 390 ? 1 : v - 388});
    star.list.weights.push_back(1);
  }
  return star;
}

constexpr graph::edge_forms forms_of_searches{.in_vectors = false, .in_rows = true, .out_rows = true};

TEST(latencies, of_a_pushed_level_are_one) {
  const steps_taken search = steps_of(forms_of_searches, [](graph::locale_graph& g) {
    breadth_first_search searches(g, {steps::direction::push});
    const std::uint64_t before = messages_so_far();
    const search_report report = searches.run(0);
    return steps_taken{static_cast<std::uint64_t>(report.levels), messages_so_far() - before};
  });
  EXPECT_EQ(search.steps, vertices);
  // A reduction each, and from every other level a bit. The rest is the beginning and the end.
  EXPECT_LE(search.messages, vertices + vertices / 2 + 10);
}

TEST(latencies, of_a_pulled_level_are_one) {
  const steps_taken search = steps_of(forms_of_searches, [](graph::locale_graph& g) {
    breadth_first_search searches(g, {steps::direction::pull});
    const std::uint64_t before = messages_so_far();
    const search_report report = searches.run(0);
    return steps_taken{static_cast<std::uint64_t>(report.levels), messages_so_far() - before};
  });
  EXPECT_EQ(search.steps, vertices);
  // A reduction each, and the bits that leave with it.
  EXPECT_LE(search.messages, 2 * vertices + 10);
}

TEST(latencies, bring_each_vertex_to_a_locale_once) {
  const auto search_star = [](graph::locale_graph& g) {
    breadth_first_search searches(g);
    const search_report report = searches.run(1);
    EXPECT_EQ(report.pulls, 2);
    // As ids: vertex 1, those of the other locale that lead to it, 2 to 11, which have tails there, and
    // these.
    const std::uint64_t leaves_there = 390 - g.owners.first_of(1);
    EXPECT_EQ(report.exchanged.raw, (1 + leaves_there + 10 + 10) * sizeof(std::uint64_t));
    return steps_taken{static_cast<std::uint64_t>(report.levels), 0};
  };
  EXPECT_EQ(steps_of(forms_of_searches, search_star, star_with_tails()).steps, 3u);
}

TEST(latencies, of_a_round_of_shortest_paths_are_one) {
  const steps_taken search = steps_of(shortest_paths_forms(true), [](graph::locale_graph& g) {
    shortest_paths paths(g, 50);
    const std::uint64_t before = messages_so_far();
    const paths_report report = paths.run(0);
    return steps_taken{static_cast<std::uint64_t>(report.rounds), messages_so_far() - before};
  });
  EXPECT_GE(search.steps, vertices - 1);
  EXPECT_LE(search.steps, vertices + 1);
  EXPECT_LE(search.messages, search.steps + vertices / 2 + 10);
}

steps_taken count_paths_from(std::span<const std::uint64_t> sources) {
  return steps_of({.in_vectors = false, .in_rows = true, .out_rows = true},
                  [sources](graph::locale_graph& g) {
                    std::vector<double> scores(g.own);
                    betweenness_centrality centrality(g, scores);
                    const std::uint64_t before = messages_so_far();
                    const centrality_report report = centrality.run(sources);
                    return steps_taken{static_cast<std::uint64_t>(report.levels), messages_so_far() - before};
                  });
}

TEST(latencies, of_a_level_of_betweenness_are_one_forward_and_none_back) {
  const std::array<std::uint64_t, 1> source{0};
  const steps_taken search = count_paths_from(source);
  EXPECT_EQ(search.steps, vertices);
  // Forward a reduction each, and from every other level a value; back a value from every other.
  EXPECT_LE(search.messages, 2 * vertices + 20);
}

TEST(latencies, of_betweenness_are_shared_by_searches_side_by_side) {
  const std::array<std::uint64_t, 8> sources{0, 0, 0, 0, 0, 0, 0, 0};
  const steps_taken search = count_paths_from(sources);
  EXPECT_EQ(search.steps, vertices);
  // Values for each, but the reductions of one, and of the levels before others began beside the first.
  EXPECT_LE(search.messages, sources.size() * vertices + vertices + 60);
}

// The path is peeled from both ends, and each round removes a vertex of either locale.
TEST(latencies, of_a_round_of_core_numbers_are_one) {
  const steps_taken peeled = steps_of({.in_vectors = false, .out_rows = true}, [](graph::locale_graph& g) {
    std::vector<std::uint32_t> numbers(g.own);
    core_numbers peeling(g, numbers);
    const std::uint64_t before = messages_so_far();
    const cores_report report = peeling.run();
    EXPECT_EQ(report.largest, 1u);
    return steps_taken{static_cast<std::uint64_t>(report.levels), messages_so_far() - before};
  });
  EXPECT_EQ(peeled.steps, 1u);
  // Each round sends a reduction and a removed vertex.
  EXPECT_GE(peeled.messages, vertices - 10);
  EXPECT_LE(peeled.messages, vertices + 20);
}

// Each locale has values, or totals of guests, for the other.
TEST(latencies, of_an_iteration_of_pagerank_are_a_message_and_a_reduction) {
  for (const auto placement : {graph::edge_placement::by_target, graph::edge_placement::grid}) {
    constexpr int iterations = 50;
    const steps_taken ranked = steps_of(
        {},
        [](graph::locale_graph& g) {
          std::vector<float> ranks(g.own);
          pagerank<float> program(g, ranks, {.iterations = iterations});
          const std::uint64_t before = messages_so_far();
          const gas::run_report report = gas::run(program, g);
          return steps_taken{static_cast<std::uint64_t>(report.supersteps), messages_so_far() - before};
        },
        back_and_forth(), placement);
    EXPECT_EQ(ranked.steps, iterations);
    EXPECT_GE(ranked.messages, 2 * ranked.steps);
    EXPECT_LE(ranked.messages, 2 * ranked.steps + 10);
  }
}

}  // namespace
}  // namespace orujo::internal::algorithms
