#include "applications/graph500/tuples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "framework/verify/simple_graph.hpp"
#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"
#include "tests/at_home.hpp"

namespace orujo::internal::graph500 {
namespace {

const generators::generator_spec spec = describe_tuples(9, 4, 7, true);

TEST(graph500_tuples, have_weights_between_0_and_1) {
  const formats::edge_list all = make_tuples(spec, 0, spec.edge_count());
  ASSERT_EQ(all.weights.size(), 4u << 9);
  double sum = 0;
  for (const float weight : all.weights) {
    EXPECT_GT(weight, 0);
    EXPECT_LT(weight, 1);
    EXPECT_EQ(weight * 1048576, std::floor(weight * 1048576));
    sum += static_cast<double>(weight);
  }
  EXPECT_NEAR(sum / static_cast<double>(all.weights.size()), 0.5, 0.03);
}

TEST(graph500_tuples, are_dealt_to_the_cores_once) {
  struct totals {
    std::uint64_t listed, visited, mixed_listed, mixed_visited;
  };
  totals of_all{};
  loops::on_all_cores([to = at_home(of_all)] {
    totals mine{};
    const auto mix = [](const edge& e) { return mix64(mix64(e.source) + e.target); };
    for (const edge& e : make_my_tuples(spec).mine.edges) ++mine.listed, mine.mixed_listed += mix(e);
    visit_my_tuples(spec, [&](std::span<const edge> edges, std::span<const float> weights) {
      EXPECT_EQ(edges.size(), weights.size());
      for (const edge& e : edges) ++mine.visited, mine.mixed_visited += mix(e);
    });
    const totals sum = collectives::all_reduce(mine, [](totals a, const totals& b) {
      return totals{a.listed + b.listed, a.visited + b.visited, a.mixed_listed + b.mixed_listed,
                    a.mixed_visited + b.mixed_visited};
    });
    if (my_core() == 0) *to = sum;
  });
  std::uint64_t mixed = 0;
  for (const edge& e : make_tuples(spec, 0, spec.edge_count()).edges)
    mixed += mix64(mix64(e.source) + e.target);
  EXPECT_EQ(of_all.listed, spec.edge_count());
  EXPECT_EQ(of_all.visited, spec.edge_count());
  EXPECT_EQ(of_all.mixed_listed, mixed);
  EXPECT_EQ(of_all.mixed_visited, mixed);
}

TEST(graph500_tuples, are_counted_at_both_ends) {
  std::vector<std::uint32_t> expected(spec.vertex_count());
  for (const edge& e : make_tuples(spec, 0, spec.edge_count()).edges)
    ++expected[e.source], ++expected[e.target];
  const tuple_ends ends = count_tuple_ends(spec);
  for (std::size_t v = 0; v < expected.size(); ++v) EXPECT_EQ(delegates::read(ends[v]), expected[v]);
  ends.destroy();
}

TEST(graph500_tuples, roots_are_different_vertices_with_an_edge_to_another) {
  const graph::distributed_graph graph(
      containers::symmetric<std::shared_ptr<graph::locale_graph>>::create_by([=] {
        return graph::build(make_my_tuples(spec), {.remove_self_loops = true, .symmetrize = true}).value();
      }));
  const verify::simple_graph simple(
      make_tuples(spec, 0, spec.edge_count()).edges,
      {.vertex_count = spec.vertex_count(), .remove_self_loops = true, .symmetrize = true});
  std::size_t candidates = 0;
  for (std::size_t v = 0; v < simple.vertex_count(); ++v) candidates += simple.out_degree(v) > 0;
  ASSERT_LT(candidates, simple.vertex_count());
  for (const std::size_t wanted : {std::size_t{20}, simple.vertex_count()}) {
    const std::vector<std::uint64_t> roots = draw_roots(graph, wanted, 3);
    EXPECT_EQ(roots.size(), std::min(wanted, candidates));
    EXPECT_EQ(std::set<std::uint64_t>(roots.begin(), roots.end()).size(), roots.size());
    for (const std::uint64_t root : roots) EXPECT_GT(simple.out_degree(root), 0u) << root;
    EXPECT_EQ(roots, draw_roots(graph, wanted, 3));
  }
  graph.destroy();
}

}  // namespace
}  // namespace orujo::internal::graph500
