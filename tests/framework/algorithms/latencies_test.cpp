// What a step of a search takes between locales: messages of a core, counted on the loopback transport. Each
// step is one reduction, so one latency, however much is told in it; one of betweenness's way back none.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "framework/algorithms/betweenness.hpp"
#include "framework/algorithms/breadth_first_search.hpp"
#include "framework/algorithms/shortest_paths.hpp"
#include "system/runtime/runtime.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::algorithms {
namespace {

constexpr std::uint64_t vertices = 400;

//   0 -- 200 -- 1 -- 201 -- 2 -- ...      of two locales, the one owns 0 to 199: every edge leads to the
//   other
test_graphs::test_graph back_and_forth() {
  test_graphs::test_graph path{"back and forth", {}, vertices};
  for (std::uint64_t k = 0; k + 1 < vertices; ++k) {
    const auto at = [](std::uint64_t place) { return place / 2 + place % 2 * (vertices / 2); };
    path.list.edges.push_back({at(k), at(k + 1)});
    path.list.weights.push_back(100);  // far apart, so that a step is one edge
  }
  return path;
}

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

// [task] What this core has sent to other locales so far.
std::uint64_t messages_so_far() {
  std::uint64_t sum = 0;
  for (const messages::block_traffic& to : messages::messenger::here().traffic()) sum += to.messages_sent;
  return sum;
}

struct steps_taken {
  std::uint64_t steps = 0, messages = 0;  // messages: by the busiest core
};

// search: [on every core] returns how many steps it took.
template <class Search>
steps_taken steps_of(const graph::edge_forms& forms, const Search& search,
                     const test_graphs::test_graph& searched = back_and_forth()) {
  steps_taken taken;
  runtime::job_options options;
  options.cores = 1;
  options.steal = delegates::steal_scope::off;  // nobody asks for work meanwhile
  const exit_status ended = runtime::run_loopback(2, options, [&] {
    graph::build_options build;
    build.symmetrize = true;
    build.keep = forms;
    const graph::distributed_graph graph = test_graphs::build(searched, build);
    loops::on_all_cores([graph, &search, to = at_home(taken)] {
      const steps_taken mine = search(graph.here());
      const auto most =
          loops::all_reduce(mine.messages, [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
      if (my_core() == 0) *to = {mine.steps, most};
    });
    graph.destroy();
    return status();
  });
  EXPECT_EQ(ended, exit_status::ok);
  return taken;
}

TEST(latencies, of_a_pushed_level_are_one) {
  const steps_taken search = steps_of(forms_of_searches, [](graph::locale_graph& g) {
    breadth_first_search searches(g, {engine::direction::push});
    const std::uint64_t before = messages_so_far();
    const search_report report = searches.run(0);
    return steps_taken{static_cast<std::uint64_t>(report.levels), messages_so_far() - before};
  });
  EXPECT_EQ(search.steps, vertices);
  // A reduction each, and from every other level a bit; the beginning, the end, and who finds nothing.
  EXPECT_LE(search.messages, vertices + vertices / 2 + 10);
}

TEST(latencies, of_a_pulled_level_are_one) {
  const steps_taken search = steps_of(forms_of_searches, [](graph::locale_graph& g) {
    breadth_first_search searches(g, {engine::direction::pull});
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

}  // namespace
}  // namespace orujo::algorithms
