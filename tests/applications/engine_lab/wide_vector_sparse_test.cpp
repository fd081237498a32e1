// The paper's Vector-Sparse encoding: layout, vertex index, checks.
#include "applications/engine_lab/wide_vector_sparse.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "framework/graph/packing.hpp"
#include "tests/applications/engine_lab/wide_store.hpp"

namespace orujo::internal::graph {
namespace {

using test_graphs::encode_wide_rows;
using test_graphs::fault_of;
using test_graphs::for_each_edge;
using test_graphs::in_edge;
using test_graphs::row_store;

void expect_encodes(const wide_vector_sparse& graph, const row_store& store, std::uint32_t local_indices) {
  std::vector<in_edge> decoded;
  for_each_edge(graph.view(), [&](std::uint64_t vertex, std::uint64_t neighbour, float weight) {
    decoded.emplace_back(vertex, neighbour, weight);
  });
  EXPECT_EQ(decoded, store.edges());
  EXPECT_EQ(fault_of(graph.view(), local_indices), "");
  const packing packed = pack_rows(store.offsets, wide_edge_lanes);
  EXPECT_EQ(graph.edges.size() * wide_edge_lanes, packed.lanes);
}

TEST(wide_vector_sparse, lays_out_known_bits) {
  // 0x...  <- lanes' pieces of vertex 3: 3, 0, 0, 0       3 <- 7 five times
  row_store store;
  store.add_empty(3);
  store.add_vertex(5, [] { return 7; });
  const wide_vector_sparse graph = encode_wide_rows(store);
  ASSERT_EQ(graph.edges.size(), 2u);
  const std::uint64_t expected[2][4] = {
      {0x8003000000000007, 0x8000000000000007, 0x8000000000000007, 0x8000000000000007},
      {0x8003000000000007, 0, 0, 0}};
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(graph.edges[k].lane[i], expected[k][i]) << k << ", " << i;
  }
  EXPECT_EQ(graph.weights[1].lane[0], 5.5f);
  EXPECT_EQ(graph.weights[1].lane[1], 0.0f);
  EXPECT_EQ(std::vector(graph.first_vector.begin(), graph.first_vector.end()),
            (std::vector<std::uint64_t>{0, 0, 0, 0, 2}));
}

TEST(wide_vector_sparse, spreads_any_vertex_over_the_lanes) {
  random_stream random(1);
  for (int k = 0; k < 1000; ++k) {
    const std::uint64_t vertex = k == 0 ? wide_id_mask : random() & wide_id_mask;
    wide_edge_vector vector;
    for (std::size_t i = 0; i < wide_edge_lanes; ++i)
      vector.lane[i] = wide_piece(vertex, i) | wide_id_mask | wide_valid_bit;
    EXPECT_EQ(top_level(vector), vertex);
    EXPECT_TRUE(is_valid(vector, 3));
    EXPECT_EQ(neighbour(vector, 0), wide_id_mask);
  }
  EXPECT_EQ(wide_piece(0xabc000000000, 3), 0x0abc000000000000u);
  EXPECT_EQ(wide_piece(0xabc000000000, 2), 0u);
}

TEST(wide_vector_sparse, takes_no_vectors_for_no_edges) {
  row_store store;
  expect_encodes(encode_wide_rows(store), store, 1);
  store.add_empty(1000);
  const wide_vector_sparse graph = encode_wide_rows(store);
  EXPECT_EQ(graph.edges.size(), 0u);
  expect_encodes(graph, store, 1);
}

TEST(wide_vector_sparse, round_trips_random_graphs_of_any_cores) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    random_stream random(seed);
    const auto local_indices = static_cast<std::uint32_t>(1 + random.below(2000));
    const row_store store =
        test_graphs::random_store(random, static_cast<std::uint32_t>(random.below(1500)), local_indices);
    const auto cuts = test_graphs::random_cuts(random, store.vertices());
    expect_encodes(encode_wide_rows(store, true, cuts), store, local_indices);
  }
}

TEST(wide_vector_sparse, holds_all_edges_of_one_vertex) {
  for (const std::uint64_t degree : {1, 3, 4, 5, 8, 511, 512, 513, 10'000}) {
    row_store store;
    std::uint32_t next = 0;
    store.add_vertex(degree, [&] { return next++; });
    store.add_empty(2);
    const wide_vector_sparse graph = encode_wide_rows(store);
    EXPECT_EQ(graph.edges.size(), (degree + 3) / 4);
    expect_encodes(graph, store, next);
  }
}

TEST(wide_vector_sparse, has_a_fault_when_broken) {
  row_store store;
  store.add_vertex(6, [] { return 9; });
  store.add_empty(1);
  store.add_vertex(2, [] { return 4; });
  const auto refused = [&](const char* what, const std::function<void(wide_vector_sparse&)>& damage) {
    wide_vector_sparse graph = encode_wide_rows(store);
    ASSERT_EQ(fault_of(graph.view(), 10), "");
    damage(graph);
    EXPECT_NE(fault_of(graph.view(), 10), "") << what;
  };
  EXPECT_NE(fault_of(encode_wide_rows(store).view(), 9), "");
  refused("gap", [](auto& g) { g.edges[0].lane[1] &= ~wide_valid_bit; });
  refused("unused neighbour", [](auto& g) { g.edges[1].lane[3] |= 1; });
  refused("empty vector", [](auto& g) { g.edges[1].lane[0] = g.edges[1].lane[1] = 0; });
  refused("spare bit", [](auto& g) { g.edges[0].lane[2] |= std::uint64_t{1} << 61; });
  refused("foreign vertex", [](auto& g) { g.edges[2].lane[0] ^= wide_piece(1, 0); });
  refused("last piece", [](auto& g) { g.edges[0].lane[3] |= wide_piece(wide_id_mask, 3); });
  refused("not full", [](auto& g) { g.edges[0].lane[3] = 0; });
  refused("index", [](auto& g) { g.first_vector[1] = 1; });
  refused("decreasing index", [](auto& g) { g.first_vector[2] = 1; });
  refused("index beyond the end", [](auto& g) { g.first_vector[1] = 100; });
  refused("end of the index", [](auto& g) { g.first_vector[3] = 2; });
  refused("slice", [](auto& g) { g.slices[0].last = 2; });
  refused("weights", [](auto& g) { g.weights = machine::huge_array<wide_weight_vector>(2); });
}

}  // namespace
}  // namespace orujo::internal::graph
