// The compact Vector-Sparse encoding: layout, slices, side index, checks.
#include "framework/graph/vector_sparse.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

#include "tests/framework/row_store.hpp"

namespace orujo::internal::graph {
namespace {

using test_graphs::decode;
using test_graphs::encode;
using test_graphs::encode_all;
using test_graphs::encoded;
using test_graphs::row_store;

// Everything that must hold of an encoded graph.
void expect_encodes(const encoded& graph, const row_store& store, std::uint32_t local_indices) {
  auto decoded = decode(graph);
  if (graph.segments.size() > 1 || graph.slices[0].bundles != graph.slices[0].last)
    std::stable_sort(decoded.begin(), decoded.end(), [](const auto& a, const auto& b) {
      return std::pair(std::get<0>(a), std::get<1>(a)) < std::pair(std::get<0>(b), std::get<1>(b));
    });
  EXPECT_EQ(decoded, store.edges());
  const status valid = validate(graph.view(), store.vertices(), local_indices);
  EXPECT_TRUE(valid.ok()) << valid.message();
  for (const edge_slice& slice : graph.slices) {
    std::uint32_t vertex = 0;
    for (std::size_t k = slice.first; k < slice.bundles; ++k) {
      // Inside a block a jump is seen from the vertex before it; what is before a slice does not matter.
      const bool indexed_jump = k % vectors_per_index_entry == 0 && is_jump(graph.edges[k]);
      if (k > slice.first || indexed_jump) {
        ASSERT_EQ(top_level_before(graph.view(), k), indexed_jump ? jump_target(graph.edges[k]) : vertex)
            << k;
      }
      vertex = next_top_level(graph.edges[k], vertex);
    }
  }
}

TEST(vector_sparse, lays_out_known_bits) {
  // 3 <- 7    5 <- 9 times 1
  row_store store;
  store.add_empty(3);
  store.add_vertex(1, [] { return 7; });
  store.add_empty(1);
  store.add_vertex(9, [] { return 1; });
  const encoded graph = encode_all(store);
  ASSERT_EQ(graph.edges.size(), 4u);
  const std::uint32_t expected[4][8] = {
      {0x40000003, 0x40000000, 0x40000000, 0x40000000, 0x40000000, 0x40000000, 0x40000000, 0x40000000},
      {0x80000007, 0, 0, 0, 0, 0, 0, 0},
      {0x80000001, 0xc0000001, 0x80000001, 0x80000001, 0x80000001, 0x80000001, 0x80000001, 0x80000001},
      {0x80000001, 0, 0, 0, 0, 0, 0, 0}};
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(graph.edges[k].lane[i], expected[k][i]) << k << ", " << i;
  }
  EXPECT_EQ(graph.weights[1].lane[0], 1.5f);
  EXPECT_EQ(graph.weights[1].lane[1], 0.0f);
  EXPECT_EQ(graph.top_level_at, std::vector<std::uint32_t>{3});
}

TEST(vector_sparse, takes_no_vectors_for_no_edges) {
  row_store store;
  for (const in_edge_rows& none : {in_edge_rows{}, store.rows(0, 0)}) {
    const std::vector<std::uint32_t> bounds{0, 1};
    EXPECT_EQ(slice_encoder(none, bounds).size(0).vectors(), 0u);
  }
  store.add_empty(1000);
  encoded graph = encode_all(store);
  EXPECT_TRUE(graph.edges.empty());
  expect_encodes(graph, store, 1);
}

TEST(vector_sparse, bridges_gaps_with_steps_to_255_and_jumps_beyond) {
  for (const std::uint32_t gap : {1u, 2u, 128u, 254u, 255u, 256u, 257u, 1000u, 5'000'000u}) {
    row_store store;
    store.add_vertex(1, [] { return 0; });
    store.add_empty(gap - 1);
    store.add_vertex(1, [] { return 0; });
    encoded graph = encode_all(store);
    EXPECT_EQ(graph.edges.size(), gap <= max_step ? 3u : 4u) << "gap " << gap;
    expect_encodes(graph, store, 1);
  }
}

TEST(vector_sparse, holds_all_edges_of_one_vertex) {
  for (const std::uint64_t degree : {1, 7, 8, 9, 16, 17, 511, 512, 513, 10'000}) {
    row_store store;
    std::uint32_t next = 0;
    store.add_vertex(degree, [&] { return next++; });
    encoded graph = encode_all(store);
    EXPECT_EQ(graph.edges.size(), 1 + (degree + 7) / 8);
    expect_encodes(graph, store, next);
  }
}

TEST(vector_sparse, keeps_duplicates_self_loops_and_the_largest_index) {
  row_store store;
  store.add_vertex(20, [] { return 0; });
  store.add_vertex(3, [] { return local_index_mask; });
  encoded graph = encode_all(store);
  expect_encodes(graph, store, local_index_mask + 1);
}

TEST(vector_sparse, round_trips_random_graphs_in_any_slices_segments_and_bundles) {
  for (std::uint64_t seed = 1; seed <= 90; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    random_stream random(seed);
    const auto local_indices = static_cast<std::uint32_t>(1 + random.below(2000));
    const row_store store =
        test_graphs::random_store(random, static_cast<std::uint32_t>(random.below(1500)), local_indices);
    test_graphs::encoding how{.cuts = test_graphs::random_cuts(random, store.vertices())};
    if (seed % 3 != 0) how.source_bounds = test_graphs::random_bounds(random, local_indices);
    how.bundle_depth = static_cast<std::uint32_t>(random.below(3) * random.below(128));
    expect_encodes(encode(store, how), store, local_indices);
  }
}

TEST(vector_sparse, weighs_edges_without_weights_one) {
  row_store store;
  store.add_vertex(10, [] { return 0; });
  in_edge_rows rows = store.rows(0, 1);
  rows.weights = {};
  encoded graph = encode_all(store);
  const std::vector<std::uint32_t> bounds{0, 1};
  slice_encoder(rows, bounds, 0).encode(0, 0, graph.buffer());
  for (const auto& [vertex, neighbour, weight] : decode(graph)) EXPECT_EQ(weight, 1.0f);
  graph.weights.clear();
  slice_encoder(rows, bounds, 0).encode(0, 0, graph.buffer());
  EXPECT_EQ(decode(graph).size(), 10u);
  for (const auto& [vertex, neighbour, weight] : decode(graph)) EXPECT_EQ(weight, 1.0f);
}

//   4 <- 7 8 9    6 <- 1    and 9 edges of vertex 5, too many for a bundle
TEST(vector_sparse, lays_out_bundles) {
  row_store store;
  std::uint32_t next = 7;
  store.add_empty(4);
  store.add_vertex(3, [&] { return next++; });
  store.add_vertex(9, [] { return 2; });
  store.add_vertex(1, [] { return 1; });
  const encoded graph = encode(store, {.cuts = {0, store.vertices()}, .bundle_depth = 8});
  ASSERT_EQ(graph.slices.size(), 1u);
  EXPECT_EQ(graph.slices[0].bundles, 3u);
  ASSERT_EQ(graph.edges.size(), 7u);
  const std::uint32_t expected[4][8] = {{0xc0000004, 0xc0000006, 4, 4, 4, 4, 4, 4},  // depth 3
                                        {0x80000007, 0x80000001, 0, 0, 0, 0, 0, 0},
                                        {0x80000008, 0, 0, 0, 0, 0, 0, 0},
                                        {0x80000009, 0, 0, 0, 0, 0, 0, 0}};
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t i = 0; i < 8; ++i)
      EXPECT_EQ(graph.edges[3 + k].lane[i], expected[k][i]) << k << ", " << i;
  }
  EXPECT_EQ(graph.weights[4].lane[0], 1.5f);
  EXPECT_EQ(graph.weights[4].lane[1], 13.5f);
  EXPECT_EQ(graph.weights[5].lane[1], 0.0f);
}

