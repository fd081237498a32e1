// Which edges go into which slice; the layout of the vectors is vector_sparse_test's.
#include "framework/graph/build/slice_encoder.hpp"

#include <gtest/gtest.h>

#include "tests/framework/row_store.hpp"

namespace orujo::internal::graph {
namespace {

TEST(slice_encoder, puts_edges_into_the_segments_of_their_sources) {
  random_stream random(4);
  const test_graphs::row_store store = test_graphs::random_store(random, 500, 1000);
  const test_graphs::encoded all =
      test_graphs::encode(store, {{0, 200, store.vertices()}, {0, 1, 400, 400, 1000}, 16});
  ASSERT_EQ(all.segments.size(), 4u);
  EXPECT_EQ(all.segments[2].first, all.segments[2].last);
  std::size_t edges = 0;
  for (const edge_segment& segment : all.segments) {
    vector_sparse_view one = all.view();
    one.slices = one.slices.subspan(segment.first_slice, segment.last_slice - segment.first_slice);
    for_each_edge(one, [&](std::uint32_t, std::uint32_t source, float) {
      ++edges;
      EXPECT_GE(source, segment.first_source);
      EXPECT_LT(source, segment.last_source);
    });
  }
  EXPECT_EQ(edges, store.neighbours.size());
}

TEST(slice_encoder, bundles_vertices_up_to_the_depth_only) {
  for (const std::uint32_t depth : {0u, 1u, 7u, 255u}) {
    random_stream random(depth);
    const test_graphs::row_store store = test_graphs::random_store(random, 400, 100);
    const test_graphs::encoded all = test_graphs::encode(store, {{0, store.vertices()}, {0, 100}, depth});
    std::vector<std::uint64_t> single(store.vertices());
    vector_sparse_view singles = all.view();
    const edge_slice without_bundles{all.slices[0].first, all.slices[0].bundles, all.slices[0].bundles};
    singles.slices = {&without_bundles, 1};
    for_each_edge(singles, [&](std::uint32_t vertex, std::uint32_t, float) { ++single[vertex]; });
    for (std::uint32_t v = 0; v < store.vertices(); ++v) {
      const std::uint64_t degree = store.offsets[v + 1] - store.offsets[v];
      EXPECT_EQ(single[v], degree > depth ? degree : 0) << "vertex " << v << ", depth " << depth;
    }
  }
}

}  // namespace
}  // namespace orujo::internal::graph
