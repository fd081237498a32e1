#include "framework/algorithms/delta_pagerank.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "framework/verify/pagerank_oracle.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/hub_graphs.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;

constexpr double damping = 0.85;

template <class Real>
std::vector<Real> ranks_in(graph::distributed_graph handle, double told_from,
                           const steps::direction_options& direction, bool scale) {
  const auto ranks = graph::property<Real>::create(handle), untold = graph::property<Real>::create(handle);
  loops::on_all_cores([=] {
    graph::locale_graph& g = handle.here();
    delta_pagerank<Real> program(g, ranks.here(), untold.here(), damping, told_from);
    const gas::run_report run = gas::run(program, g, {.most_supersteps = 1000, .direction = direction});
    CHECK(run.ended);
    if (direction.wanted == steps::direction::push) CHECK_EQ(run.pushed, std::max(run.supersteps - 1, 0));
    if (scale) program.finish(g.my_part().of(ranks.here()));
  });
  const std::vector<Real> all = test_graphs::by_vertex_number(ranks);
  ranks.destroy();
  untold.destroy();
  return all;
}

template <class Real>
void expect_ranks(graph::distributed_graph handle, const verify::simple_graph& simple, double told_from,
                  const steps::direction_options& direction = {}, bool scale = true) {
  const std::vector<Real> ranks = ranks_in<Real>(handle, told_from, direction, scale);
  const auto expected = verify::pagerank(
      simple, {.damping = damping,
               .iterations = 160,
               .dangling = scale ? verify::dangling_policy::redistribute : verify::dangling_policy::ignore});
  ASSERT_EQ(ranks.size(), expected.ranks.size());
  double distance = 0;
  for (std::size_t v = 0; v < ranks.size(); ++v)
    distance += std::abs(static_cast<double>(ranks[v]) - expected.ranks[v]);
  const double rounding = std::is_same_v<Real, float> ? 1e-5 : 1e-11;
  EXPECT_LE(distance, 2 * told_from * damping / (1 - damping) + rounding)
      << "tolerance " << told_from << ", direction " << static_cast<int>(direction.wanted);
}
template <class Real>
void expect_ranks(const test_graph& whole, bool symmetrize, double told_from,
                  const steps::direction_options& direction = {}, bool scale = true) {
  SCOPED_TRACE(whole.name);
  const graph::distributed_graph handle =
      test_graphs::build(whole, {.symmetrize = symmetrize, .keep = {.out_rows = true}});
  expect_ranks<Real>(
      handle,
      verify::simple_graph(whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = symmetrize}),
      told_from, direction, scale);
  handle.destroy();
}

TEST(delta_pagerank, is_as_near_to_the_fixed_point_as_it_says) {
  for (const test_graph& whole : test_graphs::in_turn()) {
    expect_ranks<float>(whole, true, 1e-6);
    expect_ranks<double>(whole, false, 1e-3, {}, false);
  }
}

TEST(delta_pagerank, is_as_near_at_hubs) {
  for (const steps::direction way : {steps::direction::push, steps::direction::automatic}) {
    expect_ranks<float>(test_graphs::hubs().front(), true, 1e-6, {way});
    expect_ranks<float>(test_graphs::hubs().back(), false, 1e-6, {way});
  }
}

TEST(delta_pagerank, has_no_other_error_than_the_tolerance) {
  expect_ranks<double>(test_graphs::all().back(), false, 1e-11);
}

// With pushes, pulls, and both by turns, nothing is reported twice and nothing gets lost.
TEST(delta_pagerank, gives_the_same_in_every_direction) {
  using steps::direction;
  for (const test_graph& whole : test_graphs::in_turn()) {
    if (whole.list.edges.size() > 5000) continue;
    for (const steps::direction_options& way :
         {steps::direction_options{direction::pull}, {direction::push}, {direction::automatic, 2}})
      expect_ranks<double>(whole, false, 1e-4, way);
  }
}

TEST(delta_pagerank, is_as_near_to_the_fixed_point_whatever_else_the_graph_keeps) {
  for (const bool symmetrized : {false, true}) {
    test_graphs::expect_program_in_all_forms<delta_pagerank<double>>(
        symmetrized,
        [](const test_graphs::kept_graph& kept) { expect_ranks<double>(kept.handle, *kept.simple, 1e-4); });
  }
}

}  // namespace
}  // namespace orujo::internal::algorithms