// Vertices of like degree share a bundle, so hardly a lane is empty.
TEST(vector_sparse, bundles_by_degree) {
  random_stream random(3);
  row_store store;
  std::uint64_t edges = 0;
  for (std::uint32_t v = 0; v < vertices_per_bundle_window; ++v) {
    store.add_vertex(1 + random.below(8), [] { return 0; });
    edges = store.neighbours.size();
  }
  const encoded graph = encode(store, {.cuts = {0, store.vertices()}, .bundle_depth = 8});
  std::size_t heads = 0;
  for (const edge_vector& vector : graph.edges) heads += bundle_depth(vector) != 0;
  EXPECT_EQ(heads, vertices_per_bundle_window / edge_lanes);
  EXPECT_LE((graph.edges.size() - heads) * edge_lanes, edges + 8 * edge_lanes);
}

TEST(vector_sparse, validation_finds_each_kind_of_damage) {
  random_stream random(7);
  row_store store;
  for (int i = 0; i < 200; ++i)
    store.add_vertex(1 + random.below(12), [&] { return static_cast<std::uint32_t>(random.below(100)); });
  const encoded good = encode_all(store);
  ASSERT_GT(good.edges.size(), 2 * vectors_per_index_entry);
  const auto fails = [&](const std::function<void(encoded&)>& damage) {
    encoded graph = good;
    damage(graph);
    const status found = validate(graph.view(), store.vertices(), 100);
    return found.code() == exit_status::bad_data && !found.message().empty();
  };
  EXPECT_FALSE(fails([](encoded&) {}));
  EXPECT_TRUE(fails([](encoded& graph) { graph.weights.pop_back(); }));
  EXPECT_TRUE(fails([](encoded& graph) { graph.top_level_at.pop_back(); }));
  EXPECT_TRUE(fails([](encoded& graph) { graph.top_level_at[1] += 1; }));
  EXPECT_TRUE(fails([](encoded& graph) { graph.edges[0] = graph.edges[1]; }));  // starts without a jump
  EXPECT_TRUE(fails([](encoded& graph) { graph.edges[0].lane[0] += 1; }));      // one vertex too far
  EXPECT_TRUE(fails([](encoded& graph) { graph.edges[0].lane[3] = 0; }));       // jump without step
  EXPECT_TRUE(fails([](encoded& graph) { graph.edges[5] = graph.edges[0]; }));  // backwards
  EXPECT_TRUE(fails([](encoded& graph) { graph.edges[5].lane[0] |= 100; }));    // no such neighbour
  EXPECT_TRUE(fails([](encoded& graph) { graph.edges[5].lane[0] &= ~edge_valid_bit; }));  // hole
  EXPECT_TRUE(fails([](encoded& graph) { graph.edges[5].lane[1] ^= edge_step_bit; }));    // wrong step
}

