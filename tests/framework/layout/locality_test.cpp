#include "framework/layout/locality.hpp"

#include <gtest/gtest.h>

#include "tests/framework/layout/random_edges.hpp"

namespace orujo::internal::layout {
namespace {

TEST(locality, of_a_path_is_as_counted) {
  std::vector<edge> edges;
  for (std::uint64_t v = 0; v + 1 < 256; ++v) edges.push_back({v, v + 1});
  const undirected_graph g = make_undirected(256, edges);
  const auto same = [](std::uint64_t v) { return v; };
  const locality found = measure_locality(g, same, same, {64, 256}, 4);
  EXPECT_EQ(found.log2_gap, 0);
  // Four windows of 64, each of four lines of 16. The vertex beyond either end of a window is in one more
  // line. The first and the last window have such a line at one end only.
  EXPECT_DOUBLE_EQ(found.touched[0], (4 * 4 + 6) / 510.);
  EXPECT_DOUBLE_EQ(found.touched[1], (4 * 1 + 6) / 510.);
}

TEST(locality, sees_an_order) {
  std::vector<edge> edges;
  for (std::uint64_t v = 0; v + 1 < 4096; ++v) edges.push_back({v, v + 1});
  const undirected_graph g = make_undirected(4096, edges);
  const graph::numbering scattered = graph::numbering::scattered(4096);
  const locality found = measure_locality(
      g, [&](std::uint64_t v) { return scattered.number(v); },
      [&](std::uint64_t k) { return scattered.position(k); }, {64}, 4);
  // By chance: log2 of a distance is log2(4096) - 1.5 log2(e) = 9.8 in the mean, and 128 draws out of 256
  // lines hit 101 different ones.
  EXPECT_NEAR(found.log2_gap, 9.8, 0.3);
  EXPECT_NEAR(found.touched[0], 101. / 128, 0.05);
}

TEST(locality, of_no_edges_is_zero) {
  const auto same = [](std::uint64_t v) { return v; };
  EXPECT_EQ(measure_locality(make_undirected(5, {}), same, same, {64}, 4).log2_gap, 0);
  EXPECT_EQ(measure_locality(make_undirected(0, {}), same, same, {64}, 4).touched[0], 0);
}

}  // namespace
}  // namespace orujo::internal::layout
