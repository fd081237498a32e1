#include "framework/algorithms/betweenness.hpp"

#include <gtest/gtest.h>

#include "framework/verify/betweenness_oracle.hpp"
#include "framework/verify/breadth_first_search_oracle.hpp"
#include "framework/verify/value_comparison.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::algorithms {
namespace {

constexpr double tolerance = 1e-10;  // of sums in another order

struct found_scores {
  centrality_report report;
  std::vector<double> scores;
};

// The second of two runs, of which the first had other sources.
found_scores find(graph::distributed_graph graph, const std::vector<std::size_t>& sources) {
  const auto scores = gas::property<double>::create(graph);
  found_scores found;
  loops::on_all_cores([=, from = &sources, to = &found.report] {
    const std::size_t count = loops::broadcast(my_core() == 0 ? from->size() : 0, 0);
    std::vector<std::uint64_t> mine;
    for (std::size_t k = 0; k < count; ++k)
      mine.push_back(loops::broadcast(my_core() == 0 ? (*from)[k] : std::size_t{0}, 0));
    betweenness_centrality centrality(graph.here(), scores.here());
    centrality.run(std::span(mine).first(1));
    const centrality_report report = centrality.run(mine);
    if (my_core() == 0) *to = report;
  });
  found.scores = test_graphs::by_vertex_number(scores);
  scores.destroy();
  return found;
}

void expect_scores(const verify::simple_graph& simple, const std::vector<std::size_t>& sources,
                   const found_scores& found) {
  std::uint64_t reached = 0;
  std::int64_t deepest = 0;
  for (const std::size_t source : sources) {
    for (const std::int64_t level : verify::search_levels(simple, source)) {
      reached += level != verify::unreached;
      deepest = std::max(deepest, level);
    }
  }
  EXPECT_EQ(found.report.reached, reached);
  EXPECT_EQ(found.report.levels, deepest + 1);
  verify::value_comparison<double> check("scores", simple.ids(), verify::betweenness(simple, sources),
                                         tolerance);
  ASSERT_EQ(found.scores.size(), simple.vertex_count());
  for (std::size_t v = 0; v < found.scores.size(); ++v) check.add(simple.ids()[v], found.scores[v]);
  EXPECT_TRUE(check.agrees()) << check.describe();
}

void expect_scores_of_all_graphs(bool symmetrize) {
  for (const test_graphs::test_graph& whole : test_graphs::all()) {
    const verify::simple_graph simple(whole.list.edges,
                                      {.vertex_count = whole.vertex_count, .symmetrize = symmetrize});
    const std::size_t n = simple.vertex_count();
    if (n == 0) continue;
    SCOPED_TRACE(whole.name);
    graph::build_options options;
    options.symmetrize = symmetrize;
    options.keep = {.in_vectors = false, .in_rows = true, .out_rows = true};
    const graph::distributed_graph graph = test_graphs::build(whole, options);
    std::vector<std::size_t> sources{n - 1, 0, n / 2};
    if (whole.name == "path") sources = {symmetrize ? n / 2 : n - 40};  // hundreds of levels take long
    expect_scores(simple, sources, find(graph, sources));
    graph.destroy();
  }
}

TEST(betweenness, is_that_of_the_oracle) { expect_scores_of_all_graphs(false); }

TEST(betweenness, is_that_of_the_oracle_without_directions) { expect_scores_of_all_graphs(true); }

}  // namespace
}  // namespace orujo::algorithms