TEST(vector_sparse, validation_finds_damaged_bundles_slices_and_segments) {
  random_stream random(8);
  row_store store;
  for (int i = 0; i < 200; ++i)
    store.add_vertex(1 + random.below(12), [&] { return static_cast<std::uint32_t>(random.below(100)); });
  const encoded good =
      encode(store, {.cuts = {0, 90, 200}, .source_bounds = {0, 50, 100}, .bundle_depth = 6});
  const std::size_t head = good.slices[1].bundles;
  ASSERT_LT(head, good.slices[1].last);
  const auto fails = [&](const std::function<void(encoded&)>& damage) {
    encoded graph = good;
    damage(graph);
    return validate(graph.view(), store.vertices(), 100).code() == exit_status::bad_data;
  };
  EXPECT_FALSE(fails([](encoded&) {}));
  const auto lane = [&](encoded& graph, std::size_t k, std::size_t i) -> std::uint32_t& {
    return graph.edges[head + k].lane[i];
  };
  EXPECT_TRUE(fails([&](encoded& graph) { lane(graph, 0, 0) |= 200; }));              // no such vertex
  EXPECT_TRUE(fails([&](encoded& graph) { lane(graph, 0, 7) ^= edge_step_bit; }));    // too deep
  EXPECT_TRUE(fails([&](encoded& graph) { lane(graph, 0, 0) &= ~edge_valid_bit; }));  // no first vertex
  EXPECT_TRUE(fails([&](encoded& graph) { lane(graph, 1, 2) |= edge_step_bit; }));    // a head within
  EXPECT_TRUE(fails([&](encoded& graph) { lane(graph, 1, 0) &= ~edge_valid_bit; }));  // no edge
  EXPECT_TRUE(fails([&](encoded& graph) { lane(graph, 1, 0) ^= 64; }));               // another segment's
  EXPECT_TRUE(fails([&](encoded& graph) { graph.edges[head] = {}; }));                // no head
  // The last bundle of a window names its first vertex in the lanes that it has no vertices for.
  EXPECT_TRUE(fails([&](encoded& graph) {
    std::size_t at = graph.slices[1].bundles;
    while ((graph.edges[at].lane[7] & edge_valid_bit) != 0) at += 1 + bundle_depth(graph.edges[at]);
    ASSERT_LT(at, graph.slices[1].last);
    graph.edges[at].lane[7] ^= 1;
  }));
  EXPECT_TRUE(fails([](encoded& graph) { graph.slices.pop_back(); }));
  EXPECT_TRUE(fails([](encoded& graph) { graph.segments.pop_back(); }));
  EXPECT_TRUE(fails([](encoded& graph) { --graph.slices[1].last; }));
  EXPECT_TRUE(fails([](encoded& graph) { ++graph.slices[1].bundles; }));
  EXPECT_TRUE(fails([](encoded& graph) { --graph.segments[0].last_source; }));
  EXPECT_TRUE(fails([](encoded& graph) { ++graph.segments[1].last; }));
}

// The conditions that an engine relies on: every lane can be gathered, every total that is written exists,
// and a chunk finds its vertex wherever it begins.
bool is_safe(const encoded& graph, std::uint32_t vertices) {
  for (const edge_segment& segment : graph.segments) {
    const auto gathers = [&](std::uint32_t lane) {
      const std::uint32_t index = lane & local_index_mask;
      return lane >> 31 == 0 ? index == 0 : segment.first_source <= index && index < segment.last_source;
    };
    for (std::size_t s = segment.first_slice; s < segment.last_slice; ++s) {
      const edge_slice& slice = graph.slices[s];
      std::uint64_t vertex = 0;
      for (std::size_t k = slice.first; k < slice.bundles; ++k) {
        const edge_vector& v = graph.edges[k];
        const std::uint64_t before = is_jump(v) ? jump_target(v) : vertex;
        if (k % vectors_per_index_entry == 0 && graph.top_level_at[k / vectors_per_index_entry] != before)
          return false;
        vertex = is_jump(v) ? jump_target(v) : vertex + step(v);
        if (vertex >= vertices || (k == slice.first && !is_jump(v))) return false;
        if (!is_jump(v) && !std::all_of(v.lane, v.lane + edge_lanes, gathers)) return false;
      }
      std::size_t body = 0;  // vectors of the bundle that are still to come
      for (std::size_t k = slice.bundles; k < slice.last; ++k) {
        const edge_vector& v = graph.edges[k];
        if ((bundle_depth(v) != 0) == (body != 0)) return false;
        if (body != 0 && !std::all_of(v.lane, v.lane + edge_lanes, gathers)) return false;
        for (std::size_t i = 0; i < edge_lanes && body == 0; ++i) {
          if ((v.lane[i] & local_index_mask) >= vertices) return false;
        }
        body = body == 0 ? bundle_depth(v) : body - 1;
      }
      if (body != 0) return false;
    }
  }
  return true;
}

TEST(vector_sparse, validation_accepts_nothing_unsafe) {
  const std::uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed();
  std::printf("seed %llu (repeat with --gtest_random_seed)\n", static_cast<unsigned long long>(seed));
  random_stream random(seed);
  row_store store;
  for (int i = 0; i < 300; ++i) {
    if (i % 50 == 0) store.add_empty(300);
    store.add_vertex(random.below(14), [&] { return static_cast<std::uint32_t>(random.below(100)); });
  }
  const std::uint32_t vertices = store.vertices();
  const encoded good =
      encode(store, {.cuts = {0, 900, vertices}, .source_bounds = {0, 50, 100}, .bundle_depth = 6});
  ASSERT_TRUE(is_safe(good, vertices));
  int accepted = 0, refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    encoded bad = good;
    for (std::uint64_t edits = 1 + random.below(2); edits > 0; --edits) {
      std::uint32_t& lane = bad.edges[random.below(bad.edges.size())].lane[random.below(edge_lanes)];
      const std::uint64_t kind = random.below(10);
      if (kind < 6) lane ^= 1u << (random.below(2) == 0 ? random.below(32) : 30 + random.below(2));
      if (kind == 6) bad.top_level_at[random.below(bad.top_level_at.size())] ^= 1u << random.below(32);
      if (kind > 6) bad.edges[random.below(bad.edges.size())] = bad.edges[random.below(bad.edges.size())];
    }
    const bool ok = validate(bad.view(), vertices, 100).ok();
    ++(ok ? accepted : refused);
    ASSERT_TRUE(!ok || is_safe(bad, vertices)) << "round " << round;
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace orujo::internal::graph
